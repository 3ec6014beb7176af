import { isRecord } from '../../../0-contracts/src/index.js'

/** Keywords dropped because a regular expression from elsewhere could run without end. */
const DROPPED = new Set(['pattern', 'patternProperties', 'format'])
/** Keywords dropped because a looser part inside of them could make them refuse more. */
const TURNING = new Set([
  'not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'unevaluatedProperties', 'unevaluatedItems',
])
/** Keywords whose keys are property names, not keywords. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords that hold values, not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'dependentRequired'])

/**
 * A JSON Schema without the checks that could run without end: it accepts whatever the schema accepts, and maybe more.
 * The server checks its arguments itself.
 */
export function loosened(schema: unknown): unknown {
  return holds(schema, (key) => DROPPED.has(key)) ? loosen(schema) : schema
}

/** Whether a keyword for which `isMeant` is true occurs anywhere in a schema. */
export function holds(schema: unknown, isMeant: (keyword: string) => boolean): boolean {
  if (Array.isArray(schema)) return schema.some((item) => holds(item, isMeant))
  if (!isRecord(schema)) return false
  return Object.entries(schema).some(([key, value]) => isMeant(key) || (!DATA.has(key) && (
    NAMED.has(key) && isRecord(value) ? Object.values(value).some((one) => holds(one, isMeant)) : holds(value, isMeant)
  )))
}

function loosen(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loosen)
  if (!isRecord(schema)) return schema
  // Properties that only the dropped patterns allowed would now be refused.
  const isOpen = schema['patternProperties'] !== undefined
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (DROPPED.has(key) || TURNING.has(key) || (isOpen && key === 'additionalProperties')) return []
    if (DATA.has(key)) return [[key, value]]
    if (NAMED.has(key) && isRecord(value)) {
      return [[key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, loosen(item)]))]]
    }
    return [[key === 'oneOf' ? 'anyOf' : key, loosen(value)]]
  }))
}
