import { HermesError, orNothing, type ApprovedPath, type FileStore } from '../../../../0-contracts/src/index.js'
import { sha256 } from '../../../../3-transaction/src/index.js'
import { WatchedFiles, type FileCall } from './watched-files.js'

/** Of a larger file size and time tell whether it is another, in bytes. */
const MOST_HASHED = 64_000_000

/**
 * What a call that was tried in memory looked at and changed. The user agreed to just that, so the call itself is held
 * to it: a process may change the files while the user reads.
 */
export class ShownChange {
  /** As first seen. */
  readonly #states = new Map<ApprovedPath, string>()
  readonly #calls = new Set<string>()

  /** The store for the trial. */
  noting(files: FileStore): FileStore {
    return new WatchedFiles(files, {
      read: (path, bytes) => {
        this.#note(path, stateOf(bytes))
      },
      before: ({ paths, key }) => {
        for (const path of paths) this.#note(path, stateIn(files, path))
        this.#calls.add(key)
      },
    })
  }

  /**
   * The store for the call: what was seen has to be as it was, and nothing else may be changed.
   *
   * @throws HermesError `CHANGED_ON_DISK`, as its methods do, where something is another already
   */
  holding(files: FileStore): FileStore {
    for (const path of this.#states.keys()) this.#require(path, stateIn(files, path))
    return new WatchedFiles(files, {
      read: (path, bytes) => {
        this.#require(path, stateOf(bytes))
      },
      before: (call, hasFailed) => {
        for (const path of call.paths) this.#require(path, stateIn(files, path))
        // A verb that could not go on takes back what it had done.
        if (!this.#calls.has(call.key) && !(hasFailed && call.takesAway)) throw notAsShown(call)
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

function notAsShown({ path }: FileCall): HermesError {
  return new HermesError(
    'CHANGED_ON_DISK', `${path} would be changed in another way than the user was shown: it was left as it is`,
    { hint: 'Something the change is made of was changed meanwhile. Send the block again.' },
  )
}

/** `undefined` for a content that is too long to be compared. */
function stateOf(bytes: Uint8Array): string | undefined {
  return bytes.length > MOST_HASHED ? undefined : sha256(bytes)
}

function stateIn(files: FileStore, path: ApprovedPath): string {
  const found = files.lstat(path)
  if (found === undefined) return 'none'
  if (found.kind !== 'file') return found.kind
  const told = `${found.size} bytes of ${found.mtimeMs}`
  return found.size > MOST_HASHED ? told : orNothing(() => sha256(files.peekBytes(path, Infinity)), told)
}
