import type { PathGate } from '../../../../0-contracts/src/index.js'
import { captureState } from '../../journal/index.js'
import { approveAgain, type Restorer } from '../undo/put-back.js'

/** What is at a path that a run used only temporarily. */
interface Aside {
  stored: string
  /** Temporary place; absent when nothing was there. */
  at?: string
}

/**
 * Clears paths that the run used only temporarily, and that may hold someone else's files now, so that moves can be
 * undone through them. `return` puts the files back. They are moved, not removed, so that nothing is lost if the undo
 * dies in between.
 */
export class StepAside {
  readonly #places: { root: string; gate: PathGate; restorer: Restorer; runId: string }
  readonly #aside: Aside[]

  /** @param paths as stored, without directories */
  constructor(paths: readonly string[], places: { root: string; gate: PathGate; restorer: Restorer; runId: string }) {
    this.#places = places
    this.#aside = paths.map((stored) => this.#clear(stored))
  }

  return(): void {
    const { root, gate, restorer } = this.#places
    for (const { stored, at } of this.#aside) {
      const path = approveAgain(root, gate, stored)
      if (captureState(path).kind !== 'absent') restorer.restore(path, { kind: 'absent' }, undefined)
      if (at !== undefined) restorer.move(approveAgain(root, gate, at), path)
    }
  }

  #clear(stored: string): Aside {
    const { root, gate, restorer, runId } = this.#places
    const path = approveAgain(root, gate, stored)
    if (captureState(path).kind === 'absent') return { stored }
    const at = `${stored}.aside-${runId}`
    restorer.move(path, approveAgain(root, gate, at))
    return { stored, at }
  }
}
