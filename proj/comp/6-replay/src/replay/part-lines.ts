import { createReadStream } from 'node:fs'

const LINE_FEED = 10

export interface PartLine {
  text: string
  /** Offset of its first byte. */
  start: number
  /** In bytes, without the line feed. */
  length: number
  /** Whether it ends in a line feed. */
  isWhole: boolean
}

/** The lines of a file, one in memory at a time. */
export async function* readLines(file: string): AsyncGenerator<PartLine, void> {
  let held: Buffer[] = []
  let start = 0
  let length = 0
  const take = (isWhole: boolean): PartLine => {
    const line = { text: Buffer.concat(held).toString('utf8'), start, length, isWhole }
    start += length + (isWhole ? 1 : 0)
    held = []
    length = 0
    return line
  }
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      held.push(chunk.subarray(from, at))
      length += at - from
      yield take(true)
      from = at + 1
    }
    if (from < chunk.length) {
      held.push(chunk.subarray(from))
      length += chunk.length - from
    }
  }
  if (length > 0) yield take(false)
}
