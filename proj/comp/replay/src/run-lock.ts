import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../contracts/src/index.js'
import type { RunWords } from './run-words.js'
import { isGone, processMark } from './process-mark.js'

const FILE = 'lock'
/** So often one of a process that is gone is put away, before it is somebody else who is faster. */
const TRIES = 3

/**
 * Keeps a run's directory for this process: two that wrote there would mix their results. What a process that was
 * killed left behind is put away.
 *
 * @returns what gives it free; the end of the process does, too
 * @throws HermesError `LOCKED`, or Node's codes
 */
export function lockRun(directory: string, words: RunWords): () => void {
  const file = join(directory, FILE)
  for (let left = TRIES; left > 0; left--) {
    if (isMade(file)) {
      const release = (): void => {
        process.off('exit', release)
        rmSync(file, { force: true })
      }
      process.once('exit', release)
      return release
    }
    const mark = orNothing(() => readFileSync(file, 'utf8'), '').trim()
    if (mark === '' || !isGone(mark)) throw locked(directory, file, mark, words)
    // Whoever has put its own there meanwhile keeps it.
    if (orNothing(() => readFileSync(file, 'utf8'), '').trim() === mark) rmSync(file, { force: true })
  }
  throw locked(directory, file, '', words)
}

function isMade(file: string): boolean {
  try {
    const descriptor = openSync(file, 'wx')
    writeSync(descriptor, `${processMark()}\n`)
    closeSync(descriptor)
    return true
  } catch (error) {
    if (isNodeError(error) && error.code === 'EEXIST') return false
    throw error
  }
}

function locked(directory: string, file: string, mark: string, { who, flag }: RunWords): HermesError {
  const pid = /^[^-]+-(\d+)-/.exec(mark)?.[1]
  return new HermesError('LOCKED', `Another ${who} works in the run `
    + `${directory}${pid === undefined ? '' : ` (process ${pid})`}`, {
    hint: `Wait until it has ended, or give another name with ${flag}. If it ran on a host that is gone, `
      + `remove ${file}.`,
  })
}
