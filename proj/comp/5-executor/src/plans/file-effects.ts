import { lstatSync, readFileSync } from 'node:fs'
import { isNodeError, type HermesEvent } from '../../../0-contracts/src/index.js'
import { sha256 } from './digest.js'
import type { ContentState, PlannedFile } from './plan-schema.js'

/** The state of a path on disk. */
export function stateOnDisk(path: string): ContentState {
  try {
    const stats = lstatSync(path)
    if (stats.isFile()) return sha256(readFileSync(path))
    return stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'link' : 'other'
  } catch (error) {
    if (!isNodeError(error)) throw error
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? 'none' : 'unknown'
  }
}

/** Collects what the blocks of a dry run did to each path. */
export class FileEffects {
  readonly #after = new Map<string, ContentState>()

  event(event: HermesEvent): void {
    if (event.type !== 'block-end') return
    for (const { kind, path, from, after } of event.changes) {
      switch (kind) {
        case 'create':
        case 'modify': this.#after.set(path, after === undefined ? 'unknown' : sha256(after)); break
        case 'delete':
        case 'delete-directory': this.#after.set(path, 'none'); break
        case 'create-directory': this.#after.set(path, 'directory'); break
        case 'move': {
          if (from === undefined) break
          this.#after.set(path, this.#after.get(from) ?? stateOnDisk(from))
          this.#after.set(from, 'none')
        }
      }
    }
  }

  /** The changes, sorted by path; call it while the disk is still unchanged. */
  files(): PlannedFile[] {
    return [...this.#after].map(([path, after]) => ({ path, before: stateOnDisk(path), after }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}
