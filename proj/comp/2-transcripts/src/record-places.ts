import { openSync, closeSync, readSync } from 'node:fs'
import { bytesOf, peek } from './byte-source.js'
import type { TranscriptFormat } from './transcript-model.js'
import { kindIn } from './read-file.js'
import { fileRecords } from './records.js'

/** Where a record of a file stands, as `readTranscriptFile` counts them. */
export interface RecordPlace {
  /** As `Transcript.record`: among all of the file, from 0. */
  record: number
  /** Its index among the turns or events of a file that is one conversation; `undefined` for a conversation. */
  part: number | undefined
  value: unknown
  /** As it is written. */
  bytes: Buffer
  /** The byte of the file it begins at. */
  start: number
}

const MARK = [0xef, 0xbb, 0xbf]

/** The records of a file that can be read, one in memory at a time. */
export async function* recordPlaces(
  path: string, format: TranscriptFormat | undefined, maxBytes: number,
): AsyncGenerator<RecordPlace, void> {
  const { first, all } = await peek(bytesOf(path))
  const mark = markLength(path)
  let record = -1
  let part = 0
  for await (const found of fileRecords({ path, first, bytes: all }, maxBytes)) {
    record++
    if (!('value' in found)) continue
    const { value, raw: bytes, start } = found
    const isWhole = kindIn(value, format)?.isWhole === true
    yield { record, part: isWhole ? undefined : part, value, bytes, start: start + mark }
    if (!isWhole) part++
  }
}

/** Of a byte order mark, which the reader leaves out. */
function markLength(path: string): number {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MARK.length)
    readSync(descriptor, bytes, 0, MARK.length, 0)
    return MARK.every((byte, index) => bytes[index] === byte) ? MARK.length : 0
  } finally {
    closeSync(descriptor)
  }
}
