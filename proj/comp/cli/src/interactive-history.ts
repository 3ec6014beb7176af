import { appendFileSync, chmodSync, closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'
import { createMasker } from '../../secrets/src/index.js'

/** Lines that are kept. */
const MOST = 1000

export interface History {
  /** Newest first. */
  lines: readonly string[]
  add(line: string): void
}

/** `~/.hermes/history`. */
export function historyFile(): string {
  return join(homedir(), '.hermes', 'history')
}

/**
 * The lines entered earlier, and the file they are added to: readable for its owner only, with secrets masked. Where it
 * cannot be used nothing is kept.
 *
 * @param onProblem told once, in a sentence
 */
export function openHistory(file: string, onProblem: (sentence: string) => void): History {
  const masker = createMasker(process.env, { shapes: true })
  let isUsable = true
  const tried = <Value>(task: () => Value, nothing: Value): Value => {
    if (!isUsable) return nothing
    try {
      return task()
    } catch (error) {
      if (!isNodeError(error)) throw error
      isUsable = false
      onProblem(`lines are not kept: ${file} cannot be used (${error.code})`)
      return nothing
    }
  }
  const lines = tried(() => readLines(file), [])
  let last = lines[0]
  return {
    lines,
    add(line) {
      const kept = masker.text(line).replace(/[\r\n]/g, ' ').trimEnd()
      if (kept === '' || kept === last) return
      last = kept
      tried(() => appendFileSync(file, `${kept}\n`, { mode: 0o600 }), undefined)
    },
  }
}

function readLines(file: string): string[] {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // A link, or a device, is no history of ours.
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600)
  try {
    if ((fstatSync(descriptor).mode & 0o077) !== 0) fchmodSync(descriptor, 0o600)
    const lines = readFileSync(descriptor, 'utf8').split('\n').filter((line) => line !== '')
    if (lines.length > 2 * MOST) shorten(file, lines.slice(-MOST))
    return lines.slice(-MOST).reverse()
  } finally {
    closeSync(descriptor)
  }
}

function shorten(file: string, lines: readonly string[]): void {
  const temp = `${file}.${process.pid}.tmp`
  writeFileSync(temp, `${lines.join('\n')}\n`, { mode: 0o600 })
  chmodSync(temp, 0o600)
  renameSync(temp, file)
}
