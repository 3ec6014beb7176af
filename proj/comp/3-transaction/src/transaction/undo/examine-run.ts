import { dirname, isAbsolute } from 'node:path'
import { HermesError, isNodeError, type PathGate } from '../../../../0-contracts/src/index.js'
import {
  captureState, isSameState, resolveStored, statesOf, type FileState, type RunRecord,
} from '../../journal/index.js'
import { listed } from '../../../../0-text/src/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { approveAgain } from './put-back.js'
import { requireRun } from '../run-history.js'
import { beforeCommands, unchangedByCommands } from './take-back.js'

/** A run that is to be taken back, against what is on disk. Paths are as the journal stores them. */
export interface ExaminedRun {
  run: RunRecord
  commands: CommandChanges
  /** Neither as the run left them nor as they were before it. */
  differing: string[]
  /** As they were before it already. */
  asBefore: ReadonlySet<string>
  /** Whether anything is not. */
  isOpen: boolean
  /** Files the run left as they were, having moved others through their paths: they are to stay. */
  detours: string[]
}

export interface Places {
  root: string
  gate: PathGate
  /** Of the run that takes back. */
  runId: string
}

/**
 * Looks at everything several runs changed, before any of it is changed back.
 *
 * @param journals oldest first
 * @returns newest first; a path of several runs is judged by the newest
 * @throws HermesError `POLICY_DENIED` for paths outside of the root that are not allowed now
 */
export async function examineRuns(journals: readonly string[], places: Places): Promise<ExaminedRun[]> {
  const seen = new Set<string>()
  const examined: ExaminedRun[] = []
  for (const journal of journals.toReversed()) {
    const one = await examineRun(requireRun(places.root, journal), places)
    examined.push({ ...one, differing: one.differing.filter((path) => !seen.has(path)) })
    for (const { path } of statesOf(one.run).changed()) seen.add(path)
    for (const path of one.commands.paths(places.root)) seen.add(path)
  }
  return examined
}

async function examineRun(run: RunRecord, { root, gate, runId }: Places): Promise<ExaminedRun> {
  const commands = await CommandChanges.read(run, runId)
  const byCommands = commands.paths(root)
  const states = statesOf(run)
  const changed = states.changed()
  // The journal does not have what was in a moved directory: where that is gone, it cannot be put back.
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
      // What was there only for a while is nobody's any more; a move is taken back through it, though.
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
    // Where a command moved it on, the run itself has left nothing there.
    const source = commands.hadDirectory('after', root, path) === false ? undefined : sources.get(path)
    if (source !== undefined && now?.kind === 'absent'
      && stateNow(root, gate, source)?.kind !== 'directory') differing.push(path)
    else if (now !== undefined && isSameState(now, before)) {
      // What was moved away comes back first, to be removed then.
      if (now.kind !== 'directory' && (now.kind !== 'absent' || !moved.has(path))) asBefore.add(path)
    } else if (!byCommands.has(path) && (!isAsLeft(now, after) || isBarred(root, path, own))) differing.push(path)
  }
  differing.push(...(await commands.differing(root)).filter((path) => !asBefore.has(path)))
  return { run, commands, differing, asBefore, isOpen, detours }
}

/**
 * The paths of moves, but for those by which nothing came anywhere in the end: a file that was made, moved and removed
 * again. Taking such moves back would take along what someone else has put there since.
 */
function movedForGood(
  { operations }: RunRecord, changed: ReturnType<ReturnType<typeof statesOf>['changed']>,
): ReadonlySet<string> {
  const moves = operations.filter((one) => one.op === 'move')
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

/** `undefined` where the gate no longer lets through: a link may lead elsewhere now. */
export function stateNow(root: string, gate: PathGate, stored: string): FileState | undefined {
  try {
    return captureState(approveAgain(root, gate, stored))
  } catch (error) {
    if (error instanceof HermesError || isNodeError(error)) {
      return inTheWay(root, stored) === undefined ? undefined : { kind: 'absent' }
    }
    throw error
  }
}

/** What is to be there cannot be: someone else has put something in the place of a directory above. */
function isBarred(root: string, stored: string, own: ReadonlySet<string>): boolean {
  const bar = inTheWay(root, stored)
  return bar !== undefined && !own.has(bar)
}

/** The file or link that has taken the place of a directory above, as the journal stores it: what was in it is gone. */
function inTheWay(root: string, stored: string): string | undefined {
  for (let at = dirname(stored); resolveStored(root, at).length > root.length; at = dirname(at)) {
    const { kind } = captureState(resolveStored(root, at))
    if (kind !== 'absent' && kind !== 'directory') return at
  }
  return undefined
}

/** A directory that came or went holds nothing of its own that could be lost. */
export function isAsLeft(now: FileState | undefined, after: FileState): boolean {
  return now !== undefined && (isSameState(now, after) || (isPlace(now) && isPlace(after)))
}

function isPlace({ kind }: FileState): boolean {
  return kind === 'directory' || kind === 'absent'
}

/** What is stored as an absolute path is outside of the root. */
function requireAllowed(runId: string, stored: readonly string[], gate: PathGate): void {
  const denied = stored.filter((path) => isAbsolute(path) && isDenied(path, gate))
  if (denied.length === 0) return
  const directories = [...new Set(denied.map((path) => dirname(path)))]
  throw new HermesError('POLICY_DENIED', `Run ${runId} changed files outside of the root: ${listed(denied)}`, {
    hint: 'Nothing was changed. Give the same --allow as for the run, '
      + `for example ${directories.slice(0, 3).map((one) => `--allow ${one}`).join(' ')}.`,
    data: { paths: denied },
  })
}

/** The gate's verdict on a path that the journal has as an absolute one. */
export function isDenied(path: string, gate: PathGate): boolean {
  try {
    gate.approve(path, 'remove')
    return false
  } catch (error) {
    if (error instanceof HermesError) return error.code === 'POLICY_DENIED'
    if (isNodeError(error)) return false
    throw error
  }
}
