import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import { hermesHome } from '../hermes-home.js'
import { MOST_BYTES } from '../policy-files.js'

/** Mode of the file: it holds keys. */
export const ENV_FILE_MODE = 0o600
const OPEN_TO_OTHERS = 0o077
const WRITABLE_BY_OTHERS = 0o022

export interface EnvFile {
  path: string
  /** Variables by name; empty where there is no file. */
  values: Record<string, string>
  text: string
  exists: boolean
  /** What was repaired, one line each. */
  warnings: string[]
}

/**
 * Reads the `.env` file of the user's directory. If others can read it, their permission is removed with a warning; if
 * others can change it, or it belongs to somebody else, it is refused, since it decides where keys are sent.
 *
 * @throws HermesError `INVALID_POLICY`
 */
export function readEnvFile(home: string = hermesHome()): EnvFile {
  const path = join(home, '.env')
  const fail = (problem: string, hint: string): never => {
    throw new HermesError('INVALID_POLICY', `${path}: ${problem}`, { hint })
  }
  let file: number
  try {
    // Do not wait for a writer if it is a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      return { path, values: {}, text: '', exists: false, warnings: [] }
    }
    return fail(`cannot be read (${error.code})`, 'Make it a file that you own, with mode 600.')
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) fail('is not a file', 'Remove it; hermes setup makes a new one.')
    if (stat.size > MOST_BYTES) fail(`is larger than ${MOST_BYTES / 1024} KB`, 'It holds a few lines NAME=value.')
    const warnings = closedToOthers(file, path, stat, fail)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    return { path, values: valuesOf(text), text, exists: true, warnings }
  } catch (error) {
    if (error instanceof TypeError) return fail('is not valid UTF-8', 'Save it as UTF-8.')
    throw error
  } finally {
    closeSync(file)
  }
}

/** Parses the text as Node does: comments, `export`, quotes. */
export function valuesOf(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(parseEnv(text))
    .filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function closedToOthers(
  file: number, path: string, { mode, uid }: { mode: number; uid: number },
  fail: (problem: string, hint: string) => never,
): string[] {
  if (process.platform === 'win32') return []
  const own = process.getuid?.()
  if (own !== undefined && uid !== own && own !== 0) {
    fail('belongs to another user', 'Only a file of your own can hold your keys.')
  }
  if ((mode & OPEN_TO_OTHERS) === 0) return []
  if ((mode & WRITABLE_BY_OTHERS) !== 0) {
    fail('can be changed by other users', `Look through it, then chmod 600 ${path}`)
  }
  try {
    fchmodSync(file, ENV_FILE_MODE)
  } catch (error) {
    if (!isNodeError(error)) throw error
    fail(`can be read by other users, and that cannot be changed (${error.code})`, `chmod 600 ${path}`)
  }
  return [`${path} could be read by other users: its mode is 600 now. If this machine has others, get new keys`]
}
