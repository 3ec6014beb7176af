import {
  chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { writeOwn } from '../../../2-files/src/index.js'

/** Largest entry to remember; larger ones are no command or settings file. */
const MAX_BYTES = 4_000_000

/** What is at a path; for a directory only its existence. */
export type Entry =
  | { kind: 'absent' | 'directory' | 'other' }
  | { kind: 'link'; target: string }
  | { kind: 'file'; content: Buffer; mode: number }

export function entryAt(path: string): Entry {
  const stats = orNothing(() => lstatSync(path), undefined)
  if (!stats) return { kind: 'absent' }
  if (stats.isSymbolicLink()) return { kind: 'link', target: orNothing(() => readlinkSync(path), '') }
  if (stats.isDirectory()) return { kind: 'directory' }
  if (!stats.isFile() || stats.size > MAX_BYTES) return { kind: 'other' }
  const content = orNothing(() => readFileSync(path), undefined)
  return content === undefined ? { kind: 'other' } : { kind: 'file', content, mode: stats.mode & 0o777 }
}

export function isSameEntry(a: Entry, other: Entry): boolean {
  if (a.kind === 'link' && other.kind === 'link') return a.target === other.target
  if (a.kind === 'file' && other.kind === 'file') return a.content.equals(other.content) && a.mode === other.mode
  return a.kind === other.kind
}

/**
 * Restores an entry. A link target that is gone is not restored, since nothing starts through it.
 *
 * @throws Node's errors
 */
export function putEntryBack(path: string, was: Entry): void {
  if (was.kind === 'other') return
  if (was.kind !== 'directory' || entryAt(path).kind !== 'directory') rmSync(path, { recursive: true, force: true })
  if (was.kind === 'absent') return
  mkdirSync(was.kind === 'directory' ? path : dirname(path), { recursive: true })
  if (was.kind === 'directory') return
  if (was.kind === 'link') symlinkSync(was.target, path)
  else if (was.kind === 'file') {
    writeOwn(path, was.content, { mode: was.mode })
    chmodSync(path, was.mode)
  }
}

/** Whether a link is gone together with its target, e.g. the command of a removed package. */
export function isGoneWithTarget(path: string, was: Entry, now: Entry): boolean {
  return now.kind === 'absent' && (
    was.kind === 'link' ? !existsSync(resolve(dirname(path), was.target)) : !existsSync(dirname(path))
  )
}
