import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'

/** Only its owner decides what runs. */
const MODE = 0o600

/**
 * Writes a policy file: to a temporary file, which is renamed. Its mode stays; a link keeps standing, and its target is
 * replaced. Directories that lead to it are made for its owner alone.
 *
 * @param mode of a new file
 * @throws Node's errors
 */
export function replacePolicyFile(path: string, text: string, mode = MODE): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = targetOf(path)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    const before = statSync(file, { throwIfNoEntry: false })?.mode
    if (before !== undefined) chmodSync(temporary, before & 0o777)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return file
    throw error
  }
}
