import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { caught, HermesError, nestsDeeper } from '../../0-contracts/src/index.js'
import { jsonOr } from './fields.js'
import { splitJson, type JsonPiece } from './json-splitter.js'
import { readLines, type Line } from './line-reader.js'
import { invalidTranscript } from './transcript-failure.js'

/** One JSON value of a file, or the problem at its place. */
export type FileRecord =
  | { line: number; value: unknown; start: number; raw: Buffer }
  | { line: number; error: HermesError }

/** An open file. */
export interface JsonSource {
  path: string
  bytes: AsyncIterable<Buffer>
  /** The first bytes. */
  first: Buffer
}

export const MARKDOWN_EXTENSIONS = new Set(['.md', '.markdown'])
const LINE_FEED = 10
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Whether a file contains JSON, by its name or its beginning. */
export function looksLikeJson(path: string, first: Buffer): boolean {
  const extension = extname(path).toLowerCase()
  if (isLineFile(path) || extension === '.json' || extension === '.traj') return true
  return !MARKDOWN_EXTENSIONS.has(extension) && ['[', '{'].includes(firstCharacter(first))
}

/**
 * The JSON values of a file: the lines of JSONL, or the elements of an array that is the whole file. Buffers at most
 * `maxBytes` of one; errors only affect their own value.
 */
export async function* fileRecords(
  { path, first, bytes: all }: JsonSource, maxBytes: number,
): AsyncGenerator<FileRecord, void> {
  const isLines = isLineFile(path) || firstLineIsJson(first)
  const pieces: AsyncIterable<Piece> = isLines ? readLines(all, maxBytes) : splitJson(all, maxBytes)
  for await (const piece of pieces) {
    const { line, start, bytes, tooLong } = piece
    if (isLines && tooLong === undefined && bytes.every((byte) => SPACE.has(byte))) continue
    const read = unlessInvalid(() => valueOf(piece, maxBytes, isLines ? 'The line' : 'The record'))
    yield read instanceof HermesError ? { line, error: read } : { line, value: read.value, start, raw: bytes }
  }
}

type Piece = Line & Pick<Partial<JsonPiece>, 'isCutOff'>

function isLineFile(path: string): boolean {
  return ['.jsonl', '.ndjson'].includes(extname(path).toLowerCase())
}

function firstCharacter(first: Buffer): string {
  const at = first.findIndex((byte) => !SPACE.has(byte))
  return at === -1 ? '' : String.fromCharCode(first[at] ?? 0)
}

/** Whether the first line is a complete object followed by more: such a file is JSONL, whatever its name. */
function firstLineIsJson(first: Buffer): boolean {
  const end = first.indexOf(LINE_FEED)
  if (firstCharacter(first) !== '{' || end === -1) return false
  return jsonOr(first.toString('utf8', 0, end)) !== undefined
}

function unlessInvalid(read: () => unknown): { value: unknown } | HermesError {
  return caught(HermesError, () => ({ value: read() }), (error) => error)
}

function valueOf({ bytes, tooLong, isCutOff }: Piece, maxBytes: number, what: string): unknown {
  if (tooLong !== undefined) {
    const hint = 'Split the conversation, or leave it out.'
    throw new HermesError('FILE_TOO_LARGE', `${what} has ${tooLong} bytes, more than ${maxBytes}`, { hint })
  }
  if (isCutOff) throw invalidTranscript('The file ends inside this record', 'It was cut off: get the whole file.')
  if (!isUtf8(bytes)) throw notText(`${what} is not valid UTF-8`)
  const text = bytes.toString('utf8')
  try {
    const value = JSON.parse(text) as unknown
    if (!nestsDeeper(value)) return value
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(text, what)
    if (!(error instanceof RangeError)) throw error
  }
  throw invalidTranscript(`${what} is nested too deeply`, 'Leave it out.')
}

function notJson(text: string, what: string): HermesError {
  if (/\}\r[ \t]*\{/.test(text)) {
    return invalidTranscript(
      `${what} has carriage returns between its records`, 'Save the file with LF or CRLF line ends.',
    )
  }
  if (text.includes('\0')) return notText(`${what} holds NUL bytes`)
  return invalidTranscript(`${what} is no JSON`, 'A line that was cut off cannot be mended: leave it out.')
}

function notText(message: string): HermesError {
  return new HermesError('NOT_TEXT', message, { hint: 'Save the file as UTF-8.' })
}
