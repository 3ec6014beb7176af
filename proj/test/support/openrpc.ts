import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>
export interface Document {
  methods: { name: string; 'x-sent-by': string; params: { name: string; required: boolean; schema: Schema }[]; result?: { schema: Schema } }[]
  components: { schemas: Record<string, Schema> }
}

/** Whether values are as a document says, and have no field that it does not name. */
export class Checker {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #document: Document
  readonly #known = new Map<string, ValidateFunction>()

  constructor(document: Document) {
    this.#document = document
    // By itself a document has no place in which `#/components` would be found.
    this.#ajv.addSchema({ $id: 'openrpc:document', components: this.#closed(document.components) })
  }

  /** What is wrong with params, in words; empty where nothing is. */
  params(method: string, value: unknown, sentBy?: string): string[] {
    const found = this.#document.methods.find((one) => one.name === method && (sentBy === undefined || one['x-sent-by'] === sentBy))
    if (!found) return [`no method ${method}`]
    return this.#wrong(`${method} params`, {
      type: 'object', additionalProperties: false, required: found.params.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(found.params.map(({ name, schema }) => [name, schema])),
    }, value)
  }

  result(method: string, value: unknown): string[] {
    const found = this.#document.methods.find(({ name }) => name === method)
    return found?.result ? this.#wrong(`${method} result`, found.result.schema, value) : [`no request ${method}`]
  }

  #wrong(name: string, schema: Schema, value: unknown): string[] {
    const validate = this.#known.get(name) ?? this.#ajv.compile(this.#closed(schema) as Schema)
    this.#known.set(name, validate)
    // As it crosses the wire.
    validate(JSON.parse(JSON.stringify(value ?? null)))
    return (validate.errors ?? []).map(({ instancePath, message, params }) => `${name}${instancePath}: ${message} ${JSON.stringify(params)}`)
  }

  /** The same schema, which takes no field that it does not name. */
  #closed(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.#closed(part))
    if (typeof schema !== 'object' || schema === null) return schema
    const copy: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(schema)) {
      // Of parts that hold together each knows its own fields only.
      if (name === 'allOf') copy[name] = (value as Schema[]).map((part) => {
        const { unevaluatedProperties: _, ...open } = this.#closed(this.#resolved(part)) as Schema
        return open
      })
      else if (name === '$ref') copy[name] = String(value).replace(/^#/, 'openrpc:document#')
      else copy[name] = name === 'enum' || name === 'const' || name === 'default' ? value : this.#closed(value)
    }
    const isOpen = copy['additionalProperties'] !== undefined || (copy['properties'] === undefined && copy['allOf'] === undefined)
    return isOpen || (copy['type'] ?? 'object') !== 'object' ? copy : { ...copy, unevaluatedProperties: false }
  }

  #resolved(part: Schema): Schema {
    const { $ref } = part
    return typeof $ref === 'string' ? this.#document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? part : part
  }
}
