import { unlessThrown } from '../../../0-contracts/src/index.js'

/** What texts are read as, and nothing else. */
export const ENCODING = 'utf-8'

/** @returns the text, a byte order mark kept as U+FEFF; `undefined` where the bytes are not valid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const decoder = new TextDecoder(ENCODING, { fatal: true, ignoreBOM: true })
  return unlessThrown(TypeError, () => decoder.decode(bytes), undefined)
}
