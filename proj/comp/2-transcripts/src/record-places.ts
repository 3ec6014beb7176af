import { openSync } from 'node:fs'
import { bytesAt, closing } from '../../2-files/src/index.js'
import { bytesOf, peek } from './byte-source.js'
import type { TranscriptFormat } from './transcript-model.js'
import { kindIn } from './read-file.js'
import { fileRecords } from './records.js'

/** Position of a record in a file, counted as in `readTranscriptFile`. */
export interface RecordPlace {
  /** As `Transcript.record`: index among all records of the file, 0-based. */
  record: number
  /** Index among the turns or events of a file that is one conversation; `undefined` for a whole conversation. */
  part: number | undefined
  value: unknown
  /** Raw bytes. */
  bytes: Buffer
  /** Offset in the file. */
  start: number
}

const MARK = [0xef, 0xbb, 0xbf]

/** The readable records of a file, one in memory at a time. */
export async function* recordPlaces(
  path: string, format: TranscriptFormat | undefined, maxBytes: number,
): AsyncGenerator<RecordPlace, void> {
  const { first, all } = await peek(bytesOf(path))
  const mark = markLength(path)
  let record = -1
  let part = 0
  for await (const fileRecord of fileRecords({ path, first, bytes: all }, maxBytes)) {
    record++
    if (!('value' in fileRecord)) continue
    const { value, raw: bytes, start } = fileRecord
    const isWhole = kindIn(value, format)?.isWhole === true
    yield { record, part: isWhole ? undefined : part, value, bytes, start: start + mark }
    if (!isWhole) part++
  }
}

/** Length of a byte order mark, which the reader strips. */
function markLength(path: string): number {
  const bytes = closing(openSync(path, 'r'), (descriptor) => bytesAt(descriptor, 0, MARK.length))
  return MARK.every((byte, index) => bytes[index] === byte) ? MARK.length : 0
}
