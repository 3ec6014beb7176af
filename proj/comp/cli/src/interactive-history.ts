import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeOwn } from '../../atomic-write/src/index.js'
import { hermesHome, withOwnFile } from '../../config/src/index.js'
import { isNodeError } from '../../contracts/src/index.js'
import { createMasker } from '../../secrets/src/index.js'

/** Lines that are kept. */
const MOST = 1000

export interface History {
  /** Newest first. */
  lines: readonly string[]
  add(line: string): void
}

/** `~/.hermes/history`, or where `HERMES_HOME` is. */
export function historyFile(): string {
  return join(hermesHome(), 'history')
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
      tried(() => withOwnFile(file, (descriptor) => appendFileSync(descriptor, `${kept}\n`)), undefined)
    },
  }
}

function readLines(file: string): string[] {
  const text = withOwnFile(file, (descriptor) => readFileSync(descriptor, 'utf8'))
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines.length > 2 * MOST) writeOwn(file, `${lines.slice(-MOST).join('\n')}\n`)
  return lines.slice(-MOST).reverse()
}
