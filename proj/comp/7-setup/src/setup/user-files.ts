import { lstatSync, readdirSync, readlinkSync, realpathSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { TEMP_PREFIX } from '../../../2-files/src/index.js'
import { hermesHome } from '../../../2-config/src/index.js'
import { HermesError, orNothing, unlessCode } from '../../../0-contracts/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'

/** Names of what hermes keeps below `~/.hermes`, with a description. */
const OWN: Readonly<Record<string, string>> = {
  'config.yaml': 'settings', '.env': 'keys', sessions: 'conversations', cron: 'scheduled jobs and their output',
  gateway: 'state of the gateway', skills: 'your skills', history: 'what was typed in chats',
  chat_history: 'what was typed in chats', runs: 'outputs of commands', cache: 'copies of packages',
  'made-by-commands.jsonl': 'repositories and policies that commands made',
  'allowed-directories.jsonl': 'directories that runs could write in',
  'journal.key': 'signs journals: hermes undo takes back nothing without it',
}

/** Names of hermes' own files in directories that are not for the user's files; anything else there stays. */
const HELD: Readonly<Record<string, RegExp>> = {
  sessions: /\.jsonl$|^\.locks$/, cron: /^jobs\.json|^lock(?:\.|$)|^runs$/, gateway: /^seen|^lock(?:\.|$)|^turns$/,
  cache: /^packages$/,
}

export interface UserFile {
  path: string
  what: string
  /** Target of a link; the target itself stays. */
  link?: string
  /** Number of entries of a directory. */
  entries?: number
}

/**
 * What `hermes uninstall` would remove, and what else is in the directory, which stays.
 *
 * @throws HermesError `POLICY_DENIED` where the directory itself is a link (its target may be shared), or contains a
 * home directory
 */
export function userFiles(home: string = hermesHome()): { home: string; own: UserFile[]; others: string[] } {
  const stat = lstatSync(home, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() === true) {
    throw new HermesError(
      'POLICY_DENIED', `${home} is a link to ${readlinkSync(home)}: nothing behind a link is removed`,
      { hint: 'Remove what it leads to yourself, or keep it with --keep-data.' },
    )
  }
  if (stat === undefined) return { home, own: [], others: [] }
  if (holdsHome(home)) {
    throw new HermesError(
      'POLICY_DENIED', `HERMES_HOME is ${home}, where more than files of hermes are: nothing in it is removed`,
      { hint: 'Remove what hermes made there yourself, or keep it with --keep-data.' },
    )
  }
  const names = readdirSync(home).sort()
  const isOwn = (name: string): boolean =>
    Object.hasOwn(OWN, name) || name.startsWith(TEMP_PREFIX)
    || /^(?:config\.yaml|\.env)\.(?:lock(?:\..*)?|\d+\.tmp)$/.test(name)
  return {
    home,
    own: names.filter(isOwn).flatMap((name) => ownIn(home, name)),
    others: names.flatMap((name) => (isOwn(name) ? foreignIn(home, name) : [join(home, name)])),
  }
}

/** The whole directory, or, if it contains other files, each of hermes' own. */
function ownIn(home: string, name: string): UserFile[] {
  const what = OWN[name] ?? 'left by a process that ended'
  const foreign = new Set(foreignIn(home, name))
  const path = join(home, name)
  if (foreign.size === 0) return [described(path, what)]
  return readdirSync(path).sort().map((entry) => join(path, entry)).filter((entry) => !foreign.has(entry))
    .map((entry) => described(entry, what))
}

function foreignIn(home: string, name: string): string[] {
  const held = Object.hasOwn(HELD, name) ? HELD[name] : undefined
  const path = join(home, name)
  if (held === undefined || !lstatSync(path).isDirectory()) return []
  return readdirSync(path).filter((entry) => !held.test(entry)).sort().map((entry) => join(path, entry))
}

/** Whether it is, or contains, a home directory, where names such as `.env` and `skills` belong to other programs. */
function holdsHome(directory: string): boolean {
  const [place, own] = [directory, homedir()].map((path) =>
    orNothing(() => realpathSync(path), path)) as [string, string]
  return place === own || dirname(place) === place || own.startsWith(`${place}${sep}`)
}

function described(path: string, what: string): UserFile {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return { path, what, link: readlinkSync(path) }
  return stat.isDirectory() ? { path, what, entries: readdirSync(path, { recursive: true }).length } : { path, what }
}

/** Removes the files, for a link only the link; also the directory if it is empty then. @throws Node's errors */
export function removeUserFiles({ home, own }: { home: string; own: readonly UserFile[] }): void {
  for (const { path } of own) {
    // Its kind may have changed since the listing.
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) continue
    if (stat.isDirectory()) rmSync(path, { recursive: true, force: true })
    else unlinkSync(path)
  }
  unlessCode(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => rmdirSync(home), undefined)
}

/** A file as a line for people. */
export function describeFile({ path, what, link, entries }: UserFile): string {
  const more = link !== undefined ? `, a link to ${link}: the link alone`
    : entries === undefined ? '' : `, ${plural(entries, 'entry', 'entries')}`
  return `  ${escapeControls(`${path}  (${what}${more})`)}\n`
}
