import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import { closing, readWhole } from '../../../2-files/src/index.js'
import { sha256, stateOf, type ContentSink } from './file-state.js'
import type { FileState } from './operations.js'
import { DATA_FILE } from './run-journal.js'
import { isZeros } from './zeros.js'

export type SavedFile = Extract<FileState, { kind: 'file' }>
/** The content a file is to get: in memory, or if large, copied in pieces from the journal. */
export type Content = Uint8Array | SavedContent

const PIECE_BYTES = 1 << 20
/** Most bytes of a content to hold in memory. */
const MOST_HELD_BYTES = 16 * 1024 * 1024

/**
 * The saved content of a file.
 *
 * @throws HermesError `CHANGED_ON_DISK` when the journal no longer has it
 */
export function readSaved(directory: string, state: SavedFile): Uint8Array {
  const path = join(directory, DATA_FILE)
  const bytes = Buffer.alloc(state.size)
  const { at } = state
  if (at === undefined) throw damaged(path, undefined)
  closing(openSaved(path), (fd) => readWhole(fd, bytes, at))
  if (sha256(bytes) !== state.sha256) throw damaged(path, undefined)
  return bytes
}

/** As `readSaved`, for a file of any size. */
export function savedContent(directory: string, state: SavedFile): Content {
  return state.size <= MOST_HELD_BYTES ? readSaved(directory, state) : new SavedContent(directory, state)
}

/** A content that is read from the journal whenever it is needed. */
export class SavedContent {
  readonly #path: string

  constructor(directory: string, private readonly state: SavedFile) {
    this.#path = join(directory, DATA_FILE)
  }

  /**
   * @param take gets the content in pieces; its result is only valid once this returns
   * @throws HermesError `CHANGED_ON_DISK` when the journal no longer has the content
   */
  each(take: (bytes: Uint8Array) => void): void {
    for (const bytes of this.#pieces()) take(bytes)
  }

  /** As `each`, yielding to the event loop after each piece. */
  async eachInTurns(take: (bytes: Uint8Array) => void): Promise<void> {
    for (const bytes of this.#pieces()) {
      take(bytes)
      await nextTurn()
    }
  }

  * #pieces(): Generator<Uint8Array> {
    const { at, size, sha256: expected } = this.state
    const digest = createHash('sha256')
    if (at === undefined) throw damaged(this.#path, undefined)
    const fd = openSaved(this.#path)
    try {
      const piece = Buffer.allocUnsafe(PIECE_BYTES)
      for (let done = 0, count = 1; done < size && count > 0; done += count) {
        count = readSync(fd, piece, 0, Math.min(piece.length, size - done), at + done)
        const bytes = piece.subarray(0, count)
        digest.update(bytes)
        yield bytes
      }
    } finally {
      closeSync(fd)
    }
    if (digest.digest('hex') !== expected) throw damaged(this.#path, undefined)
  }

  /** Copies it into another journal. */
  saveIn(sink: ContentSink): { size: number; sha256: string; at: number } {
    const { size, sha256: hash } = this.state
    let at: number | undefined
    this.each((bytes) => {
      const offset = sink.append(bytes)
      at ??= offset
    })
    return { size, sha256: hash, at: at ?? sink.append(new Uint8Array()) }
  }

  /**
   * Writes it into a file from its start; in a new file, holes stay holes.
   *
   * @returns number of bytes
   */
  fill(fd: number): number {
    const isNew = fstatSync(fd).size === 0
    let at = 0
    this.each((bytes) => {
      if (!isNew || !isZeros(bytes)) {
        for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, at + done)
      }
      at += bytes.length
    })
    if (isNew) ftruncateSync(fd, at)
    return at
  }
}

/** The state of a file that is about to get a content, which is saved in `journal` first. */
export function saveContent(content: Content, journal: ContentSink, mode: number | undefined): FileState {
  if (!(content instanceof SavedContent)) return stateOf(content, journal, mode)
  return { kind: 'file', ...(mode !== undefined && { mode }), ...content.saveIn(journal) }
}

function openSaved(path: string): number {
  if (!existsSync(path)) throw damaged(path, undefined)
  return openSync(path, constants.O_RDONLY)
}

export function damaged(path: string, cause: unknown): HermesError {
  return new HermesError('CHANGED_ON_DISK', `The journal was changed by someone else: ${path}`, {
    hint: 'What it describes cannot be taken back by hermes; git may have it. '
      + `Remove ${dirname(path)} to go on without it.`,
    cause,
  })
}
