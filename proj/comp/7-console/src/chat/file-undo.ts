import {
  changedAt, fileChanges, undoRuns, unitsOf, type UndoOptions, type UnitUndone,
} from '../../../3-transaction/src/index.js'
import { resolve } from 'node:path'
import type { FileUndo, UndoMode } from './chat-setup.js'

export interface FileUndoOptions extends Pick<UndoOptions, 'root' | 'gate' | 'git' | 'waitMs'> {
  /** Hooks for an undo's commit; called before each. */
  hooks(): Promise<UndoOptions['hooks']>
}

/** The changes of a conversation's runs in its root, and undoing them. */
export function fileUndo({ hooks, ...options }: FileUndoOptions): FileUndo {
  const { root } = options
  const take = (runIds: readonly string[], changed: UndoMode, signal: AbortSignal, paths?: ReadonlySet<string>) => (
    undoRuns(runIds, {
      ...options, force: changed === 'merge', ...(changed !== 'merge' && { changed }), durable: false, signal, hooks,
    }, paths)
  )
  return {
    changes: async (session, units) => fileChanges(root, runsOf(root, session, units)),
    undo: async (session, unit, changed, signal) => take(runsOf(root, session, [unit]), changed, signal),
    async undoFile(session, path, changed, signal) {
      const absolute = resolve(root, path)
      for (const { runIds } of unitsOf(root, session).reverse()) {
        const paths = await changedAt(root, runIds, absolute)
        const undone = paths.size > 0 ? await take(runIds, changed, signal, paths) : undefined
        if (undone && tookOrNamed(undone)) return undone
      }
      return undefined
    },
  }
}

function runsOf(root: string, session: string, units: readonly string[]): string[] {
  return unitsOf(root, session).filter(({ unit }) => units.includes(unit)).flatMap(({ runIds }) => runIds)
}

function tookOrNamed({ restored, merged, left, kept }: UnitUndone): boolean {
  return restored.length + merged.length + left.length + kept.length > 0
}
