import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'

/** Begins the name of every temporary file of hermes; hidden from listings, searches and git, denied by the gate. */
export const TEMP_PREFIX = '.hermes-tmp-'

/** A fresh name beside `path`, on the same device. */
export function tempBeside(path: string): string {
  return join(dirname(path), TEMP_PREFIX + randomUUID())
}
