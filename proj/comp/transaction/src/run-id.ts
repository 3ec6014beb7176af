import { randomBytes } from 'node:crypto'

/** A name for a run that sorts by time and is unique on its own: `20261122T034500123Z-1f2e3d`. */
export function createRunId(): string {
  const time = new Date().toISOString().replaceAll(/[-:.]/g, '')
  return `${time}-${randomBytes(3).toString('hex')}`
}
