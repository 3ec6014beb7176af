import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isNodeError } from '../../../0-contracts/src/index.js'

/** Links in a row, as Linux allows them. */
const MOST_LINKS = 40

/** Where a file is, or is to be made: also behind a link whose target is not there. @throws Node's errors */
export function linkTarget(path: string): string {
  let file = path
  for (let links = 0; links < MOST_LINKS; links++) {
    try {
      return realpathSync.native(file)
    } catch (error) {
      if (!isNodeError(error) || error.code !== 'ENOENT') throw error
    }
    try {
      file = resolve(dirname(file), readlinkSync(file))
    } catch (error) {
      if (isNodeError(error) && (error.code === 'ENOENT' || error.code === 'EINVAL')) return file
      throw error
    }
  }
  return file
}
