import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { realPath } from '../disk-path.js'
import { isInside } from '../policy/index.js'
import { readRegular } from '../store/index.js'

/**
 * @returns the path with its links resolved; as it is, where nothing is there
 * @throws HermesError `POLICY_DENIED` for what lies elsewhere, be it by a link
 */
export function requireInside(path: string, directory: string): string {
  const [inner, outer] = [path, directory].map((place) => orNothing(() => realPath(place), undefined))
  if (inner === undefined || outer === undefined || isInside(outer, inner)) return inner ?? path
  throw new HermesError('POLICY_DENIED', `${path} leads out of ${directory}`, { hint: 'Name it by a flag, if '
    + 'you trust it.' })
}

/**
 * Reads a file with which a folder says how it is replayed: whoever wrote it may name what the folder holds, and
 * nothing else of the machine.
 *
 * @throws HermesError `POLICY_DENIED` for what lies elsewhere, be it by a link, `FILE_TOO_LARGE`, `NOT_TEXT`
 */
export function readInFolder(path: string, folder: string, maxBytes: number): Uint8Array {
  // A link that takes the place of a directory from here on is refused.
  return readRegular(requireInside(path, folder), maxBytes)
}
