import { appendFileSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation, RunEnd } from './operations.js'
import { LOG_FILE } from './run-journal.js'

/** Removes a last line that was cut off: what it would have said was not done. */
export function mendLog(directory: string): void {
  const file = join(directory, LOG_FILE)
  const log = readFileSync(file)
  const whole = log.lastIndexOf(0x0a) + 1
  if (whole < log.length) truncateSync(file, whole)
}

/** Adds what becomes of a run whose process is gone. */
export function addToLog(directory: string, line: RunEnd | Extract<Operation, { op: 'failed' | 'restoring' }>): void {
  appendFileSync(join(directory, LOG_FILE), `${JSON.stringify(line)}\n`)
}
