/** What texts are read as, and nothing else. */
export const ENCODING = 'utf-8'

/** @returns the text, a byte order mark kept as U+FEFF; `undefined` where the bytes are not valid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(ENCODING, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
