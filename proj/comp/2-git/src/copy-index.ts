import { copyFileSync, statSync, utimesSync } from 'node:fs'
import { unlessCode } from '../../0-contracts/src/index.js'

/**
 * Copies an index, where there is one, with its time: git reads a file anew, though its size and time are as noted,
 * where it was changed no earlier than the index was written. In a copy that looks newer it would miss what was changed
 * in the same second.
 */
export function copyIndex(from: string, to: string): void {
  unlessCode(['ENOENT'], () => {
    // Looked at first: of an index that is replaced meanwhile the time is too early, and git only reads more.
    const seconds = timeOf(from)
    copyFileSync(from, to)
    utimesSync(to, seconds, seconds)
  }, undefined)
}

/** The same for an index that was copied in another way. */
export function keepIndexTime(from: string, to: string): void {
  const seconds = timeOf(from)
  utimesSync(to, seconds, seconds)
}

function timeOf(index: string): number {
  return Math.floor(statSync(index).mtimeMs / 1000)
}
