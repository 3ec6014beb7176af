import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'

type Environment = Readonly<Record<string, string | undefined>>

/** What of it holds keys, settings and conversations, or says which of its files count. */
const SECRET = [
  '.env', 'config.yaml', 'journal.key', 'made-by-commands.jsonl', 'allowed-directories.jsonl', 'placeholders',
  'sessions', 'cron', 'gateway', 'history', 'chat_history',
]

/**
 * The directory of the user's settings and keys: `~/.hermes`, or what `HERMES_HOME` names.
 *
 * @throws HermesError `INVALID_OPTION` for a relative `HERMES_HOME`: it would be another in each directory
 */
export function hermesHome(env: Environment = process.env): string {
  const named = env['HERMES_HOME']
  if (named === undefined || named === '') return join(homedir(), '.hermes')
  if (isAbsolute(named)) return resolve(named)
  throw new HermesError('INVALID_OPTION', `HERMES_HOME is no absolute path: ${named}`, {
    hint: 'Write the whole path, e.g. HERMES_HOME=/srv/bot/.hermes, or leave it out for ~/.hermes.',
  })
}

/** A path that the user's settings write, with `~/` for the home directory. */
export function inHome(written: string): string {
  return /^~[\\/]/.test(written) ? join(homedir(), written.slice(2)) : written
}

/** Files and directories of the user's that no command and no verb may read, whether they are there or not. */
export function hermesSecrets(home: string = hermesHome()): string[] {
  return SECRET.map(name => join(home, name))
}
