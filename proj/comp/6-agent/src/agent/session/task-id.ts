import { randomBytes } from 'node:crypto'

/** Sorts by time: `20261122-174210-3f9a1c`. */
export function newTaskId(now = new Date()): string {
  const [date = '', time = ''] = now.toISOString().replace(/[-:]|\.\d+Z$/g, '').split('T')
  return `${date}-${time}-${randomBytes(3).toString('hex')}`
}
