import { HermesError } from '../../../../0-contracts/src/index.js'
import { captureState, isSameState, readRun, resolveStored, statesOf, storedAs } from '../../journal/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { createRunId } from '../run-id.js'
import type { Reversal } from './reversal.js'
import { undo, type UndoOptions } from './undo.js'

/** In `left` is what has changed since, or cannot be restored now: another undo continues with it. */
export interface UnitUndone extends Omit<Reversal, 'notes'> {
  /** Paths that are as before, as the journal stores them. */
  restored: string[]
  warnings: string[]
}

type UnitOptions = Omit<UndoOptions, 'runId' | 'target' | 'only' | 'hooks'> & {
  /** Where hooks run for the commit of an undo; called before each. */
  hooks?: () => Promise<UndoOptions['hooks']>
}

/**
 * Undoes several runs as one, the last first. What cannot be undone is reported, and does not affect the rest.
 *
 * @param runIds oldest first
 * @param paths only these, as the journal stores them
 */
export async function undoRuns(
  runIds: readonly string[], { hooks, ...options }: UnitOptions, paths?: ReadonlySet<string>,
): Promise<UnitUndone> {
  const all: UnitUndone = { restored: [], merged: [], left: [], kept: [], warnings: [] }
  for (const target of runIds.toReversed()) {
    try {
      const outcome = await undo({
        ...options, target, runId: createRunId(), hooks: await hooks?.(), ...(paths && { only: paths }),
      })
      all.restored.push(...outcome.restored)
      all.merged.push(...outcome.merged)
      all.left.push(...outcome.left)
      all.kept.push(...outcome.kept)
      const failed = outcome.fatalError === undefined ? [] : [outcome.fatalError]
      all.warnings.push(...outcome.warnings, ...failed)
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      if (error.code === 'NOTHING_TO_UNDO') continue
      all.left.push({ path: `run ${target}`, reason: error.message })
    }
  }
  const last = new Map(all.left.map((pathReason) => [pathReason.path, pathReason]))
  const isLeft = (path: string): boolean => last.has(path)
  return {
    ...all, restored: [...new Set(all.restored)].filter((path) => !isLeft(path)).sort(),
    left: [...last.values()], warnings: [...new Set(all.warnings)],
  }
}

/**
 * Paths, at or below a path, that runs changed and that are not as before them; as the journal stores them.
 *
 * @param path absolute
 */
export async function changedAt(root: string, runIds: readonly string[], path: string): Promise<Set<string>> {
  const stored = storedAs(root, path)
  const isAt = (place: string): boolean => place === stored || place.startsWith(`${stored}/`) || stored === ''
  const paths = new Set<string>()
  for (const runId of runIds) {
    const run = readRun(root, runId)
    if (!run) continue
    for (const { path: changed, before } of statesOf(run).changed()) {
      if (isAt(changed) && !isSameState(captureState(resolveStored(root, changed)), before)) paths.add(changed)
    }
    for (const place of (await CommandChanges.read(run, createRunId())).paths(root)) if (isAt(place)) paths.add(place)
  }
  return paths
}
