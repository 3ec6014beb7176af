import type { FileOperation, FileState } from './operations.js'

/** The state of a path before a run, as the journal stores it, and after it. */
export interface PathChange {
  path: string
  before: FileState
  after: FileState
}

/** The state of each path before a run first changed it, and the state the run left. Keys are paths as stored. */
export class PathStates {
  readonly #before = new Map<string, FileState>()
  readonly #after = new Map<string, FileState>()
  /** For paths inside a moved directory: where they were before the run. */
  readonly #origins = new Map<string, string>()
  readonly #movedDirectories: { from: string; to: string }[] = []
  readonly #movedFiles: { from: string; to: string }[] = []

  apply(operation: FileOperation): void {
    if (operation.op === 'set') {
      this.#set(operation.path, operation.old, operation.new)
      return
    }
    const { from, to, moved, replaced } = operation
    // Paths inside a moved directory keep their states under the new name.
    const below = [...this.#after].filter(([path]) => path.startsWith(`${from}/`))
    for (const [path, state] of below) {
      this.#set(path, state, ABSENT)
      this.#set(to + path.slice(from.length), ABSENT, state)
    }
    this.#set(from, moved, ABSENT)
    this.#set(to, replaced, moved)
    const moves = moved.kind === 'directory' ? this.#movedDirectories : this.#movedFiles
    moves.push({ from, to })
  }

  /** Paths that the run touched, with their states before and after, in the order first changed. */
  changed(): PathChange[] {
    return [...this.#before].map(([path, before]) => ({ path, before, after: this.#after.get(path) ?? ABSENT }))
  }

  /** Directories that were moved; they have states, but their contents have none. */
  get movedDirectories(): readonly { from: string; to: string }[] {
    return this.#movedDirectories
  }

  get movedFiles(): readonly { from: string; to: string }[] {
    return this.#movedFiles
  }

  /** As `changed`; a path inside a moved directory also appears under its name before the run. */
  changedByName(): PathChange[] {
    return this.changed().flatMap(({ path, before, after }) => {
      const origin = this.#origins.get(path)
      if (origin === undefined) return [{ path, before, after }]
      const now = { path, before: ABSENT, after }
      return this.#before.has(origin) ? [now] : [{ path: origin, before, after: ABSENT }, now]
    })
  }

  #set(path: string, old: FileState, next: FileState): void {
    if (!this.#before.has(path)) {
      this.#before.set(path, old)
      const origin = this.#movedDirectories.reduceRight((name, { from, to }) => (
        name.startsWith(`${to}/`) ? from + name.slice(to.length) : name
      ), path)
      if (origin !== path && old.kind !== 'absent') this.#origins.set(path, origin)
    }
    this.#after.set(path, next)
  }
}

export const ABSENT: FileState = { kind: 'absent' }
