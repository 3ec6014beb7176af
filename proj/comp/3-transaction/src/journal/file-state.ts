import { hash, createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, constants, readlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import { diskPath, ifExists, inParent, readWhole } from '../../../2-files/src/index.js'
import type { FileState } from './operations.js'

const CHUNK_BYTES = 1 << 20
/** Most bytes between two turns of the event loop; reading and hashing them takes some tens of milliseconds. */
const TURN_BYTES = 16 * CHUNK_BYTES

/** Stores content in pieces. */
export interface ContentSink {
  /** @returns the offset of the first byte */
  append(bytes: Uint8Array): number
}

/**
 * Captures what is at a path, without following links. A file's content goes to `sink`; without one it is only hashed.
 *
 * @throws Node's errors, except for a path where nothing is; with a sink `POLICY_DENIED` for one behind a link
 */
export function captureState(path: string, sink?: ContentSink): FileState {
  const steps = captureSteps(path, sink)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/**
 * As `captureState`, yielding to the event loop while a large file is read.
 *
 * @param cancel called after each turn; where it throws, reading stops
 * @returns `at` is absent where something else was written to the sink meanwhile
 */
export async function captureInTurns(path: string, sink?: ContentSink, cancel?: () => void): Promise<FileState> {
  const steps = captureSteps(path, sink)
  try {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      await nextTurn()
      cancel?.()
    }
  } finally {
    // Closes the file.
    steps.return({ kind: 'other' })
  }
}

interface OpenedFile {
  fd: number
  mode: number
  size: number
}

function* captureSteps(path: string, sink: ContentSink | undefined): Generator<undefined, FileState, undefined> {
  const place = lookAt(path, sink !== undefined)
  if (!('fd' in place)) return place
  try {
    return { kind: 'file', mode: place.mode, ...yield* readContent(place, sink) }
  } finally {
    closeSync(place.fd)
  }
}

/** @param isForSink what is there is about to be changed */
function lookAt(path: string, isForSink: boolean): FileState | OpenedFile {
  try {
    // If a link replaced its directory, what that leads to must not get into the journal, from where undo would restore
    // it.
    return ifExists(() => inParent(path, 'lstat', openHeld)) ?? { kind: 'absent' }
  } catch (error) {
    // Nothing behind a link belongs to this path. But something that is about to be changed must not count as absent.
    if (!isForSink && error instanceof HermesError && error.code === 'POLICY_DENIED') return { kind: 'absent' }
    throw error
  }
}

function openHeld(path: string): FileState | OpenedFile {
  const stats = lstatSync(diskPath(path), { throwIfNoEntry: false })
  if (stats === undefined) return { kind: 'absent' }
  if (stats.isSymbolicLink()) return { kind: 'link', target: readlinkSync(diskPath(path), 'buffer').toString('base64') }
  if (stats.isDirectory()) return { kind: 'directory', mode: stats.mode & 0o7777 }
  if (!stats.isFile()) return { kind: 'other' }
  const fd = openSync(diskPath(path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  return { fd, mode: stats.mode & 0o7777, size: stats.size }
}

/** The state of a file that is about to get the content `bytes`. */
export function stateOf(bytes: Uint8Array, sink: ContentSink, mode?: number): FileState {
  const at = sink.append(bytes)
  return { kind: 'file', ...(mode !== undefined && { mode }), size: bytes.length, sha256: sha256(bytes), at }
}

export function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/** Whether kind and, for files and links, content are equal; modes are compared where both are known. */
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

function* readContent(
  { fd, size: expectedSize }: OpenedFile, sink: ContentSink | undefined,
): Generator<undefined, { size: number; sha256: string; at?: number }, undefined> {
  const buffer = Buffer.allocUnsafe(Math.min(expectedSize + 1, CHUNK_BYTES))
  let count = readWhole(fd, buffer, null)
  // Most files fit into the buffer, so one hash and one write are enough.
  if (count < buffer.length) {
    const bytes = buffer.subarray(0, count)
    return { size: count, sha256: sha256(bytes), ...(sink && { at: sink.append(bytes) }) }
  }
  const digest = createHash('sha256')
  let at: number | undefined
  let isWhole = true
  let size = 0
  for (; count > 0; count = readWhole(fd, buffer, null)) {
    const bytes = buffer.subarray(0, count)
    digest.update(bytes)
    const offset = sink?.append(bytes)
    at ??= offset
    isWhole &&= at === undefined || offset === at + size
    size += count
    if (size % TURN_BYTES === 0) yield
  }
  return { size, sha256: digest.digest('hex'), ...(at !== undefined && isWhole && { at }) }
}
