import { dirname } from 'node:path'
import { linkTarget, writeWhole } from '../../../2-files/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { makeOwnDirectory } from './own-directory.js'
import { MOST_BYTES } from './settings-text.js'

/** Only its owner decides what runs. */
const MODE = 0o600

/**
 * Writes a policy file as a whole or not at all. Its mode stays; a link keeps standing, and its target is replaced.
 * Directories that lead to it are made for its owner alone.
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
  writeWhole(file, text, { mode })
}
