import { hash, createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, constants, readlinkSync, readSync } from 'node:fs'
import { HermesError } from '../../../0-contracts/src/index.js'
import { diskPath, ifExists, inParent } from '../../../2-files/src/index.js'
import type { FileState } from './operations.js'

const CHUNK_BYTES = 1 << 20

/** Takes a content that is read, piece by piece; returns where it was put. */
export interface ContentSink {
  /** @returns the offset of the first byte */
  append(bytes: Uint8Array): number
}

/**
 * What is at a path, links not followed. The content of a file goes to `sink`; without one it is only hashed.
 *
 * @throws Node's errors but for a path where nothing is; with a sink `POLICY_DENIED` for one behind a link
 */
export function captureState(path: string, sink?: ContentSink): FileState {
  try {
    // What a link in place of its directory leads to must not get into the journal, from where undo would restore it.
    return ifExists(() => inParent(path, 'lstat', (held) => captureHeld(held, sink))) ?? { kind: 'absent' }
  } catch (error) {
    // Behind a link is nothing of this path; but what is about to be changed is not taken for absent.
    if (sink === undefined && error instanceof HermesError && error.code === 'POLICY_DENIED') return { kind: 'absent' }
    throw error
  }
}

function captureHeld(path: string, sink: ContentSink | undefined): FileState {
  const stats = lstatSync(diskPath(path), { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(diskPath(path), 'buffer').toString('base64') }
  if (stats.isDirectory()) return { kind: 'directory', mode: stats.mode & 0o7777 }
  if (!stats.isFile()) return { kind: 'other' }
  return { kind: 'file', mode: stats.mode & 0o7777, ...readContent(path, stats.size, sink) }
}

/** The state of a file that is about to get `bytes`. */
export function stateOf(bytes: Uint8Array, sink: ContentSink, mode?: number): FileState {
  const at = sink.append(bytes)
  return { kind: 'file', ...(mode !== undefined && { mode }), size: bytes.length, sha256: sha256(bytes), at }
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** Same kind and, for files and links, same content; the mode is compared where both are known. */
export function isSameState(left: FileState, right: FileState): boolean {
  if (left.kind === 'file' && right.kind === 'file') {
    return left.size === right.size && left.sha256 === right.sha256 && sameMode(left.mode, right.mode)
  }
  if (left.kind === 'link' && right.kind === 'link') return left.target === right.target
  if (left.kind === 'directory' && right.kind === 'directory') return sameMode(left.mode, right.mode)
  return left.kind === right.kind
}

function sameMode(left: number | undefined, right: number | undefined): boolean {
  return left === undefined || right === undefined || left === right
}

function readContent(
  path: string, expectedSize: number, sink: ContentSink | undefined,
): { size: number; sha256: string; at?: number } {
  const fd = openSync(diskPath(path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const buffer = Buffer.allocUnsafe(Math.min(expectedSize + 1, CHUNK_BYTES))
    let count = fill(fd, buffer)
    // Most files fit: then one hash and one write do.
    if (count < buffer.length) {
      const bytes = buffer.subarray(0, count)
      return { size: count, sha256: sha256(bytes), ...(sink && { at: sink.append(bytes) }) }
    }
    const digest = createHash('sha256')
    let at: number | undefined
    let size = 0
    for (; count > 0; count = fill(fd, buffer)) {
      const bytes = buffer.subarray(0, count)
      digest.update(bytes)
      const offset = sink?.append(bytes)
      at ??= offset
      size += count
    }
    return { size, sha256: digest.digest('hex'), ...(at !== undefined && { at }) }
  } finally {
    closeSync(fd)
  }
}

function fill(fd: number, buffer: Buffer): number {
  let length = 0
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null)
    if (count === 0) break
    length += count
  }
  return length
}
