import { randomBytes } from 'node:crypto'

/** A name for a run that sorts by time and is unique on its own: `20261122T034500123Z-1f2e3d`. */
export function createRunId(): string {
  return `${new Date().toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`
}

/** Whether a run was named longer ago. Of what is no such name, nothing is known. */
export function isOlderThan(runId: string, ms: number): boolean {
  const then = new Date(Date.now() - ms).toISOString().replaceAll(/[-:.]/g, '')
  return /^\d{8}T\d{9}Z-/.test(runId) && runId < then
}

let last = 0

/** Now, in ISO 8601, and later than every answer before: runs are put in order by when they began. */
export function nextMoment(): string {
  last = Math.max(Date.now(), last + 1)
  return new Date(last).toISOString()
}
