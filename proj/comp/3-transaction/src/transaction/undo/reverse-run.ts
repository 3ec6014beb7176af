import { isAbsolute } from 'node:path'
import { HermesError, type PathGate } from '../../../../0-contracts/src/index.js'
import { isDenied } from '../../../../2-files/src/index.js'
import {
  captureState, isSameState, savedContent, statesOf, type FileState, type PathChange, type RunRecord,
} from '../../journal/index.js'
import { isAsLeft, stateNow, type ExaminedRun, type Places } from './examine-run.js'
import { mergeBack } from '../commit/merge-back.js'
import { approveAgain, type Restorer } from './put-back.js'
import type { PathReason, Reversal } from './reversal.js'
import { ownStates, takeBack, unchangedByCommands } from './take-back.js'
import { reasonOf } from '../run-refusals.js'

interface ReversePlaces extends Places {
  restorer: Restorer
  force?: boolean
  /** As in `UndoOptions`. */
  changed?: 'leave' | 'keep' | undefined
  only?: ReadonlySet<string> | undefined
}

/** Paths that a run changed, except these. */
export function othersThan(only: ReadonlySet<string>, { run, commands }: ExaminedRun, root: string): string[] {
  const all = [...statesOf(run).changed().map(({ path }) => path), ...commands.paths(root)]
  return [...new Set(all)].filter((path) => !only.has(path))
}

/** Undoes a run, merging what differs. Paths that are as before are skipped. @param reversal gets what came of it */
export async function reverseRun(examined: ExaminedRun, places: ReversePlaces, reversal: Reversal): Promise<void> {
  if (!examined.isOpen) return
  const putAsideBack = stepAside(examined.detours, places)
  try {
    await reverseAll(examined, places, reversal)
  } finally {
    putAsideBack()
  }
}

async function reverseAll(examined: ExaminedRun, places: ReversePlaces, reversal: Reversal): Promise<void> {
  const { run, commands, asBefore, detours } = examined
  const { only, force, changed } = places
  const others = only === undefined ? [] : othersThan(only, examined, places.root)
  const differing = examined.differing.filter((path) => !others.includes(path))
  const except = new Set([...differing, ...asBefore, ...others])
  for (const path of differing) {
    if (force || changed === undefined) await mergeBack(examined, path, { ...places, except }, reversal)
    else reversal[changed === 'leave' ? 'left' : 'kept'].push({ path, reason: 'changed since' })
  }
  const isKept = new Set([...differing, ...detours])
  const states = new Map(statesOf(run).changed().map((pathChange) => [pathChange.path, pathChange]))
  const canSettle = (change: PathChange | undefined): boolean => (
    change !== undefined && isOwnFile(run, change, stateNow(places.root, places.gate, change.path))
  )
  const left = (await takeBack(run, commands, { ...places, except }))
    .filter(({ path }) => !isKept.has(path) && !canSettle(states.get(path)))
  const failed = new Set(left.map(({ path }) => path))
  const unchanged = await unchangedByCommands(run, commands, places.root)
  const skipped = new Set([...except, ...detours, ...failed, ...commands.paths(places.root), ...unchanged.keys()])
  left.push(...settle(run, skipped, places))
  for (const entry of left) {
    if (isMade(states.get(entry.path)) && sourceOf(run, entry.path) === undefined && stateNow(
      places.root, places.gate, entry.path,
    )?.kind === 'directory') {
      reversal.notes.push(`The directory ${entry.path} stays: it holds what the run did not put there`)
    } else if (!states.has(entry.path) && isAbsolute(entry.path) && isDenied(places.gate, entry.path, 'remove')) {
      reversal.kept.push({
        path: entry.path, reason: 'changed by a command outside of the root: give --allow, or put it back by hand',
      })
    } else reversal.left.push(entry)
  }
}

/** Whether a file has no one else's changes, so that it can be restored although single steps cannot be undone. */
function isOwnFile(run: RunRecord, { path, before, after }: PathChange, now: FileState | undefined): boolean {
  if ([before, after].some(({ kind }) => kind === 'directory')) return false
  return now !== undefined
    && (now.kind === 'absent' || ownStates(run.operations, path).some((state) => isSameState(now, state)))
}

function isMade(change: PathChange | undefined): boolean {
  return change?.before.kind === 'absent' && change.after.kind === 'directory'
}

/**
 * Restores each path on its own, where undoing the operations one by one had no effect because another of their paths
 * was restored by hand. Contents of a moved directory moved with it.
 */
function settle(
  run: RunRecord, skipped: ReadonlySet<string>, { root, gate, restorer }: ReversePlaces,
): PathReason[] {
  const states = statesOf(run)
  const moved = states.movedDirectories
  const left: PathReason[] = []
  for (const { path, before, after } of states.changed().toReversed()) {
    if (skipped.has(path) || moved.some(({ from, to }) => path.startsWith(`${from}/`) || path.startsWith(`${to}/`))) {
      continue
    }
    const now = stateNow(root, gate, path)
    const source = sourceOf(run, path)
    if (now?.kind === 'directory' && before.kind === 'absent' && moved.some(({ to }) => path === to)) {
      left.push({ path, reason: `it was ${source}, where something else is now: move that away first` })
      continue
    }
    if (now && isAsLeft(now, before)) continue
    if (source !== undefined && skipped.has(source) && !isSameState(stateNow(root, gate, source) ?? after, after)) {
      left.push({ path, reason: `it was ${source}, where something else is now: move that away first` })
      continue
    }
    try {
      if (!now || !(isAsLeft(now, after) || isOwnFile(run, { path, before, after }, now))) {
        throw new HermesError('CHANGED_ON_DISK', 'changed by someone else since')
      }
      restorer.restore(
        approveAgain(root, gate, path), before,
        before.kind === 'file' ? savedContent(run.directory, before) : undefined,
      )
    } catch (error) {
      left.push({ path, reason: reasonOf(error) })
    }
  }
  return left
}

/** Where the present file at a path was moved from. */
function sourceOf({ operations }: RunRecord, path: string): string | undefined {
  const move = operations.findLast((operation) => operation.op === 'move' && operation.to === path)
  return move?.op === 'move' ? move.from : undefined
}

/**
 * Clears paths that the run used only temporarily, and that may hold someone else's files now, so that moves can be
 * undone through them. The files are moved, not removed, so that nothing is lost if the undo dies in between.
 *
 * @param paths as stored, without directories
 * @returns puts the files back
 */
function stepAside(
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
