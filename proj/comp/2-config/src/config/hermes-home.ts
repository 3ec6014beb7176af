import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Files in it that hold keys, settings and conversations, or decide which files of it count. */
const SECRET = [
  '.env', 'config.yaml', 'journal.key', 'made-by-commands.jsonl', 'allowed-directories.jsonl', 'placeholders',
  'sessions', 'cron', 'gateway', 'history', 'chat_history',
]

/**
 * The directory of the user's settings and keys: `~/.hermes`, or `HERMES_HOME`.
 *
 * @throws HermesError `INVALID_OPTION` for a relative `HERMES_HOME`, which would differ by working directory
 */
export function hermesHome(env: Environment = process.env): string {
  const named = env['HERMES_HOME']
  if (named === undefined || named === '') return join(homedir(), '.hermes')
  if (isAbsolute(named)) return resolve(named)
  throw new HermesError('INVALID_OPTION', `HERMES_HOME is no absolute path: ${named}`, {
    hint: 'Write the whole path, e.g. HERMES_HOME=/srv/bot/.hermes, or leave it out for ~/.hermes.',
  })
}

/** A path, or line of a file, with `~` for the home directory; for messages. */
export function shownHome(path: string): string {
  const home = homedir()
  return path === home || path.startsWith(join(home, '/')) ? `~${path.slice(home.length)}`.replaceAll('\\', '/') : path
}

/** Name of a user's file in messages: `~/.hermes/config.yaml`, or its place in `HERMES_HOME`. */
export function shownOwnFile(name: string = 'config.yaml'): string {
  return shownHome(join(hermesHome(), name))
}

/** A path in the user's settings, with a leading `~/` expanded. */
export function inHome(written: string): string {
  return /^~[\\/]/.test(written) ? join(homedir(), written.slice(2)) : written
}

/** Files and directories of the user that no command or verb may read, whether they exist or not. */
export function hermesSecrets(home: string = hermesHome()): string[] {
  return SECRET.map(name => join(home, name))
}
