import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ifPossible, orNothing, parseJson } from '../../../0-contracts/src/index.js'
import { hermesHome } from './hermes-home.js'
import { withOwnFile } from './own-file.js'

/** One JSON string a line: paths of directories outside roots that runs could write to. */
const FILE = 'allowed-directories.jsonl'

/**
 * The `--allow` directories of all previous runs. A root is recognised by its journal, but nothing in these directories
 * shows that a run may have put a program there.
 */
export function allowedBefore(): string[] {
  // A home that is named wrong is told by what works with it.
  const text = ifPossible(() => readFileSync(fileOf(), 'utf8'), '')
  return text.split('\n').map(parseJson).filter(path => typeof path === 'string')
}

/** Records directories for later processes; skipped where the user's own directory is not writable. */
export function recordAllowed(directories: readonly string[]): void {
  if (directories.length === 0) return
  const known = new Set(allowedBefore())
  const added = directories.filter(directory => !known.has(directory))
  if (added.length === 0) return
  const text = added.map(directory => `${JSON.stringify(directory)}\n`).join('')
  orNothing(() => withOwnFile(fileOf(), descriptor => appendFileSync(descriptor, text)), undefined)
}

function fileOf(): string {
  return join(hermesHome(), FILE)
}
