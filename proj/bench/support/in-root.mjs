import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let base

/**
 * What `act` resolves to with a fresh directory. All of them are removed when the process ends and not before: ext4
 * passes over inodes that were freed in the last minutes one by one, so that whoever makes files after a removal pays
 * for it.
 */
export function inRoot(act) {
  base ??= makeBase()
  return act(mkdtempSync(join(base, 'root-')))
}

function makeBase() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
