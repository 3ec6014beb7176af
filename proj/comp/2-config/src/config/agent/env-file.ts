import { fchmodSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { caught, HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import { hermesHome } from '../hermes-home.js'
import { readSettingsText, type SettingsProblem } from '../settings-text.js'

/** Mode of the file: it holds keys. */
export const ENV_FILE_MODE = 0o600
const OPEN_TO_OTHERS = 0o077
const WRITABLE_BY_OTHERS = 0o022
const HINTS: Readonly<Record<SettingsProblem, string>> = {
  unreadable: 'Make it a file that you own, with mode 600.', kind: 'Remove it; hermes setup makes a new one.',
  size: 'It holds a few lines NAME=value.', encoding: 'Save it as UTF-8.',
}

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
  const { text, seen: warnings } = readSettingsText(path, {
    fail: (problem, which) => fail(problem, HINTS[which]),
    check: (file, stat) => closedToOthers(file, path, stat, fail),
  }) ?? { seen: [] }
  return { path, values: valuesOf(text ?? ''), text: text ?? '', exists: text !== undefined, warnings }
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
  caught(isNodeError, () => fchmodSync(file, ENV_FILE_MODE), ({ code }) => (
    fail(`can be read by other users, and that cannot be changed (${code})`, `chmod 600 ${path}`)
  ))
  return [`${path} could be read by other users: its mode is 600 now. If this machine has others, get new keys`]
}
