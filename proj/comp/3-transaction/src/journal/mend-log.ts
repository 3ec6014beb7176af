import { appendFileSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import { closing } from '../../../2-files/src/index.js'
import type { Operation, RunEnd } from './operations.js'
import { journalKey } from './journal-key.js'
import { LineSigner } from './line-macs.js'
import { lastMacIn, wholeLines } from './read-run.js'
import { LOG_FILE } from './run-journal.js'

/** Removes a last line that was cut off: what it would have said was not done. */
export function mendLog(directory: string): void {
  const file = join(directory, LOG_FILE)
  const log = readFileSync(file, 'latin1')
  const whole = wholeLines(log).length
  if (whole < log.length) truncateSync(file, whole)
}

/** Adds what becomes of a run whose process is gone; it survives a loss of power. */
export function addToLog(
  directory: string, line: RunEnd | Extract<Operation, { op: 'failed' | 'restoring' | 'snapshot' }>,
): void {
  closing(openSync(join(directory, LOG_FILE), 'a'), (fd) => {
    const last = lastMacIn(directory)
    // A run that nobody signed is not made one that looks signed.
    const signer = new LineSigner(last === undefined ? undefined : journalKey(), basename(directory), last)
    appendFileSync(fd, `${signer.sign(JSON.stringify(line)).line}\n`)
    fsyncSync(fd)
  })
}
