import { readHeads, readRun, statesOf } from '../../journal/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { createRunId } from '../run-id.js'
import { readHistory } from '../run-history.js'
import { addTo } from '../../../../0-text/src/index.js'

/** A unit (e.g. a message) with runs in force: ids of its runs, oldest first. */
export interface UnitRuns {
  unit: string
  runIds: string[]
}

/** Name of a unit: the session's name, a slash, and the message's. */
export function unitName(session: string, message: string): string {
  return `${session}/${message}`
}

/** The session of a unit. */
export function sessionOf(unit: string): string {
  return unit.slice(0, unit.lastIndexOf('/'))
}

/**
 * The units of a session with runs in force, completely or partly, in the order of their first runs.
 *
 * @throws as `readHistory`
 */
export function unitsOf(root: string, session: string): UnitRuns[] {
  return ofSession(root, session, readHistory(root).applied.map(({ runId }) => runId))
}

/**
 * The units of a session with undone runs, with these runs.
 *
 * @throws as `readHistory`
 */
export function unitsTakenBack(root: string, session: string): UnitRuns[] {
  const { undone, over } = readHistory(root)
  return ofSession(root, session, [...over, ...undone.map(({ runId }) => runId)])
}

/** Paths that runs changed, by verbs and commands, as the journal stores them; sorted. */
export async function pathsOf(root: string, runIds: readonly string[]): Promise<string[]> {
  const paths = new Set<string>()
  for (const run of runIds.flatMap((runId) => readRun(root, runId) ?? [])) {
    for (const { path } of statesOf(run).changed()) paths.add(path)
    for (const path of (await CommandChanges.read(run, createRunId())).paths(root)) paths.add(path)
  }
  return [...paths].sort()
}

function ofSession(root: string, session: string, runIds: readonly string[]): UnitRuns[] {
  const units = new Map(readHeads(root).map(({ runId, begin }) => [runId, begin?.unit]))
  const parts = new Map<string, string[]>()
  for (const runId of runIds) {
    const unit = units.get(runId)
    if (unit !== undefined && sessionOf(unit) === session) addTo(parts, unit, runId)
  }
  return [...parts].map(([unit, ids]) => ({ unit, runIds: ids }))
}
