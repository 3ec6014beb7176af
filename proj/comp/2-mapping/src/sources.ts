import type { SourceData } from './mapping-schema.js'
import type { MappingPlace } from './mapping-types.js'

/** The value of a parameter; without one it is left out. */
export type Made = { value: unknown } | { problem: string }

/** Makes a parameter of a verb from the arguments of a call. */
export function valueOf(source: SourceData, args: Record<string, unknown>, place: MappingPlace): Made {
  if (typeof source === 'string') return { value: own(args, source) }
  if (!('from' in source)) return { value: source.value }
  const { from, item, skip, times, plus, unless } = source
  let value = own(args, from) ?? source.default
  if (value === undefined || value === unless) return { value: undefined }
  if (item !== undefined || skip !== undefined) {
    if (!Array.isArray(value)) return { problem: `'${from}' (not a list)` }
    value = item === undefined ? value.slice(skip) : value[item] as unknown
    if (value === undefined) return { problem: `'${from}' (too short a list)` }
    if (value === unless) return { value: undefined }
  }
  if (times !== undefined || plus !== undefined) {
    const number = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
    if (typeof number !== 'number') return { problem: `'${from}' (not a number)` }
    // Times and lines are whole numbers; a limit is never made shorter.
    value = Math.ceil(number * (times ?? 1) + (plus ?? 0))
  }
  if (source.path === true) {
    if (typeof value !== 'string') return { problem: `'${from}' (not a text)` }
    value = place.absolute(value)
  }
  return { value }
}

export function usedBySource(source: SourceData): string[] {
  if (typeof source === 'string') return [source]
  return 'from' in source ? [source.from] : []
}

/** `null` is how some models leave an argument out. */
function own(args: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] ?? undefined : undefined
}
