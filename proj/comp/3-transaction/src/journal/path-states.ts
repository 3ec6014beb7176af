import type { FileOperation, FileState } from './operations.js'

/** What was at a path, as the journal stores it, and what is there now. */
export interface PathChange {
  path: string
  before: FileState
  after: FileState
}

/** What a run found at each path before it changed it first, and what it left there. Keys are paths as stored. */
export class PathStates {
  readonly #before = new Map<string, FileState>()
  readonly #after = new Map<string, FileState>()
  /** Where a path that came along with a moved directory was before the run. */
  readonly #origins = new Map<string, string>()
  readonly #movedDirectories: { from: string; to: string }[] = []
  readonly #movedFiles: { from: string; to: string }[] = []

  apply(operation: FileOperation): void {
    if (operation.op === 'set') {
      this.#set(operation.path, operation.old, operation.new)
      return
    }
    const { from, to, moved, replaced } = operation
    // What is below a moved directory has the same states under the new name.
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

  /** Paths that are another than before, with what they were and are, in the order first changed. */
  changed(): PathChange[] {
    return [...this.#before].map(([path, before]) => ({ path, before, after: this.#after.get(path) ?? ABSENT }))
  }

  /** Only the directories themselves have states, not what is in them. */
  get movedDirectories(): readonly { from: string; to: string }[] {
    return this.#movedDirectories
  }

  get movedFiles(): readonly { from: string; to: string }[] {
    return this.#movedFiles
  }

  /** As `changed`, but what came along with a moved directory is told under the name it had before the run, too. */
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

const ABSENT: FileState = { kind: 'absent' }
