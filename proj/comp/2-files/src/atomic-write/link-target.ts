import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { unlessCode } from '../../../0-contracts/src/index.js'

/** Links in a row, as Linux allows them. */
const MOST_LINKS = 40

/** Where a file is, or is to be made: also behind a link whose target is not there. @throws Node's errors */
export function linkTarget(path: string): string {
  let file = path
  for (let links = 0; links < MOST_LINKS; links++) {
    const real = unlessCode(['ENOENT'], () => realpathSync.native(file), undefined)
    if (real !== undefined) return real
    const link = unlessCode(['ENOENT', 'EINVAL'], () => readlinkSync(file), undefined)
    if (link === undefined) return file
    file = resolve(dirname(file), link)
  }
  return file
}
