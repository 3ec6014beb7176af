import { createRunId, readHistory, undo, type UndoOptions } from '../../../3-transaction/src/index.js'
import type { FileUndo } from './chat-setup.js'

export interface FileUndoOptions extends Pick<UndoOptions, 'root' | 'gate' | 'git' | 'waitMs'> {
  /** Where the hooks of an undo's commit run; asked for before each. */
  hooks(): Promise<UndoOptions['hooks']>
}

/** Runs of the root, and how they are taken back. */
export function fileUndo({ hooks, ...options }: FileUndoOptions): FileUndo {
  const appliedRuns = (): string[] => readHistory(options.root).applied.map(({ runId }) => runId)
  return {
    mark: async () => appliedRuns().at(-1) ?? '',
    async undoSince(mark, signal) {
      const applied = appliedRuns()
      const since = applied.slice(mark === '' ? 0 : applied.indexOf(mark) + 1)
      const [restored, kept] = [new Set<string>(), new Set<string>()]
      // The run that is named is taken for one that was undone meanwhile: then nothing is known to have come after it.
      const runs = mark === '' || applied.includes(mark) ? since.toReversed() : []
      for (const target of runs) {
        const outcome = await undo({
          ...options, target, runId: createRunId(), force: false, durable: false, signal, hooks: await hooks(),
        })
        for (const path of outcome.restored) restored.add(path)
        for (const { path, reason } of [...outcome.kept, ...outcome.left]) kept.add(`${path}: ${reason}`)
      }
      return { restored: [...restored].sort(), kept: [...kept].sort() }
    },
  }
}
