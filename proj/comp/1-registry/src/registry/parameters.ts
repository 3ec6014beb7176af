import type { GenericSchema } from 'valibot'
import { valueAt } from '../../../0-text/src/index.js'
import { shapeOf, type ActionShape, type SchemaShape } from './schema-shape.js'

/** One parameter of a verb, derived from its valibot schema. */
export interface ParameterDefinition {
  type: ParameterType
  required: boolean
  format?: string
  /** Only for `enum`: allowed values. */
  values?: string[]
  /** Bounds of a string in code points, inclusive. */
  minLength?: number
  maxLength?: number
  /** Regular expression that a string must match. */
  pattern?: string
  /** Bounds of a number, inclusive. */
  minimum?: number
  maximum?: number
  /** Type of the items of an `array`, or of the values of an `object` with arbitrary keys. */
  items?: ParameterType
  default?: unknown
  description?: string
}

/** Type of a parameter, in the words of seed 004. */
export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'array' | 'object'

/** Parameters of a verb by their names, in declaration order. */
export type ParameterDefinitions = Record<string, ParameterDefinition>

const OPTIONAL = new Set(['optional', 'nullish', 'exact_optional', 'undefinedable', 'nullable'])
/** Bounds by the type of validation action, valibot's and hermes'. */
const BOUNDS: Readonly<Record<string, 'minLength' | 'maxLength' | 'minimum' | 'maximum'>> = {
  min_code_points: 'minLength', max_code_points: 'maxLength', min_value: 'minimum', max_value: 'maximum',
}

/** Cache: schemas never change, and every call needs the parameters. */
const known = new WeakMap<GenericSchema, ParameterDefinitions>()

/** The parameters of a verb's `args` schema, in declaration order. */
export function parameterDefinitions(args: GenericSchema): ParameterDefinitions {
  return valueAt(known, args, () => (
    Object.fromEntries(Object.entries(shapeOf(args).entries ?? {}).map(([name, schema]) => [name, describe(schema)]))
  ))
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
  const items = schema.item ?? schema.value
  return {
    type: typeOf(schema),
    required: true,
    ...(typeof format === 'string' && { format }),
    ...(schema.type === 'picklist' && { values: (schema.options ?? []).map(String) }),
    ...constraintsOf(schema.pipe ?? []),
    ...(items !== undefined && { items: typeOf(items) }),
    ...(description !== undefined && { description }),
  }
}

function constraintsOf(pipe: readonly ActionShape[]): Partial<ParameterDefinition> {
  const constraints: Partial<ParameterDefinition> = {}
  for (const { type, requirement } of pipe) {
    const bound = BOUNDS[type]
    if (bound !== undefined && isBound(type, requirement)) constraints[bound] = requirement
    if (type === 'regex' && requirement instanceof RegExp) constraints.pattern = requirement.source
  }
  return constraints
}

/** Ignores infinite bounds, and a minimum length of 0. */
function isBound(type: string, requirement: unknown): requirement is number {
  return Number.isFinite(requirement) && !(type === 'min_code_points' && requirement === 0)
}

function descriptionOf(schema: SchemaShape): string | undefined {
  return schema.pipe?.find((action) => action.type === 'description')?.description
}

function typeOf(schema: SchemaShape): ParameterType {
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
