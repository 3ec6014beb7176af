import { ifPossible } from '../../../0-contracts/src/index.js'
import { decodeUtf8 } from './decode-utf8.js'
import { readRegular } from './regular-file.js'

/** Larger files are changed without `before` and `after`: nobody reads such a diff. */
export const MAX_DIFF_BYTES = 1 << 20

/** The text of a file for a diff; `undefined` where there is none, or it is no text, too large, or not to be read. */
export function diffText(path: string): string | undefined {
  // A file may be replaced without leave to read it; the diff then lacks the old text.
  return ifPossible(() => decodeUtf8(readRegular(path, MAX_DIFF_BYTES)), undefined)
}
