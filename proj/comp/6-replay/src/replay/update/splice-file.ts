import {
  fchmodSync, fchownSync, fstatSync, fsyncSync, openSync, readSync, realpathSync, statSync, writeFileSync,
  type BigIntStats,
} from 'node:fs'
import { closing, replaceByTemp } from '../../../../2-files/src/index.js'
import { HermesError, orNothing } from '../../../../0-contracts/src/index.js'
import { guardedWrite } from '../guarded-write.js'

/** A range of bytes in a file, and its replacement. */
export interface Splice {
  start: number
  end: number
  text: string
}

const CHUNK_BYTES = 1024 * 1024

/** State of a file, to detect later whether it changed. */
export function lookAt(file: string): BigIntStats {
  return statSync(file, { bigint: true })
}

/**
 * Replaces ranges in a file: writes a new file beside it and renames it, keeping mode and owner; for a link, the file
 * it leads to.
 *
 * @param splices in order, without overlaps
 * @param before state of the file when the splices were made
 * @throws HermesError `CHANGED_ON_DISK`, or Node's codes; then the file is unchanged
 */
export function spliceFile(file: string, splices: readonly Splice[], before: BigIntStats): void {
  guarded(file, () => {
    const real = realpathSync.native(file)
    closing(openSync(real, 'r'), (source) => {
      beside(real, Number(before.mode), (target) => {
        if (process.getuid?.() !== Number(before.uid) || process.getgid?.() !== Number(before.gid)) {
          // Without the right to change owners, the file becomes the user's.
          orNothing(() => fchownSync(target, Number(before.uid), Number(before.gid)), undefined)
        }
        let at = 0
        for (const { start, end, text } of splices) {
          copy(source, target, at, start)
          writeFileSync(target, text)
          at = end
        }
        copy(source, target, at, fstatSync(source).size)
      }, () => requireSame(file, before))
    })
  })
}

/** Creates a new file. */
export function createFile(file: string, text: string): void {
  guarded(file, () =>
    beside(file, 0o666 & ~process.umask(), (target) => writeFileSync(target, text)))
}

/** @throws HermesError `CHANGED_ON_DISK` */
export function requireSame(file: string, before: BigIntStats): void {
  const now = orNothing(() => lookAt(file), undefined)
  if (now?.ino === before.ino && now.dev === before.dev && now.size === before.size && now.mtimeNs === before.mtimeNs) {
    return
  }
  throw changedOnDisk(file)
}

export function changedOnDisk(file: string): HermesError {
  return new HermesError('CHANGED_ON_DISK', `${file} is not as it was read: nothing was put into it`, {
    hint: 'Replay it again with --update.',
  })
}

function beside(file: string, mode: number, write: (target: number) => void, check?: () => void): void {
  replaceByTemp(file, {
    mode: 0o600,
    fill(target) {
      write(target)
      fchmodSync(target, mode & 0o7777)
      fsyncSync(target)
    },
    ...(check && { check }),
  })
}

function copy(source: number, target: number, from: number, to: number): void {
  const bytes = Buffer.alloc(Math.min(CHUNK_BYTES, Math.max(0, to - from)))
  for (let at = from; at < to;) {
    const length = readSync(source, bytes, 0, Math.min(bytes.length, to - at), at)
    // The file was truncated meanwhile; the check after this reports it.
    if (length === 0) return
    writeFileSync(target, bytes.subarray(0, length))
    at += length
  }
}

function guarded(file: string, write: () => void): void {
  guardedWrite({
    what: `Cannot rewrite ${file}`, hint: 'The file is as it was: see that it and its folder may be written.',
    fullHint: 'The disk is full: make room. The file is as it was.',
  }, write)
}
