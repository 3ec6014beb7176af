import {
  chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { writeOwn } from '../../../2-files/src/index.js'

/** Larger ones are no command or setting that was there before. */
const MAX_BYTES = 4_000_000

/** What is at a path: of a directory only that it is one. */
export type Entry =
  | { kind: 'absent' | 'directory' | 'other' }
  | { kind: 'link'; target: string }
  | { kind: 'file'; content: Buffer; mode: number }

export function entryAt(path: string): Entry {
  const found = orNothing(() => lstatSync(path), undefined)
  if (!found) return { kind: 'absent' }
  if (found.isSymbolicLink()) return { kind: 'link', target: orNothing(() => readlinkSync(path), '') }
  if (found.isDirectory()) return { kind: 'directory' }
  if (!found.isFile() || found.size > MAX_BYTES) return { kind: 'other' }
  const content = orNothing(() => readFileSync(path), undefined)
  return content === undefined ? { kind: 'other' } : { kind: 'file', content, mode: found.mode & 0o777 }
}

export function isSameEntry(one: Entry, other: Entry): boolean {
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target
  if (one.kind === 'file' && other.kind === 'file') return one.content.equals(other.content) && one.mode === other.mode
  return one.kind === other.kind
}

/**
 * Puts an entry back as it was. What a link led to and is gone is not made again: nothing starts by it.
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

/** A link whose target went with it, such as a removed package's command. */
export function isGoneWithTarget(path: string, was: Entry, now: Entry): boolean {
  return now.kind === 'absent' && (
    was.kind === 'link' ? !existsSync(resolve(dirname(path), was.target)) : !existsSync(dirname(path))
  )
}
