import type { JsonSchema } from './json-schema.js'

/** Who writes values: for arguments the caller, for results the verb. */
export type SchemaSide = 'arguments' | 'result'

/** One difference; `breaking`: what was valid before may be invalid now. */
interface SchemaChange {
  /** Place: `path`, `entries[].name`; empty for the whole schema. */
  place: string
  what: string
  breaking: boolean
}

/** Whether more values are allowed than before, fewer, or different ones. */
type Effect = 'looser' | 'tighter' | 'other'

const BOUNDS: readonly (readonly [keyword: string, more: Effect])[] = [
  ['minimum', 'tighter'], ['exclusiveMinimum', 'tighter'], ['minLength', 'tighter'], ['minItems', 'tighter'],
  ['minProperties', 'tighter'],
  ['maximum', 'looser'], ['exclusiveMaximum', 'looser'], ['maxLength', 'looser'], ['maxItems', 'looser'],
  ['maxProperties', 'looser'],
]
/** Keywords compared separately, or that are only text. */
const KNOWN = new Set([
  ...BOUNDS.map(([keyword]) => keyword),
  '$schema', 'title', 'description', 'examples', 'type', 'enum', 'properties', 'required', 'additionalProperties',
  'items', 'default', 'pattern',
])

/**
 * Differences of two JSON Schemas, ignoring text. Arguments may only get looser: breaking are a removed field, a
 * changed type, an optional field made required, a removed enum value, a tighter bound, a changed default or pattern.
 * Results may only get tighter, since callers rely on them.
 */
export function schemaChanges(before: JsonSchema, after: JsonSchema, side: SchemaSide): SchemaChange[] {
  const changes: SchemaChange[] = []
  compare(before, after, '', (place, what, effect) => {
    changes.push({ place, what, breaking: effect !== (side === 'arguments' ? 'looser' : 'tighter') })
  }, side)
  return changes
}

type Report = (place: string, what: string, effect: Effect) => void

function compare(before: JsonSchema, after: JsonSchema, place: string, report: Report, side: SchemaSide): void {
  if (!same(before.type, after.type)) {
    const what = `type changed from ${shown(before.type)} to ${shown(after.type)}`
    report(place, what, typeEffect(before.type, after.type))
    return
  }
  compareEnums(before.enum, after.enum, place, report)
  for (const [keyword, more] of BOUNDS) compareBound(keyword, more, before[keyword], after[keyword], place, report)
  if (before.pattern !== after.pattern) {
    report(place, 'pattern changed', after.pattern === undefined ? 'looser' : 'other')
  }
  if (side === 'arguments' && !same(before.default, after.default)) {
    report(place, `default changed from ${shown(before.default)} to ${shown(after.default)}`, 'other')
  }
  compareFields(before, after, place, report, side)
  if (before.items !== undefined || after.items !== undefined) {
    compare(before.items ?? {}, after.items ?? {}, `${place}[]`, report, side)
  }
  compareOthers(before.additionalProperties, after.additionalProperties, place, report, side)
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!KNOWN.has(keyword) && !same(before[keyword], after[keyword])) report(place, `${keyword} changed`, 'other')
  }
}

function typeEffect(before: unknown, after: unknown): Effect {
  if (before === 'integer' && after === 'number') return 'looser'
  return before === 'number' && after === 'integer' ? 'tighter' : 'other'
}

function compareEnums(before: JsonSchema['enum'], after: JsonSchema['enum'], place: string, report: Report): void {
  if (!before || !after) {
    if (after) report(place, 'limited to certain values', 'tighter')
    if (before) report(place, 'no longer limited to certain values', 'looser')
    return
  }
  for (const value of before) if (!after.includes(value)) report(place, `value ${shown(value)} removed`, 'tighter')
  for (const value of after) if (!before.includes(value)) report(place, `value ${shown(value)} added`, 'looser')
}

function compareBound(
  keyword: string, more: Effect, before: unknown, after: unknown, place: string, report: Report,
): void {
  if (before === after) return
  const less: Effect = more === 'tighter' ? 'looser' : 'tighter'
  const what = `${keyword} changed from ${shown(before)} to ${shown(after)}`
  if (before === undefined || after === undefined) report(place, what, before === undefined ? 'tighter' : 'looser')
  else report(place, what, Number(after) > Number(before) ? more : less)
}

function compareFields(before: JsonSchema, after: JsonSchema, place: string, report: Report, side: SchemaSide): void {
  const old = before.properties ?? {}
  const now = after.properties ?? {}
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const at = place === '' ? name : `${place}.${name}`
    const [was, is] = [own(old, name), own(now, name)]
    const isRequired = after.required?.includes(name) === true
    const wasRequired = before.required?.includes(name) === true
    // A new field of the arguments allows more; one of the result promises more.
    const added: Effect = side === 'result' ? 'tighter' : isRequired ? 'other' : 'looser'
    if (!was) report(at, isRequired ? 'required field added' : 'field added', added)
    else if (!is) report(at, 'field removed', 'other')
    else {
      if (isRequired && !wasRequired) report(at, 'now required', 'tighter')
      if (wasRequired && !isRequired) report(at, 'no longer required', 'looser')
      compare(was, is, at, report, side)
    }
  }
}

/** Compares whether further fields are allowed, which is the default. */
function compareOthers(
  before: JsonSchema['additionalProperties'], after: JsonSchema['additionalProperties'], place: string, report: Report,
  side: SchemaSide,
): void {
  if (same(before, after)) return
  if (typeof before === 'object' && typeof after === 'object') compare(before, after, `${place}.*`, report, side)
  else if (after === false) report(place, 'other fields refused', 'tighter')
  else if (before === false) report(place, 'other fields allowed', 'looser')
  else report(place, 'other fields changed', typeof after === 'object' ? 'tighter' : 'looser')
}

function own(fields: Record<string, JsonSchema>, name: string): JsonSchema | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value)
}
