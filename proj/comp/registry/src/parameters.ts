import type { GenericSchema } from 'valibot'

/** One parameter as the seeds describe it (seed 002 `ParameterDef`): a projection of its valibot schema. */
export interface ParameterDefinition {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'array' | 'object'
  required: boolean
  format?: string
  /** Of an `enum`. */
  values?: string[]
  default?: unknown
  description?: string
}

export type ParameterDefinitions = Record<string, ParameterDefinition>

/** The parts of valibot's schemas the projection reads. */
interface SchemaShape {
  type: string
  entries?: Record<string, SchemaShape>
  wrapped?: SchemaShape
  default?: unknown
  options?: readonly unknown[]
  pipe?: readonly { kind: string; type: string; description?: string; metadata?: Record<string, unknown> }[]
}

const OPTIONAL = new Set(['optional', 'nullish', 'exact_optional', 'undefinedable', 'nullable'])

/** Schemas never change, and every call asks. */
const known = new WeakMap<GenericSchema, ParameterDefinitions>()

/** The parameters of a verb's `args` schema, in declaration order. */
export function parameterDefinitions(args: GenericSchema): ParameterDefinitions {
  const found = known.get(args)
  if (found) return found
  const entries = (args as unknown as SchemaShape).entries ?? {}
  const definitions = Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, describe(schema)]))
  known.set(args, definitions)
  return definitions
}

function describe(schema: SchemaShape): ParameterDefinition {
  if (OPTIONAL.has(schema.type) && schema.wrapped) {
    const inner = describe(schema.wrapped)
    const description = descriptionOf(schema) ?? inner.description
    return {
      ...inner,
      required: false,
      ...(schema.default !== undefined && { default: schema.default }),
      ...(description !== undefined && { description }),
    }
  }
  const format = schema.pipe?.find((action) => action.type === 'metadata')?.metadata?.['format']
  const description = descriptionOf(schema)
  return {
    type: typeOf(schema),
    required: true,
    ...(typeof format === 'string' && { format }),
    ...(schema.type === 'picklist' && { values: (schema.options ?? []).map(String) }),
    ...(description !== undefined && { description }),
  }
}

function descriptionOf(schema: SchemaShape): string | undefined {
  return schema.pipe?.find((action) => action.type === 'description')?.description
}

function typeOf(schema: SchemaShape): ParameterDefinition['type'] {
  switch (schema.type) {
    case 'number': return schema.pipe?.some((action) => action.type === 'integer') ? 'integer' : 'number'
    case 'boolean': return 'boolean'
    case 'picklist': return 'enum'
    case 'array': return 'array'
    case 'object':
    case 'strict_object':
    case 'record': return 'object'
    default: return 'string'
  }
}
