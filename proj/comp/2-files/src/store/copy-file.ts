import { fstatSync } from 'node:fs'
import { fillFrom } from '../atomic-write/index.js'
import type { WriteOutcome } from '../../../0-contracts/src/index.js'
import { closing } from '../descriptors.js'
import { openRegular } from './regular-file.js'
import { replaceBy } from './replace-file.js'

/**
 * Copies a file as it is when this begins: what another program appends meanwhile is not copied.
 *
 * @param mode permission bits of the copy; by default those of `from`
 */
export function copyFile(from: string, to: string, mode?: number): WriteOutcome {
  const { fd, size } = openRegular(from)
  return closing(fd, () => replaceBy(to, fillFrom(fd, size), mode ?? fstatSync(fd).mode & 0o777))
}
