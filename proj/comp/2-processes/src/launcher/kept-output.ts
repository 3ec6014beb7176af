export interface KeptOutput {
  bytes(): Buffer
  /** How many pieces came so far. */
  pieces(): number
  /** More came than is kept. */
  overflowed(): boolean
  /** Resolves when that happens. */
  full: Promise<void>
}

/**
 * Collects the start of a stream, at most `limit` bytes.
 *
 * @param take gets the pieces instead, and says whether it wants more
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
  // A pipe that broke holds no more.
  stream.on('error', () => undefined)
  return { bytes: () => Buffer.concat(chunks), pieces: () => pieces, overflowed: () => overflowed, full }
}
