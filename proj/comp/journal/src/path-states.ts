import type { FileOperation, FileState } from './operations.js'

/** What a run found at each path before it changed it first, and what it left there. Keys are paths as stored. */
export class PathStates {
  readonly #before = new Map<string, FileState>()
  readonly #after = new Map<string, FileState>()
  readonly #movedDirectories: { from: string; to: string }[] = []

  apply(operation: FileOperation): void {
    if (operation.op === 'set') {
      this.#set(operation.path, operation.old, operation.new)
      return
    }
    const { from, to, moved, replaced } = operation
    if (moved.kind === 'directory') this.#movedDirectories.push({ from, to })
    // What is below a moved directory has the same states under the new name.
    const below = [...this.#after].filter(([path]) => path.startsWith(`${from}/`))
    for (const [path, state] of below) {
      this.#set(path, state, ABSENT)
      this.#set(to + path.slice(from.length), ABSENT, state)
    }
    this.#set(from, moved, ABSENT)
    this.#set(to, replaced, moved)
  }

  /** Paths that are another than before, with what they were and are, in the order first changed. */
  changed(): { path: string; before: FileState; after: FileState }[] {
    return [...this.#before].map(([path, before]) => ({ path, before, after: this.#after.get(path) ?? ABSENT }))
  }

  /** Only the directories themselves have states, not what is in them. */
  get movedDirectories(): readonly { from: string; to: string }[] {
    return this.#movedDirectories
  }

  #set(path: string, old: FileState, next: FileState): void {
    if (!this.#before.has(path)) this.#before.set(path, old)
    this.#after.set(path, next)
  }
}

const ABSENT: FileState = { kind: 'absent' }
