/** @returns the text, a byte order mark kept as U+FEFF; `undefined` where the bytes are not valid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return decode(bytes, false)
}

const SAMPLE_BYTES = 8192

/** True where the first 8 KiB hold a NUL or are not UTF-8: good enough to leave a file out of a search. */
export function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  // A character may be cut at the end of the sample, but not at the end of the file.
  return sample.includes(0) || decode(sample, bytes.length > SAMPLE_BYTES) === undefined
}

function decode(bytes: Uint8Array, mayBeCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: mayBeCut })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
