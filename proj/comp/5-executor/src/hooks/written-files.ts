import { relative, isAbsolute, sep } from 'node:path'
import type { ApprovedPath, FileChange, FileStore } from '../../../0-contracts/src/index.js'

/** A block, as hooks name it. */
export interface Writer {
  blockId: string
  seq: number
}

/** A file that verbs of the run wrote and that is there. */
export interface WrittenFile {
  path: ApprovedPath
  /** From the root; absolute where it is outside of it. */
  shown: string
  writers: Writer[]
}

/** Which files the blocks of a run wrote, and which block each. What commands of blocks changed is not known here. */
export class WrittenFiles {
  readonly #root: string
  readonly #writers = new Map<ApprovedPath, Map<number, Writer>>()

  /** @param root canonical */
  constructor(root: string) {
    this.#root = root
  }

  /** @param writers the block that made the changes; several where they were written together */
  add(changes: readonly FileChange[], writers: readonly Writer[]): void {
    for (const { kind, path, from } of changes) {
      if (kind === 'delete') this.#writers.delete(path)
      if (kind !== 'create' && kind !== 'modify' && kind !== 'move') continue
      const known = this.#writers.get(from ?? path) ?? this.#writers.get(path) ?? new Map<number, Writer>()
      if (from !== undefined) this.#writers.delete(from)
      if (from !== undefined) this.#moveBelow(from, path, writers)
      for (const writer of writers) known.set(writer.seq, writer)
      this.#writers.set(path, known)
    }
  }

  /** Of a directory that was moved: what was written in it before is in the new place now. */
  #moveBelow(from: ApprovedPath, to: ApprovedPath, writers: readonly Writer[]): void {
    for (const [path, known] of this.#writers) {
      if (!path.startsWith(from + sep)) continue
      this.#writers.delete(path)
      for (const writer of writers) known.set(writer.seq, writer)
      // Below a path that was approved, as far as it was before.
      this.#writers.set(`${to}${path.slice(from.length)}` as ApprovedPath, known)
    }
  }

  /** Those that are files now, in the order they were first written. */
  present(files: FileStore): WrittenFile[] {
    return [...this.#writers].filter(([path]) => files.lstat(path)?.kind === 'file')
      .map(([path, writers]) => ({ path, shown: this.#shown(path), writers: [...writers.values()] }))
  }

  #shown(path: ApprovedPath): string {
    const below = relative(this.#root, path)
    return below.startsWith('..') || isAbsolute(below) ? path : below.replaceAll(sep, '/')
  }
}
