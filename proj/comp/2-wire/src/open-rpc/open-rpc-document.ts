import type { GenericSchema } from 'valibot'
import { partSchemas, type JsonSchema } from '../../../1-registry/src/index.js'

/** A schema for each field of a type, so that a new field without schema is a compile error. */
export type Fields<Type> = { [Name in keyof Required<Type>]: GenericSchema }

/** A request or notification, with the schemas that validate it. */
export interface DescribedMethod {
  name: string
  summary: string
  /** The side that sends it. */
  sentBy: string
  /** An object schema; absent: no params. */
  params?: GenericSchema
  /** Absent for a notification, which has no answer. */
  result?: GenericSchema
}

export interface Protocol {
  title: string
  /** Version of the protocol, not of hermes. */
  version: string
  description: string
  methods: readonly DescribedMethod[]
  /** Schemas that get a name in the document. */
  schemas: Readonly<Record<string, GenericSchema>>
  /** Codes of errors by name. */
  errors: Readonly<Record<string, number>>
}

/**
 * The part of OpenRPC 1.3 (spec.open-rpc.org) used here. `x-sent-by` is an extension, since methods of both sides are
 * listed together.
 */
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

/** Derives the document from the schemas; clients can be generated from it. */
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
  // OpenRPC requires required params first.
  return [...params.filter((param) => param.required), ...params.filter((param) => !param.required)]
}

/** `invalidParams` → `Invalid params` */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
