import { toJsonSchema, toJsonSchemaDefs, type ConversionConfig } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { AnyVerb } from '../../../0-contracts/src/index.js'

/** The subset of JSON Schema 2020-12 that verbs use. */
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

/** Order of keywords, the most important first; others follow in their original order. */
const KEYWORDS = [
  '$schema', '$ref', 'title', 'type', 'description', 'enum', 'const', 'pattern', 'minLength', 'maxLength', 'minimum',
  'maximum', 'items', 'properties', 'required', 'additionalProperties', 'anyOf', 'oneOf', 'default', '$defs',
] as const
/** Formats only known to hermes, which strict validators would reject. */
const OWN_FORMATS = new Set(['absolute_path', 'path'])
const CODE_POINTS: Record<string, 'minLength' | 'maxLength'> = {
  min_code_points: 'minLength', max_code_points: 'maxLength',
}

/** JSON Schema 2020-12 of a verb's arguments as written: fields with defaults are optional. */
export function argsJsonSchema(verb: AnyVerb): JsonSchema {
  return GIVEN.get(verb.args) ?? convert(verb.args, 'input')
}

/** JSON Schemas from which valibot schemas were made. */
const GIVEN = new WeakMap<GenericSchema, JsonSchema>()

/** Attaches the original JSON Schema to a valibot schema, for projections to show. */
export function withJsonSchema<Schema extends GenericSchema>(schema: Schema, given: JsonSchema): Schema {
  GIVEN.set(schema, given)
  return schema
}

/** JSON Schema 2020-12 of the result that a verb's handler returns. */
export function resultJsonSchema(verb: AnyVerb): JsonSchema {
  return convert(verb.result, 'output')
}

/**
 * JSON Schema 2020-12 of a whole document.
 *
 * @param typeMode `input`: as written; `output`: as parsed
 */
export function documentSchema(title: string, schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = convert(schema, typeMode)
  return { ...($schema !== undefined && { $schema }), title, ...rest }
}

/** The schema as part of another document. */
export function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema
  return rest
}

/** Schemas as parts of one document with named ones. */
export interface PartSchemas {
  /** By name. */
  all: Record<string, JsonSchema>
  /** Converts any schema; named ones inside it become references. */
  of: (schema: GenericSchema, typeMode: 'input' | 'output') => JsonSchema
}

/** @param place of named schemas in the document, e.g. `#/components/schemas/` */
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

/** hermes' own length checks count code points, as JSON Schema does; valibot's count UTF-16 units. */
const overrideAction: NonNullable<ConversionConfig['overrideAction']> = ({ valibotAction, jsonSchema }) => {
  const { type, requirement } = valibotAction as { type: string; requirement?: unknown }
  const keyword = CODE_POINTS[type]
  if (keyword === undefined) return undefined
  if (requirement === 0 || requirement === Infinity) return jsonSchema
  return { ...jsonSchema, [keyword]: requirement as number }
}

/** Orders keywords, drops empty ones, and moves hermes' own formats into the description. */
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

/** Moves the description of a nullable value to the outside. */
function describedOutside(schema: JsonSchema): JsonSchema {
  const [value, other] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || other?.type !== 'null' || value?.description === undefined) return schema
  const { description, ...rest } = value
  return { description, ...schema, anyOf: [rest, other] }
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined) return true
  if (name === 'required') return (value as readonly string[]).length === 0
  // Property names are strings anyway.
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
