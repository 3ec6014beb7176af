export interface KeptOutput {
  bytes(): Buffer
  /** How many pieces came so far. */
  pieces(): number
  /** More came than is kept. */
  overflowed(): boolean
  /** Resolves when that happens. */
  full: Promise<void>
}

/** Collects the start of a stream, at most `limit` bytes. */
export function keepOutput(stream: NodeJS.ReadableStream, limit: number): KeptOutput {
  const chunks: Buffer[] = []
  let room = limit
  let pieces = 0
  let overflowed = false
  const full = new Promise<void>(resolve => {
    stream.on('data', (chunk: Buffer) => {
      pieces++
      if (room > 0) chunks.push(chunk.subarray(0, room))
      if (chunk.length > room) {
        overflowed = true
        resolve()
      }
      room -= Math.min(chunk.length, room)
    })
  })
  // A pipe that broke holds no more.
  stream.on('error', () => undefined)
  return { bytes: () => Buffer.concat(chunks), pieces: () => pieces, overflowed: () => overflowed, full }
}
