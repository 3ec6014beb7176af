import { readHeads } from '../../journal/index.js'
import { readHistory } from '../run-history.js'

/** A unit of which runs are in force, e.g. a message: ids of its runs, oldest first. */
export interface UnitRuns {
  unit: string
  runIds: string[]
}

/** Units of a session: their names begin with it and a slash. */
export function unitName(session: string, message: string): string {
  return `${session}/${message}`
}

/** The session whose unit it is. */
export function sessionOf(unit: string): string {
  return unit.slice(0, unit.lastIndexOf('/'))
}

/**
 * The units of a session with runs in force, wholly or in part, in the order of their first runs.
 *
 * @throws as `readHistory`
 */
export function unitsOf(root: string, session: string): UnitRuns[] {
  const units = new Map(readHeads(root).map(({ runId, begin }) => [runId, begin?.unit]))
  const found = new Map<string, string[]>()
  for (const { runId } of readHistory(root).applied) {
    const unit = units.get(runId)
    if (unit !== undefined && sessionOf(unit) === session) found.set(unit, [...found.get(unit) ?? [], runId])
  }
  return [...found].map(([unit, runIds]) => ({ unit, runIds }))
}
