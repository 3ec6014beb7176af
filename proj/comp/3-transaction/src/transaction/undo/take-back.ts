import { HermesError } from '../../../../0-contracts/src/index.js'
import {
  captureState, isSameState, statesOf, type FileOperation, type FileState, type Operation, type RunRecord,
} from '../../journal/index.js'
import type { CommandChanges } from '../commands/command-changes.js'
import { approveAgain, fileOperations, isEmptyDirectory, putBack, type PutBackOptions } from './put-back.js'
import { reasonOf } from '../run-refusals.js'

/**
 * Undoes all of a run in reverse: what verbs did after its first command, what commands did as far as known, and what
 * verbs did before.
 *
 * @returns paths that could not be restored, with the reason
 */
export async function takeBack(
  run: RunRecord, commands: CommandChanges, places: PutBackOptions,
): Promise<{ path: string; reason: string }[]> {
  const { before, after } = splitAtCommand(run)
  const byCommands = commands.paths(places.root)
  // Where a command changed the same path, that is undone later, and may leave a directory empty that was not yet.
  const notYet = new Set(putBack(run, after, places).filter(({ path }) => !byCommands.has(path))
    .map(({ path }) => path))
  const left = await commands.putBack(places)
  const again = after.filter((operation) => notYet.has(operation.op === 'set' ? operation.path : operation.to))
  left.push(...putBack(run, again, places))
  const unchanged = await unchangedByCommands(run, commands, places.root)
  const unsettled = [...settleUnchanged(after, unchanged, places), ...removeEmptied(after, commands, places)]
  return [...left.filter(({ path }) => !unchanged.has(path)), ...unsettled, ...putBack(run, before, places)]
}

/** Files that verbs changed after the first command, and that commands on the whole left as before it. */
export async function unchangedByCommands(
  run: RunRecord, commands: CommandChanges, root: string,
): Promise<Map<string, { state: FileState; content?: Uint8Array }>> {
  const states = statesOf({ operations: splitAtCommand(run).after }).changed()
  const files = states.filter((state) => [state.before, state.after].every(({ kind }) => kind !== 'directory'))
  return commands.unchanged(root, files.map(({ path }) => path))
}

/** Handles what a verb found because a command had made it, or made because a command had removed it. */
function settleUnchanged(
  operations: readonly FileOperation[], unchanged: ReadonlyMap<string, { state: FileState; content?: Uint8Array }>,
  { root, gate, restorer, except }: PutBackOptions,
): { path: string; reason: string }[] {
  const left: { path: string; reason: string }[] = []
  for (const [path, { state, content }] of unchanged) {
    // Undoing a move may have put something there all the same.
    if (except.has(path) && !operations.some((one) => one.op === 'move' && (one.from === path || one.to === path))) {
      continue
    }
    try {
      const approved = approveAgain(root, gate, path)
      const now = captureState(approved)
      if (isSameState(now, state)) continue
      if (!ownStates(operations, path).some((candidate) => isSameState(now, candidate))) {
        if (except.has(path)) continue
        throw new HermesError('CHANGED_ON_DISK', 'changed by someone else since')
      }
      restorer.restore(approved, state, content)
    } catch (error) {
      left.push({ path, reason: reasonOf(error) })
    }
  }
  return left
}

/**
 * Removes directories that were restored because verbs had removed them, but that commands had created: what was in
 * them is gone again.
 */
function removeEmptied(
  operations: readonly FileOperation[], commands: CommandChanges, { root, gate, restorer, except }: PutBackOptions,
): { path: string; reason: string }[] {
  const removed = operations.flatMap(
    (step) => (step.op === 'set' && step.old.kind === 'directory' && step.new.kind === 'absent' ? [step.path] : []),
  )
  const left: { path: string; reason: string }[] = []
  for (const path of removed) {
    if (except.has(path) || commands.hadDirectory('before', root, path) !== false) continue
    try {
      const approved = approveAgain(root, gate, path)
      if (isEmptyDirectory(approved)) restorer.restore(approved, { kind: 'absent' }, undefined)
    } catch (error) {
      left.push({ path, reason: reasonOf(error) })
    }
  }
  return left
}

/** All states of a path that a run found or made. */
export function ownStates(operations: readonly Operation[], path: string): FileState[] {
  return operations.flatMap((move): FileState[] => {
    if (move.op === 'set') return move.path === path ? [move.old, move.new] : []
    if (move.op !== 'move') return []
    return [...(move.from === path ? [move.moved] : []), ...(move.to === path ? [move.moved, move.replaced] : [])]
  })
}

/** The operations of verbs before the first command. */
export function beforeCommands(run: RunRecord): FileOperation[] {
  return splitAtCommand(run).before
}

function splitAtCommand({ operations }: RunRecord): { before: FileOperation[]; after: FileOperation[] } {
  const index = operations.findIndex(({ op }) => op === 'command')
  const at = index === -1 ? operations.length : index
  return { before: fileOperations(operations.slice(0, at)), after: fileOperations(operations.slice(at)) }
}
