import type { DecidingSettings } from './compare/fingerprint.js'

/** Place of a stored result: a line of a file, in bytes. */
export interface KeptPlace {
  file: string
  start: number
  length: number
}

/** What decides whether a result is reused. */
export interface Kept extends KeptPlace {
  /** Its name in reports, if it has one. */
  name: string | undefined
  settings: DecidingSettings
  drifted: boolean
  unrecorded: boolean
  /** Why it did not finish; `undefined` if it did. */
  error: string | undefined
}

/** A result of the same content, and why it is not reused. */
export interface NearestKept {
  kept: Kept
  at: number
  /** Names of settings that differ. */
  names: string[]
  why: string | undefined
}

const DRIFTED = 'drifted, and --update rewrites it'
const UNRECORDED = 'unrecorded, and --update adds it'

/** Of results with the same content, one that can be reused, else the one with the fewest differences. */
export function nearestKept(
  kept: readonly Kept[], settings: DecidingSettings, onlySame: boolean,
): NearestKept | undefined {
  const all = kept.map((result, at) => ({ kept: result, at, names: changed(result.settings, settings) }))
    .map((each) => ({ ...each, why: reasonAgainst(each.kept, each.names, onlySame) }))
  return all.find(({ why }) => why === undefined) ?? all.sort((a, b) => a.names.length - b.names.length)[0]
}

/** Why a result is not reused; one that did not finish may finish now. */
function reasonAgainst(
  { drifted, unrecorded, error }: Kept, names: readonly string[], onlySame: boolean,
): string | undefined {
  if (names.length > 0) return `changed: ${names.join(', ')}`
  if (error !== undefined) return `failed: ${error}`
  return !onlySame ? undefined : drifted ? DRIFTED : unrecorded ? UNRECORDED : undefined
}

/** Names of settings that differ. */
function changed(before: DecidingSettings, now: DecidingSettings): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]).sort()
}
