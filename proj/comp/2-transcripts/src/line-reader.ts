/** A line without its line feed; of one that is too long, only its place and length. */
export interface Line {
  /** 1-based line where it begins. */
  line: number
  bytes: Buffer
  /** Offset in the stream where it begins. */
  start: number
  /** Length in bytes if over the limit; `bytes` is empty then. */
  tooLong?: number
}

const LINE_FEED = 10

/** Splits a byte stream into lines. Buffers at most one line; longer ones than `maxBytes` are counted and skipped. */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line, void> {
  let held: Buffer[] = []
  let length = 0
  let line = 1
  let lineStart = 0
  const take = (part: Buffer): void => {
    length += part.length
    if (length <= maxBytes) held.push(part)
    else held = []
  }
  const end = (): Line => {
    const ended: Line = length > maxBytes
      ? { line, start: lineStart, bytes: Buffer.alloc(0), tooLong: length }
      : { line, start: lineStart, bytes: held.length === 1 && held[0] ? held[0] : Buffer.concat(held) }
    held = []
    lineStart += length + 1
    length = 0
    line++
    return ended
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, at))
      yield end()
      start = at + 1
    }
    if (start < chunk.length) take(chunk.subarray(start))
  }
  if (length > 0) yield end()
}
