import { lstatSync, readdirSync, readlinkSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { hermesHome } from '../../config/src/index.js'
import { HermesError, isNodeError } from '../../contracts/src/index.js'

/** What hermes keeps below `~/.hermes`, and what each is. */
const OWN: Readonly<Record<string, string>> = {
  'config.yaml': 'settings', '.env': 'keys', sessions: 'conversations', cron: 'scheduled jobs and their output',
  gateway: 'state of the gateway', skills: 'your skills', history: 'what was typed in chats', 'chat-history': 'what was typed in chats',
  runs: 'outputs of commands',
}

export interface UserFile {
  path: string
  what: string
  /** Where a link leads, which stays. */
  link?: string
  /** Of directories: all that is in it. */
  entries?: number
}

/**
 * What `hermes uninstall` would remove, and what else is in the directory, which stays.
 *
 * @throws HermesError `POLICY_DENIED` where the directory itself is a link: what it leads to may be shared
 */
export function userFiles(home: string = hermesHome()): { home: string; own: UserFile[]; others: string[] } {
  const stat = lstatSync(home, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() === true) {
    throw new HermesError('POLICY_DENIED', `${home} is a link to ${readlinkSync(home)}: nothing behind a link is removed`, {
      hint: 'Remove what it leads to yourself, or keep it with --keep-data.',
    })
  }
  if (stat === undefined) return { home, own: [], others: [] }
  const names = readdirSync(home).sort()
  const isOwn = (name: string): boolean => Object.hasOwn(OWN, name) || /^(?:config\.yaml|\.env)\.(?:lock|\d+\.tmp)$/.test(name)
  return {
    home,
    own: names.filter(isOwn).map((name) => described(join(home, name), OWN[name] ?? 'left by a process that ended')),
    others: names.filter((name) => !isOwn(name)).map((name) => join(home, name)),
  }
}

function described(path: string, what: string): UserFile {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return { path, what, link: readlinkSync(path) }
  return stat.isDirectory() ? { path, what, entries: readdirSync(path, { recursive: true }).length } : { path, what }
}

/** Removes them, of a link the link alone; the directory too when nothing is left in it. @throws Node's errors */
export function removeUserFiles({ home, own }: { home: string; own: readonly UserFile[] }): void {
  for (const { path } of own) {
    // What it is by now decides.
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) continue
    if (stat.isDirectory()) rmSync(path, { recursive: true, force: true })
    else unlinkSync(path)
  }
  try {
    rmdirSync(home)
  } catch (error) {
    if (!isNodeError(error) || !['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(error.code)) throw error
  }
}
