import { constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { closing } from '../../../2-files/src/index.js'

/** Largest file of settings. */
export const MOST_BYTES = 64 * 1024

/** What can be wrong with a file of settings. */
export type SettingsProblem = 'unreadable' | 'kind' | 'size' | 'encoding'

interface SettingsReading<Seen> {
  /** For opening it, besides those to read it. */
  flags?: number
  /** @param problem the end of a sentence */
  fail: (problem: string, which: SettingsProblem) => never
  /** Looks at the open file before it is read; throws what `fail` does not say. */
  check: (descriptor: number, stat: Stats) => Seen
}

/** The text of a file of settings, and what `check` saw; `undefined` where there is none. @throws as `fail` */
export function readSettingsText<Seen>(
  path: string, { flags = 0, fail, check }: SettingsReading<Seen>,
): { text: string; seen: Seen } | undefined {
  const unreadable = (error: unknown): never => {
    throw isNodeError(error) ? fail(`cannot be read (${error.code})`, 'unreadable') : error
  }
  let file: number
  try {
    // Do not wait for a writer if it is a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags)
  } catch (error) {
    return isNodeError(error) && ['ENOENT', 'ENOTDIR'].includes(error.code) ? undefined : unreadable(error)
  }
  return closing(file, () => {
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) fail('is not a file', 'kind')
      if (stat.size > MOST_BYTES) fail(`is larger than ${MOST_BYTES / 1024} KB`, 'size')
      const seen = check(file, stat)
      return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)), seen }
    } catch (error) {
      return error instanceof TypeError ? fail('is not valid UTF-8', 'encoding') : unreadable(error)
    }
  })
}
