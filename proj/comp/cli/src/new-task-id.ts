import { randomBytes } from 'node:crypto'

/** `2026-11-22-1a2b3c4d`. */
export function newTaskId(): string {
  return `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`
}
