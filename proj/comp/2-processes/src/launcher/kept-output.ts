export interface KeptOutput {
  bytes(): Buffer
  /** Number of pieces so far. */
  pieces(): number
  /** Whether more came than is kept. */
  overflowed(): boolean
  /** Resolves when more comes than is kept. */
  full: Promise<void>
}

/**
 * Collects the start of a stream, at most `limit` bytes.
 *
 * @param take receives the pieces in place of collecting them; returns false to stop
 */
export function keepOutput(
  stream: NodeJS.ReadableStream, limit: number, take?: (piece: Buffer) => boolean,
): KeptOutput {
  const chunks: Buffer[] = []
  let room = limit
  let pieces = 0
  let overflowed = false
  const keep = (chunk: Buffer): boolean => {
    const fits = chunk.length <= room
    if (room > 0) chunks.push(chunk.subarray(0, room))
    room -= Math.min(chunk.length, room)
    return fits
  }
  const full = new Promise<void>(resolve => {
    stream.on('data', (chunk: Buffer) => {
      pieces++
      if ((take ?? keep)(chunk)) return
      overflowed = true
      resolve()
    })
  })
  // A broken pipe just ends.
  stream.on('error', () => undefined)
  return { bytes: () => Buffer.concat(chunks), pieces: () => pieces, overflowed: () => overflowed, full }
}
