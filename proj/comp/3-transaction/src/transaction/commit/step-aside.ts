import type { PathGate } from '../../../../0-contracts/src/index.js'
import { captureState } from '../../journal/index.js'
import { approveAgain, type Restorer } from '../undo/put-back.js'

/**
 * Clears paths that the run used only temporarily, and that may hold someone else's files now, so that moves can be
 * undone through them. The files are moved, not removed, so that nothing is lost if the undo dies in between.
 *
 * @param paths as stored, without directories
 * @returns puts the files back
 */
export function stepAside(
  paths: readonly string[],
  { root, gate, restorer, runId }: { root: string; gate: PathGate; restorer: Restorer; runId: string },
): () => void {
  const aside = paths.map((stored) => {
    const path = approveAgain(root, gate, stored)
    if (captureState(path).kind === 'absent') return { stored }
    const at = `${stored}.aside-${runId}`
    restorer.move(path, approveAgain(root, gate, at))
    return { stored, at }
  })
  return () => {
    for (const { stored, at } of aside) {
      const path = approveAgain(root, gate, stored)
      if (captureState(path).kind !== 'absent') restorer.restore(path, { kind: 'absent' }, undefined)
      if (at !== undefined) restorer.move(approveAgain(root, gate, at), path)
    }
  }
}
