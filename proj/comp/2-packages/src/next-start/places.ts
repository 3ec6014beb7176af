import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from '../../../2-processes/src/index.js'

/**
 * The directories from which the user may start hermes next, of those that a run may write: the root and the allowed
 * ones, those between them and where hermes was started now, and those that its own package lies in.
 *
 * @param writable canonical
 * @param own the directory of hermes' package
 */
export function nextStartPlaces(writable: readonly string[], own: string | undefined): string[] {
  const starts = [orNothing(() => realpathSync.native(process.cwd()), undefined), own].flatMap(place => place ?? [])
  return [...writable, ...writable.flatMap(base => starts.flatMap(start => between(base, start)))]
}

/** The inner one and those that lead to it, below the base. */
export function between(base: string, inner: string): string[] {
  const places = []
  for (let here = inner; here !== base && isInside(base, here); here = dirname(here)) places.push(here)
  return places
}
