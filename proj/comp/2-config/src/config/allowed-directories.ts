import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, isNodeError, parseJson } from '../../../0-contracts/src/index.js'
import { hermesHome } from './hermes-home.js'
import { withOwnFile } from './own-file.js'

/** A path a line, in JSON: the directories besides the root that a run could write. */
const FILE = 'allowed-directories.jsonl'

/**
 * Directories of `--allow` of all runs so far. A root is told by its journal; nothing in these shows that a run could
 * have put a program there.
 */
export function allowedBefore(): string[] {
  return textOf().split('\n').map(parseJson).filter(path => typeof path === 'string')
}

/** Keeps them for later processes. Where the user's own directory takes nothing, nothing is kept. */
export function recordAllowed(directories: readonly string[]): void {
  if (directories.length === 0) return
  const known = new Set(allowedBefore())
  const added = directories.filter(directory => !known.has(directory))
  if (added.length === 0) return
  try {
    const text = added.map(directory => `${JSON.stringify(directory)}\n`).join('')
    withOwnFile(fileOf(), descriptor => appendFileSync(descriptor, text))
  } catch (error) {
    if (!isNodeError(error)) throw error
  }
}

function textOf(): string {
  try {
    return readFileSync(fileOf(), 'utf8')
  } catch (error) {
    // A home that is named wrong is told by what works with it.
    if (isNodeError(error) || error instanceof HermesError) return ''
    throw error
  }
}

function fileOf(): string {
  return join(hermesHome(), FILE)
}
