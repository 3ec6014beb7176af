import {
  closeSync, fchmodSync, fchownSync, fstatSync, fsyncSync, openSync, readSync, realpathSync, statSync, writeSync,
  type BigIntStats,
} from 'node:fs'
import { replaceByTemp } from '../../../../2-files/src/index.js'
import { HermesError, isNodeError, orNothing } from '../../../../0-contracts/src/index.js'

/** Bytes of a file, and what comes in their place. */
export interface Splice {
  start: number
  end: number
  text: string
}

const CHUNK_BYTES = 1024 * 1024

/** What a file is, so that it can be told later whether it still is. */
export function lookAt(file: string): BigIntStats {
  return statSync(file, { bigint: true })
}

/**
 * Puts other bytes into a file: written beside it and renamed, with its mode and owner; where it is a link,
 * into what that leads to.
 *
 * @param splices in the order of the file, and apart from one another
 * @param before how it was when the splices were made
 * @throws HermesError `CHANGED_ON_DISK`, or Node's codes; then it is as it was
 */
export function spliceFile(file: string, splices: readonly Splice[], before: BigIntStats): void {
  guarded(file, () => {
    const real = realpathSync.native(file)
    const source = openSync(real, 'r')
    try {
      beside(real, Number(before.mode), (target) => {
        if (process.getuid?.() !== Number(before.uid) || process.getgid?.() !== Number(before.gid)) {
          // Who may not give files away keeps it.
          orNothing(() => fchownSync(target, Number(before.uid), Number(before.gid)), undefined)
        }
        let at = 0
        for (const { start, end, text } of splices) {
          copy(source, target, at, start)
          writeAll(target, Buffer.from(text))
          at = end
        }
        copy(source, target, at, fstatSync(source).size)
      }, () => requireSame(file, before))
    } finally {
      closeSync(source)
    }
  })
}

/** Makes a file that is not there. */
export function createFile(file: string, text: string): void {
  guarded(file, () =>
    beside(file, 0o666 & ~process.umask(), (target) => writeAll(target, Buffer.from(text))))
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
    // Cut off meanwhile: the check behind it tells.
    if (length === 0) return
    writeAll(target, bytes.subarray(0, length))
    at += length
  }
}

function writeAll(target: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(target, bytes, at)
}

function guarded(file: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot rewrite ${file} (${error.code})`, {
      hint: error.code === 'ENOSPC' ? 'The disk is full: make room. The file is as it was.'
        : 'The file is as it was: see that it and its folder may be written.',
      cause: error,
    })
  }
}
