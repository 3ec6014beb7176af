import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { AnyVerb } from '../../../0-contracts/src/index.js'

/** As much of JSON Schema 2020-12 as verbs use. */
export interface JsonSchema {
  $schema?: string
  $ref?: string
  title?: string
  type?: string | readonly string[]
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  default?: unknown
  $defs?: Record<string, JsonSchema>
  [keyword: string]: unknown
}

/** Order of the keywords: what a reader wants first stands first. Others follow as they come. */
const KEYWORDS = [
  '$schema', '$ref', 'title', 'type', 'description', 'enum', 'const', 'pattern', 'minLength', 'maxLength', 'minimum',
  'maximum', 'items', 'properties', 'required', 'additionalProperties', 'anyOf', 'oneOf', 'default', '$defs',
] as const
/** Formats only hermes knows; validators reject such in their strict modes. */
const OWN_FORMATS = new Set(['absolute_path', 'path'])
const CODE_POINTS: Record<string, 'minLength' | 'maxLength'> = {
  min_code_points: 'minLength', max_code_points: 'maxLength',
}

/** JSON Schema 2020-12 of a verb's arguments as they are written: defaults are stated, and nothing else is required. */
export function argsJsonSchema(verb: AnyVerb): JsonSchema {
  return GIVEN.get(verb.args) ?? convert(verb.args, 'input')
}

/** Schemas that were JSON Schemas before they were valibot's. */
const GIVEN = new WeakMap<GenericSchema, JsonSchema>()

/** Says which JSON Schema a valibot schema stands for, where it comes from elsewhere: projections show that one. */
export function withJsonSchema<Schema extends GenericSchema>(schema: Schema, given: JsonSchema): Schema {
  GIVEN.set(schema, given)
  return schema
}

/** JSON Schema 2020-12 of a verb's result as its handler returns it. */
export function resultJsonSchema(verb: AnyVerb): JsonSchema {
  return convert(verb.result, 'output')
}

/** JSON Schema 2020-12 of a document of its own. @param typeMode as it is written, or as it is read */
export function documentSchema(title: string, schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = convert(schema, typeMode)
  return { ...($schema !== undefined && { $schema }), title, ...rest }
}

/** The same schema as a part of another document. */
export function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema
  return rest
}

/** Schemas as parts of one document, in which some of them have a name. */
export interface PartSchemas {
  /** By name. */
  all: Record<string, JsonSchema>
  /** Any schema; where it holds one of those, it refers to that. */
  of: (schema: GenericSchema, typeMode: 'input' | 'output') => JsonSchema
}

/** @param place where the document has those with a name, e.g. `#/components/schemas/` */
export function partSchemas(named: Readonly<Record<string, GenericSchema>>, place: string): PartSchemas {
  const options = {
    target: 'draft-2020-12', errorMode: 'ignore', overrideAction,
    overrideRef: ({ referenceId }: { referenceId: string }) => `${place}${referenceId}`,
  } as const
  const part = (schema: object): JsonSchema => {
    const { $defs: _, ...rest } = schema as JsonSchema
    return tidy(withoutDialect(rest))
  }
  const all = toJsonSchemaDefs(named, { ...options, typeMode: 'output' })
  return {
    all: Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, part(schema)])),
    of(schema, typeMode) {
      return part(toJsonSchema(schema, { ...options, typeMode, definitions: named }))
    },
  }
}

function convert(schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const options = { target: 'draft-2020-12', typeMode, errorMode: 'ignore', overrideAction } as const
  return tidy(toJsonSchema(schema, options) as unknown as JsonSchema)
}

/** Our own lengths count code points, as JSON Schema does; valibot's count UTF-16 units. */
const overrideAction: NonNullable<ConversionConfig['overrideAction']> = ({ valibotAction, jsonSchema }) => {
  const { type, requirement } = valibotAction as { type: string; requirement?: unknown }
  const keyword = CODE_POINTS[type]
  if (keyword === undefined) return undefined
  if (requirement === 0 || requirement === Infinity) return jsonSchema
  return { ...jsonSchema, [keyword]: requirement as number }
}

/** One order of keywords, no empty ones, and no formats that only hermes knows: those become words. */
function tidy(schema: JsonSchema): JsonSchema {
  const given = withWords(schema)
  const names = [...new Set([...KEYWORDS, ...Object.keys(given)])].filter((name) => !isEmpty(name, given[name]))
  return Object.fromEntries(names.map((name) => [name, tidyKeyword(name, given[name])]))
}

function withWords(given: JsonSchema): JsonSchema {
  const schema = describedOutside(given)
  const { format, ...rest } = schema
  if (typeof format !== 'string' || !OWN_FORMATS.has(format)) return schema
  if (format !== 'absolute_path') return rest
  return { ...rest, description: `${rest.description ?? ''} An absolute path.`.trim() }
}

/** Of a value that may be null the description stands where that of others does. */
function describedOutside(schema: JsonSchema): JsonSchema {
  const [value, other] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || other?.type !== 'null' || value?.description === undefined) return schema
  const { description, ...rest } = value
  return { description, ...schema, anyOf: [rest, other] }
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined) return true
  if (name === 'required') return (value as readonly string[]).length === 0
  // Names are strings anyway.
  return name === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}'
}

function tidyKeyword(name: string, value: unknown): unknown {
  switch (name) {
    case 'items':
    case 'additionalProperties':
    case 'not':
      return typeof value === 'object' ? tidy(value as JsonSchema) : value
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return (value as JsonSchema[]).map(tidy)
    case 'properties':
    case '$defs':
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([key, each]) => [key, tidy(each)]),
      )
    default:
      return value
  }
}
