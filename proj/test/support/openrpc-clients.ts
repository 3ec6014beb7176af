/** Small generators of clients, which know no more of hermes than an OpenRPC document says. */
import type { Document } from './openrpc.js'

type Schema = Readonly<Record<string, unknown>>

/** Types of all methods, and a class with one function for each request of `sentBy`. */
export function typeScriptClient({ methods, components }: Document, sentBy: string): string {
  const types = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`)
  const told = methods.filter((method) => method['x-sent-by'] !== sentBy)
  const asked = methods.filter((method) => method['x-sent-by'] === sentBy)
  const paramsOf = ({ params }: Document['methods'][number]): string => typeOf({
    type: 'object', required: params.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])),
  })
  const calls = asked.map((method) => {
    const { name, params, result } = method
    const isFree = params.every(({ required }) => !required)
    const outcome = result ? typeOf(result.schema) : 'void'
    return `  async ${JSON.stringify(name)}(params: ${paramsOf(method)}${isFree ? ' = {}' : ''}): Promise<${outcome}> {\n`
      + `    return this.wire.${result ? 'request' : 'notify'}(${JSON.stringify(name)}, params) as Promise<${outcome}>\n  }`
  })
  return [
    ...types,
    'export interface Wire { request(method: string, params: object): Promise<unknown>; notify(method: string, params: object): Promise<unknown> }',
    `export interface Handlers {\n${told.map((method) => (
      `  ${JSON.stringify(method.name)}?(params: ${paramsOf(method)}): ${method.result ? `${typeOf(method.result.schema)} | Promise<${typeOf(method.result.schema)}>` : 'void'}`
    )).join('\n')}\n}`,
    `export class Client {\n  readonly wire: Wire\n  constructor(wire: Wire) { this.wire = wire }\n${calls.join('\n')}\n}`,
  ].join('\n\n')
}

function typeOf(schema: Schema): string {
  const { type, properties, required = [], items, additionalProperties, anyOf, oneOf, allOf, $ref } = schema as {
    type?: string; properties?: Record<string, Schema>; required?: string[]; items?: Schema; additionalProperties?: Schema | boolean
    anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[]; $ref?: string
  }
  const either = anyOf ?? oneOf
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  if (either) return `(${either.map(typeOf).join(' | ')})`
  if (allOf) return `(${allOf.map(typeOf).join(' & ')})`
  if (type === 'array') return `Array<${items ? typeOf(items) : 'unknown'}>`
  if (type === 'object' && properties) {
    const fields = Object.entries(properties).map(([name, field]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`)
    return `{ ${fields.join('; ')} }`
  }
  if (type === 'object') return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`
  if (type === 'integer') return 'number'
  return type === undefined ? 'unknown' : type
}

/** A module with a class `Client`: a function for each request of `sentBy`, which checks params and result. */
export function pythonClient({ methods, components }: Document, sentBy: string): string {
  const calls = methods.filter((method) => method['x-sent-by'] === sentBy).map(({ name, params, result }) => {
    const named = params.map(({ name: param, required }) => (required ? param : `${param}=UNSET`))
    const given = `{k: v for k, v in {${params.map(({ name: param }) => `${JSON.stringify(param)}: ${param}`).join(', ')}}.items() if v is not UNSET}`
    return `    def ${name.replaceAll(/\W/g, '_')}(self${named.length > 0 ? `, *, ${named.join(', ')}` : ''}):\n`
      + `        return self._${result ? 'request' : 'notify'}(${JSON.stringify(name)}, ${given})\n`
  })
  const results = Object.fromEntries(methods.flatMap(({ name, result }) => (result ? [[name, result.schema]] : [])))
  return `${PYTHON}
SCHEMAS = json.loads(${pythonText(components.schemas)})
RESULTS = json.loads(${pythonText(results)})


class Client(Wire):
${calls.join('\n')}`
}

function pythonText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value))
}

const PYTHON = String.raw`import json
import subprocess

UNSET = object()
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int, "number": (int, float)}


def fits(schema, value):
    if "$ref" in schema:
        return fits(SCHEMAS[schema["$ref"].rsplit("/", 1)[1]], value)
    if "const" in schema:
        return value == schema["const"]
    if "enum" in schema:
        return value in schema["enum"]
    for name, of in (("anyOf", any), ("oneOf", any), ("allOf", all)):
        if name in schema:
            return of(fits(part, value) for part in schema[name])
    kind = schema.get("type")
    if kind and not (isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))):
        return False
    if kind == "array":
        return all(fits(schema.get("items", {}), item) for item in value)
    if kind == "object":
        known = schema.get("properties", {})
        return set(schema.get("required", [])) <= set(value) and all(
            fits(known[name], field) for name, field in value.items() if name in known)
    return True


class Refused(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Wire:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.last = 0
        self.told = []

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode("utf-8")
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def _notify(self, method, params):
        self._send({"method": method, "params": params})

    def _request(self, method, params):
        self.last += 1
        self._send({"id": self.last, "method": method, "params": params})
        while True:
            length = int(self.server.stdout.readline().split(b":")[1])
            self.server.stdout.readline()
            message = json.loads(self.server.stdout.read(length))
            if "method" in message:
                self.told.append(message["method"])
            elif message["id"] == self.last:
                break
        if "error" in message:
            raise Refused(message["error"])
        assert fits(RESULTS[method], message["result"]), (method, message["result"])
        return message["result"]

`
