import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { HermesError } from '../../contracts/src/index.js'
import { linkTarget } from './lock-policy-file.js'
import { makeOwnDirectory } from './own-directory.js'
import { MOST_BYTES } from './policy-files.js'

/** Only its owner decides what runs. */
const MODE = 0o600

/**
 * Writes a policy file: to a temporary file, which is renamed. Its mode stays; a link keeps standing, and its target is
 * replaced. Directories that lead to it are made for its owner alone.
 *
 * @param mode of a new file
 * @throws HermesError `FILE_TOO_LARGE` for more than could be read again; Node's errors
 */
export function replacePolicyFile(path: string, text: string, mode = MODE): void {
  if (Buffer.byteLength(text) > MOST_BYTES) {
    throw new HermesError('FILE_TOO_LARGE', `It would be larger than ${MOST_BYTES / 1024} KB: ${path}`, {
      hint: 'Nothing was written: a policy file of that size is not read.',
    })
  }
  const file = linkTarget(path)
  makeOwnDirectory(dirname(file))
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
