import type { DecidingSettings } from './compare/fingerprint.js'

/** Where a result is kept: a line of a file, in bytes. */
export interface KeptPlace {
  file: string
  start: number
  length: number
}

/** What decides whether a result is taken over. */
export interface Kept extends KeptPlace {
  /** What it is called in reports, where it is. */
  name: string | undefined
  settings: DecidingSettings
  drifted: boolean
  unrecorded: boolean
  /** Why it did not come to its end. */
  error: string | undefined
}

/** A result of the same content, and what is against taking it over. */
export interface NearestKept {
  one: Kept
  at: number
  /** Names of settings that are not the same. */
  names: string[]
  why: string | undefined
}

const DRIFTED = 'drifted, and --update rewrites it'
const UNRECORDED = 'unrecorded, and --update adds it'

/** Of results of the same content one that can be taken over, else the one with the fewest differences. */
export function nearestKept(
  kept: readonly Kept[], settings: DecidingSettings, onlySame: boolean,
): NearestKept | undefined {
  const all = kept.map((one, at) => ({ one, at, names: changed(one.settings, settings) }))
    .map((each) => ({ ...each, why: reasonAgainst(each.one, each.names, onlySame) }))
  return all.find(({ why }) => why === undefined) ?? all.sort((a, b) => a.names.length - b.names.length)[0]
}

/** Why a result is not taken over; what did not come to its end may do so now. */
function reasonAgainst(
  { drifted, unrecorded, error }: Kept, names: readonly string[], onlySame: boolean,
): string | undefined {
  if (names.length > 0) return `changed: ${names.join(', ')}`
  if (error !== undefined) return `failed: ${error}`
  return !onlySame ? undefined : drifted ? DRIFTED : unrecorded ? UNRECORDED : undefined
}

/** Names of settings that are not the same. */
function changed(before: DecidingSettings, now: DecidingSettings): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]).sort()
}
