import { dirname, isAbsolute } from 'node:path'
import { HermesError, ifPossible, type PathGate } from '../../../../0-contracts/src/index.js'
import {
  captureState, isSameState, resolveStored, statesOf, type FileState, type RunRecord,
} from '../../journal/index.js'
import { listed } from '../../../../0-text/src/index.js'
import { isDenied } from '../../../../2-files/src/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { approveAgain } from './put-back.js'
import { requireRun } from '../run-history.js'
import { beforeCommands, unchangedByCommands } from './take-back.js'

/** A run to undo, compared with the disk. Paths are as the journal stores them. */
export interface ExaminedRun {
  run: RunRecord
  commands: CommandChanges
  /** Paths that are neither as the run left them nor as before it. */
  differing: string[]
  /** Paths that are as before the run already. */
  asBefore: ReadonlySet<string>
  /** Whether any path is not as before. */
  isOpen: boolean
  /** Files that the run left unchanged although it moved others through their paths; they have to stay. */
  detours: string[]
}

export interface Places {
  root: string
  gate: PathGate
  /** Id of the undo. */
  runId: string
}

/**
 * Compares everything several runs changed with the disk, before any of it is undone.
 *
 * @param journals oldest first
 * @returns newest first; a path of several runs is judged by the newest
 * @throws HermesError `POLICY_DENIED` for paths outside the root that are no longer allowed
 */
export async function examineRuns(journals: readonly string[], places: Places): Promise<ExaminedRun[]> {
  const seen = new Set<string>()
  const examined: ExaminedRun[] = []
  for (const journal of journals.toReversed()) {
    const run = await examineRun(requireRun(places.root, journal), places)
    examined.push({ ...run, differing: run.differing.filter((path) => !seen.has(path)) })
    for (const { path } of statesOf(run.run).changed()) seen.add(path)
    for (const path of run.commands.paths(places.root)) seen.add(path)
  }
  return examined
}

async function examineRun(run: RunRecord, { root, gate, runId }: Places): Promise<ExaminedRun> {
  const commands = await CommandChanges.read(run, runId)
  const byCommands = commands.paths(root)
  const states = statesOf(run)
  const changed = states.changed()
  // The journal lacks the contents of a moved directory: if that is gone, it cannot be restored.
  const sources = new Map(states.movedDirectories.map(({ from, to }) => [to, from]))
  requireAllowed(run.begin.runId, changed.map(({ path }) => path), gate)
  const unchanged = await unchangedByCommands(run, commands, root)
  const early = new Set(statesOf({ operations: beforeCommands(run) }).changed().map(({ path }) => path))
  const own = new Set([...changed.map(({ path }) => path), ...byCommands])
  const moved = movedForGood(run, changed)
  const differing: string[] = []
  const asBefore = new Set<string>()
  const detours: string[] = []
  let isOpen = byCommands.size > 0
  for (const { path, before, after: written } of changed) {
    const now = stateNow(root, gate, path)
    const after = commands.withMode(root, path, written, now)
    if (isSameState(before, after) && !byCommands.has(path)) {
      // What the run had there temporarily is gone; but a move is undone through this path.
      if (!moved.has(path)) asBefore.add(path)
      else if (now && now.kind !== 'directory' && before.kind !== 'directory') detours.push(path)
      continue
    }
    isOpen ||= !now || !isSameState(now, before)
    const known = unchanged.get(path)
    if (known) {
      if (now && isSameState(now, early.has(path) ? before : known.state)) asBefore.add(path)
      else if (!now || !isSameState(now, commands.withMode(root, path, known.state, now))) differing.push(path)
      continue
    }
    // Where a command moved it further, the run itself left nothing there.
    const source = commands.hadDirectory('after', root, path) === false ? undefined : sources.get(path)
    if (source !== undefined && now?.kind === 'absent'
      && stateNow(root, gate, source)?.kind !== 'directory') differing.push(path)
    else if (now !== undefined && isSameState(now, before)) {
      // What was moved away first comes back, and is then removed.
      if (now.kind !== 'directory' && (now.kind !== 'absent' || !moved.has(path))) asBefore.add(path)
    } else if (!byCommands.has(path) && (!isAsLeft(now, after) || isBarred(root, path, own))) differing.push(path)
  }
  differing.push(...(await commands.differing(root)).filter((path) => !asBefore.has(path)))
  return { run, commands, differing, asBefore, isOpen, detours }
}

/**
 * The paths of moves, without those that had no effect in the end (a file that was created, moved and removed): undoing
 * such a move would take along what someone else has put there since.
 */
function movedForGood(
  { operations }: RunRecord, changed: ReturnType<ReturnType<typeof statesOf>['changed']>,
): ReadonlySet<string> {
  const moves = operations.filter((operation) => operation.op === 'move')
  const touched = new Map(changed.map(({ path, before, after }) => [path, !isSameState(before, after)]))
  const moved = new Set<string>()
  for (let known = -1; known !== moved.size;) {
    known = moved.size
    for (const { from, to } of moves) {
      if ([from, to].some((path) => moved.has(path) || (touched.get(path) ?? true))) moved.add(from).add(to)
    }
  }
  return moved
}

/** The present state; `undefined` where the gate refuses, since a link may lead elsewhere now. */
export function stateNow(root: string, gate: PathGate, stored: string): FileState | undefined {
  const now = ifPossible(() => captureState(approveAgain(root, gate, stored)), undefined)
  return now ?? (inTheWay(root, stored) === undefined ? undefined : { kind: 'absent' })
}

/** Whether a path cannot be restored, because someone else replaced one of its parent directories. */
function isBarred(root: string, stored: string, own: ReadonlySet<string>): boolean {
  const bar = inTheWay(root, stored)
  return bar !== undefined && !own.has(bar)
}

/** The file or link in the place of a parent directory, as the journal stores it; what was in the directory is gone. */
function inTheWay(root: string, stored: string): string | undefined {
  for (let at = dirname(stored); resolveStored(root, at).length > root.length; at = dirname(at)) {
    const { kind } = captureState(resolveStored(root, at))
    if (kind !== 'absent' && kind !== 'directory') return at
  }
  return undefined
}

/** Whether a path is as the run left it; directories have no content that could be lost. */
export function isAsLeft(now: FileState | undefined, after: FileState): boolean {
  return now !== undefined && (isSameState(now, after) || (isPlace(now) && isPlace(after)))
}

function isPlace({ kind }: FileState): boolean {
  return kind === 'directory' || kind === 'absent'
}

/** Checks absolute stored paths, which are outside the root. */
function requireAllowed(runId: string, stored: readonly string[], gate: PathGate): void {
  const denied = stored.filter((path) => isAbsolute(path) && isDenied(gate, path, 'remove'))
  if (denied.length === 0) return
  const directories = [...new Set(denied.map((path) => dirname(path)))]
  throw new HermesError('POLICY_DENIED', `Run ${runId} changed files outside of the root: ${listed(denied)}`, {
    hint: 'Nothing was changed. Give the same --allow as for the run, '
      + `for example ${directories.slice(0, 3).map((directory) => `--allow ${directory}`).join(' ')}.`,
    data: { paths: denied },
  })
}
