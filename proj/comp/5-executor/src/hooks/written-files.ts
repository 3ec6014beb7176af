import { relative, isAbsolute, sep } from 'node:path'
import type { ApprovedPath, FileChange, FileStore } from '../../../0-contracts/src/index.js'

/** The block that wrote a file. */
export interface Writer {
  blockId: string
  seq: number
}

/** A file that verbs of the run wrote and that exists. */
export interface WrittenFile {
  path: ApprovedPath
  /** Relative to the root; absolute outside of it. */
  shown: string
  writers: Writer[]
}

/** Collects which files the blocks of a run wrote, and which blocks did. Changes by commands are not included. */
export class WrittenFiles {
  readonly #writers = new Map<ApprovedPath, Map<number, Writer>>()

  /** @param root absolute with links resolved */
  constructor(private readonly root: string) {}

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

  /** For a moved directory: files written in it before are at the new place now. */
  #moveBelow(from: ApprovedPath, to: ApprovedPath, writers: readonly Writer[]): void {
    for (const [path, known] of this.#writers) {
      if (!path.startsWith(from + sep)) continue
      this.#writers.delete(path)
      for (const writer of writers) known.set(writer.seq, writer)
      // As approved as the moved path, below which it lies.
      this.#writers.set(`${to}${path.slice(from.length)}` as ApprovedPath, known)
    }
  }

  /** Those that are files now, in the order of their first write. */
  present(files: FileStore): WrittenFile[] {
    return [...this.#writers].filter(([path]) => files.lstat(path)?.kind === 'file')
      .map(([path, writers]) => ({ path, shown: this.#shown(path), writers: [...writers.values()] }))
  }

  #shown(path: ApprovedPath): string {
    const below = relative(this.root, path)
    return below.startsWith('..') || isAbsolute(below) ? path : below.replaceAll(sep, '/')
  }
}
