const LEAST_BYTES = 1 << 16
const ZEROS = Buffer.alloc(1 << 20)

/** Whether a piece is so long, and holds so little, that a hole in a file does for it. */
export function isZeros(bytes: Uint8Array): boolean {
  return bytes.length >= LEAST_BYTES && bytes.length <= ZEROS.length && ZEROS.subarray(0, bytes.length).equals(bytes)
}
