import type { GenericSchema } from 'valibot'
import { partSchemas, type JsonSchema } from '../../../1-registry/src/index.js'

/** A schema for each field of a type: what the type gains is missing until somebody says what it is. */
export type Fields<Type> = { [Name in keyof Required<Type>]: GenericSchema }

/** A request or notification, by the schemas that the code checks with. */
export interface DescribedMethod {
  name: string
  summary: string
  /** Which side sends it. */
  sentBy: string
  /** Of an object; without it there are none. */
  params?: GenericSchema
  /** Without it the method is a notification: nothing answers it. */
  result?: GenericSchema
}

export interface Protocol {
  title: string
  /** Of the protocol, not of hermes. */
  version: string
  description: string
  methods: readonly DescribedMethod[]
  /** Parts of the schemas that have a name of their own in the document. */
  schemas: Readonly<Record<string, GenericSchema>>
  /** Codes of errors by name. */
  errors: Readonly<Record<string, number>>
}

/** OpenRPC 1.3 (spec.open-rpc.org), as far as it is used. `x-sent-by` is ours: methods of both sides stand together. */
export interface OpenRpcDocument {
  openrpc: '1.3.2'
  info: { title: string; version: string; description: string }
  methods: {
    name: string
    summary: string
    'x-sent-by': string
    paramStructure: 'by-name'
    params: { name: string; required: boolean; schema: JsonSchema }[]
    result?: { name: string; schema: JsonSchema }
    errors?: { $ref: string }[]
  }[]
  components: { schemas: Record<string, JsonSchema>; errors: Record<string, { code: number; message: string }> }
}

/** What one can generate clients from, derived from the schemas. */
export function openRpcDocument(
  { title, version, description, methods, schemas, errors }: Protocol,
): OpenRpcDocument {
  const parts = partSchemas(schemas, '#/components/schemas/')
  const anyError = Object.keys(errors).map((name) => ({ $ref: `#/components/errors/${name}` }))
  return {
    openrpc: '1.3.2',
    info: { title, version, description },
    methods: methods.map(({ name, summary, sentBy, params, result }) => ({
      name, summary, 'x-sent-by': sentBy, paramStructure: 'by-name',
      params: params ? paramsOf(parts.of(params, 'input')) : [],
      ...(result && { result: { name: `${name} result`, schema: parts.of(result, 'output') }, errors: anyError }),
    })),
    components: {
      schemas: parts.all,
      errors: Object.fromEntries(
        Object.entries(errors).map(([name, code]) => [name, { code, message: inWords(name) }]),
      ),
    },
  }
}

function paramsOf(whole: JsonSchema): OpenRpcDocument['methods'][number]['params'] {
  const parts = (whole['allOf'] as JsonSchema[] | undefined) ?? [whole]
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {})) as Record<string, JsonSchema>
  const required = parts.flatMap((part) => part.required ?? [])
  const params = Object.entries(properties).map(([name, schema]) => ({
    name, required: required.includes(name), schema,
  }))
  // The document wants what is required first.
  return [...params.filter((param) => param.required), ...params.filter((param) => !param.required)]
}

/** `invalidParams` → `Invalid params` */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
