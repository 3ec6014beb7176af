import { lstatSync } from 'node:fs'
import { sep } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { captureState, sha256 } from './file-state.js'
import type { FileState } from './operations.js'

/** Longest content that is kept to show what changed, in bytes. */
const MOST_BYTES = 256 * 1024
/** Most of all contents together: the oldest are let go first. */
const MOST_HELD = 16 * 1024 * 1024
/** A file whose times are younger may change again within one tick of them, in milliseconds. */
const YOUNG_MS = 2000

export interface Baseline {
  sha256: string
  /** Absent for long files, and where so much came after it that it was let go. */
  content?: Uint8Array
}

interface Known {
  sha256: string
  /** Of the file that held it, see `stampOf`: while that is the same, nobody reads the file again. */
  stamp: string | undefined
}

/**
 * What the session knows of files: as it last read or wrote them. A write is refused when someone else has changed
 * the file since, for it would undo a change that nobody has seen.
 */
export class Baselines {
  /** By path. */
  readonly #known = new Map<string, Known>()
  /** Read by the block that runs: it does not yet know what it was told before. */
  readonly #read = new Map<string, Known>()
  /** By hash, the oldest first. */
  readonly #contents = new Map<string, Uint8Array>()
  #held = 0

  /** A block begins: what was read so far has been seen. */
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

  /** What is known of a path, or of what is below it, goes with it. */
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

  /** @returns paths that someone else has changed already, for `afterCommand` */
  beforeCommand(): Set<string> {
    this.startBlock()
    return new Set([...this.#known].flatMap(([path, known]) => (isAsKnown(path, known) ? [] : [path])))
  }

  /** What a command changed was asked for; what was changed before it was not. */
  afterCommand(foreign: ReadonlySet<string>): void {
    for (const [path, known] of this.#known) {
      if (foreign.has(path) || isAsKnown(path, known)) continue
      this.noteWritten(path, undefined, stateAt(path))
    }
  }

  /** What the session believes to be in a file that holds something else. Where nothing is left, nothing is lost. */
  outdated(path: string, found: FileState): Baseline | undefined {
    if (found.kind === 'absent') return undefined
    const current = found.kind === 'file' ? found.sha256 : ''
    const known = [this.#known.get(path), this.#read.get(path)].find((one) =>
      one !== undefined && one.sha256 !== current)
    if (!known) return undefined
    const content = this.#contents.get(known.sha256)
    return { sha256: known.sha256, ...(content !== undefined && { content }) }
  }

  /** The model has been told: from now on it knows. */
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

/** Looks at the content only where the times do not tell. */
function isAsKnown(path: string, known: Known): boolean {
  const stamp = stampOf(path)
  if (stamp !== undefined && stamp === known.stamp) return true
  const state = stateAt(path)
  if (state.kind !== 'file' || state.sha256 !== known.sha256) return false
  known.stamp = stamp
  return true
}

/** Where it cannot be read nothing is known of it. */
function stateAt(path: string): FileState {
  return orNothing(() => captureState(path), { kind: 'absent' })
}

/** `undefined` where nothing is, and where the file is so young that its times do not tell all changes apart. */
function stampOf(path: string): string | undefined {
  const stats = orNothing(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }), undefined)
  if (!stats || Date.now() - Number(stats.ctimeMs) < YOUNG_MS || Date.now() - Number(stats.mtimeMs) < YOUNG_MS) {
    return undefined
  }
  return [stats.dev, stats.ino, stats.mode, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}
