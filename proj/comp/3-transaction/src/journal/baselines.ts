import { lstatSync } from 'node:fs'
import { sep } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { captureState, sha256 } from './file-state.js'
import type { FileState } from './operations.js'

/** Largest content kept to show what changed, in bytes. */
const MOST_BYTES = 256 * 1024
/** Most bytes of all kept contents; the oldest are dropped first. */
const MOST_HELD = 16 * 1024 * 1024
/** A file with times younger than this may change again within one clock tick, in milliseconds. */
const YOUNG_MS = 2000

interface Known {
  sha256: string
  /** `stampOf` the file that held it: while it is the same, the file need not be read again. */
  stamp: string | undefined
}

/**
 * What the session last read from or wrote to files. A write is refused if someone else has changed the file since, as
 * it would revert a change that nobody has seen.
 */
export class Baselines {
  /** Known content by path. */
  readonly #known = new Map<string, Known>()
  /** What the current block has read; it counts as seen only when the next block begins. */
  readonly #read = new Map<string, Known>()
  /** Contents by hash, oldest first. */
  readonly #contents = new Map<string, Uint8Array>()
  #held = 0

  /** A new block begins: everything read so far counts as seen. */
  startBlock(): void {
    for (const [path, known] of this.#read) this.#known.set(path, known)
    this.#read.clear()
  }

  noteRead(path: string, content: Uint8Array): void {
    const hash = sha256(content)
    this.#read.set(path, { sha256: hash, stamp: stampOf(path) })
    this.#hold(hash, content)
  }

  noteWritten(path: string, content: Uint8Array | undefined, state: FileState): void {
    this.#read.delete(path)
    if (state.kind !== 'file') {
      this.#known.delete(path)
      return
    }
    this.#known.set(path, { sha256: state.sha256, stamp: undefined })
    if (content !== undefined) this.#hold(state.sha256, content)
  }

  /** Moves what is known of a path, and of paths below it. */
  noteMoved(from: string, to: string, state: FileState): void {
    const known = this.#read.get(from) ?? this.#known.get(from)
    if (known) this.#known.set(to, known)
    else this.noteWritten(to, undefined, state)
    this.forget(from)
    this.#read.delete(to)
    if (state.kind !== 'directory') return
    for (const map of [this.#known, this.#read]) {
      for (const [path, below] of map) {
        if (!path.startsWith(`${from}${sep}`)) continue
        map.set(`${to}${path.slice(from.length)}`, below)
        map.delete(path)
      }
    }
  }

  /**
   * Call it before a command runs.
   *
   * @returns paths that someone else has changed already, for `afterCommand`
   */
  beforeCommand(): Set<string> {
    this.startBlock()
    return new Set([...this.#known].flatMap(([path, known]) => (isAsKnown(path, known) ? [] : [path])))
  }

  /** Accepts what the command changed as known, but not changes from before it. */
  afterCommand(foreign: ReadonlySet<string>): void {
    for (const [path, known] of this.#known) {
      if (foreign.has(path) || isAsKnown(path, known)) continue
      this.noteWritten(path, undefined, stateAt(path))
    }
  }

  /**
   * What the session believes to be in a file that has changed since; `undefined` where it is up to date, unknown, or
   * gone (nothing can be lost then). Of large files, and of those dropped to make room, the content is absent.
   */
  outdated(path: string, fileState: FileState): { sha256: string; content?: Uint8Array } | undefined {
    if (fileState.kind === 'absent') return undefined
    const current = fileState.kind === 'file' ? fileState.sha256 : ''
    const known = [this.#known.get(path), this.#read.get(path)].find((state) =>
      state !== undefined && state.sha256 !== current)
    if (!known) return undefined
    const content = this.#contents.get(known.sha256)
    return { sha256: known.sha256, ...(content !== undefined && { content }) }
  }

  /** The model was told of the change, so the old knowledge is dropped. */
  forget(path: string): void {
    this.#known.delete(path)
    this.#read.delete(path)
  }

  #hold(hash: string, content: Uint8Array): void {
    if (content.length > MOST_BYTES || this.#contents.has(hash)) return
    this.#contents.set(hash, content)
    this.#held += content.length
    for (const [oldest, { length }] of this.#contents) {
      if (this.#held <= MOST_HELD) break
      this.#contents.delete(oldest)
      this.#held -= length
    }
  }
}

/** Compares contents only where the times do not decide. */
function isAsKnown(path: string, known: Known): boolean {
  const stamp = stampOf(path)
  if (stamp !== undefined && stamp === known.stamp) return true
  const state = stateAt(path)
  if (state.kind !== 'file' || state.sha256 !== known.sha256) return false
  known.stamp = stamp
  return true
}

/** A path that cannot be read counts as absent. */
function stateAt(path: string): FileState {
  return orNothing(() => captureState(path), { kind: 'absent' })
}

/**
 * Times and identity of a file; `undefined` where there is none, or it is so young that its times do not reveal every
 * change.
 */
function stampOf(path: string): string | undefined {
  const stats = orNothing(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }), undefined)
  if (!stats || Date.now() - Number(stats.ctimeMs) < YOUNG_MS || Date.now() - Number(stats.mtimeMs) < YOUNG_MS) {
    return undefined
  }
  return [stats.dev, stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}
