import { HermesError, orNothing, type ApprovedPath, type FileStore } from '../../../../0-contracts/src/index.js'
import { sha256 } from '../../../../3-transaction/src/index.js'
import { ObservedFiles } from './observed-files.js'

/** Larger files are compared by size and time instead of by hash, in bytes. */
const MOST_HASHED = 64_000_000

/**
 * Records what a call read and changed when it was tried in memory for the approval question. The real call is held to
 * exactly that: another process may change the files while the user reads.
 */
export class ShownChange {
  /** State of each file when first read. */
  readonly #states = new Map<ApprovedPath, string>()
  readonly #changes = new Set<string>()

  /** The store for the trial: records reads and changes. */
  noting(files: FileStore): FileStore {
    return new ObservedFiles(files, {
      read: (path, bytes) => this.#note(path, stateOf(bytes)),
      beforeChange: ({ paths, key }) => {
        for (const path of paths) this.#note(path, stateIn(files, path))
        this.#changes.add(key)
      },
    })
  }

  /**
   * The store for the real call: files must be as they were in the trial, and no other change is allowed.
   *
   * @throws HermesError `CHANGED_ON_DISK`, also from its methods, where a file has changed already
   */
  holding(files: FileStore): FileStore {
    for (const path of this.#states.keys()) this.#require(path, stateIn(files, path))
    return new ObservedFiles(files, {
      read: (path, bytes) => this.#require(path, stateOf(bytes)),
      beforeChange: (change, hasFailed) => {
        for (const path of change.paths) this.#require(path, stateIn(files, path))
        // A verb that could not go on takes back what it had done.
        if (this.#changes.has(change.key) || (hasFailed && change.takesAway)) return
        throw new HermesError(
          'CHANGED_ON_DISK',
          `${change.path} would be changed in another way than the user was shown: it was left as it is`,
          { hint: 'Something the change is made of was changed meanwhile. Send the block again.' },
        )
      },
    })
  }

  #note(path: ApprovedPath, state: string | undefined): void {
    if (state !== undefined && !this.#states.has(path)) this.#states.set(path, state)
  }

  #require(path: ApprovedPath, state: string | undefined): void {
    const shown = this.#states.get(path)
    if (shown === undefined || state === undefined || shown === state) return
    throw new HermesError(
      'CHANGED_ON_DISK', `${path} was changed by someone else since the user was shown the change: nothing was written`,
      { hint: 'Look at what it holds now, then send the block again, with the change in mind.' },
    )
  }
}

/** A file's content as a comparable string; `undefined` where it is too long to hash. */
function stateOf(bytes: Uint8Array): string | undefined {
  return bytes.length > MOST_HASHED ? undefined : sha256(bytes)
}

function stateIn(files: FileStore, path: ApprovedPath): string {
  const stat = files.lstat(path)
  if (stat === undefined) return 'none'
  if (stat.kind !== 'file') return stat.kind
  const told = `${stat.size} bytes of ${stat.mtimeMs}`
  return stat.size > MOST_HASHED ? told : orNothing(() => sha256(files.peekBytes(path, Infinity)), told)
}
