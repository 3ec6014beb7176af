import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { nestsDeeper } from '../../0-contracts/src/index.js'
import { jsonOr } from './fields.js'
import { splitJson } from './json-splitter.js'
import { readLines } from './line-reader.js'

/** One JSON value of a file, or the problem at its place. */
export type FileRecord =
  | { line: number; value: unknown; bytes: number; start: number; raw: Buffer }
  | { line: number; code: string; message: string; hint: string }

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
  if (isLineFile(path) || firstLineIsJson(first)) {
    for await (const { line, start, bytes, tooLong } of readLines(all, maxBytes)) {
      if (tooLong !== undefined) yield isTooLong(line, tooLong, maxBytes, 'The line')
      else if (!bytes.every((byte) => SPACE.has(byte))) yield parseBytes({ line, start, bytes }, 'The line')
    }
    return
  }
  for await (const { line, start, bytes, tooLong, isCutOff } of splitJson(all, maxBytes)) {
    if (tooLong !== undefined) yield isTooLong(line, tooLong, maxBytes, 'The record')
    else if (isCutOff) {
      yield {
        line, code: 'INVALID_TRANSCRIPT', message: 'The file ends inside this record',
        hint: 'It was cut off: get the whole file.',
      }
    } else yield parseBytes({ line, start, bytes }, 'The record')
  }
}

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

function parseBytes({ line, start, bytes }: { line: number; start: number; bytes: Buffer }, what: string): FileRecord {
  if (!isUtf8(bytes)) {
    return { line, code: 'NOT_TEXT', message: `${what} is not valid UTF-8`, hint: 'Save the file as UTF-8.' }
  }
  const text = bytes.toString('utf8')
  try {
    const value = JSON.parse(text) as unknown
    return nestsDeeper(value) ? isTooDeep(line, what) : { line, value, bytes: bytes.length, start, raw: bytes }
  } catch (error) {
    if (error instanceof RangeError) return isTooDeep(line, what)
    if (!(error instanceof SyntaxError)) throw error
    const isUtf16 = text.includes('\0')
    if (/\}\r[ \t]*\{/.test(text)) {
      return {
        line, code: 'INVALID_TRANSCRIPT', message: `${what} has carriage returns between its records`,
        hint: 'Save the file with LF or CRLF line ends.',
      }
    }
    return {
      line,
      code: isUtf16 ? 'NOT_TEXT' : 'INVALID_TRANSCRIPT',
      message: isUtf16 ? `${what} holds NUL bytes` : `${what} is no JSON`,
      hint: isUtf16 ? 'Save the file as UTF-8.' : 'A line that was cut off cannot be mended: leave it out.',
    }
  }
}

function isTooDeep(line: number, what: string): FileRecord {
  return { line, code: 'INVALID_TRANSCRIPT', message: `${what} is nested too deeply`, hint: 'Leave it out.' }
}

function isTooLong(line: number, length: number, maxBytes: number, what: string): FileRecord {
  return {
    line, code: 'FILE_TOO_LARGE', message: `${what} has ${length} bytes, more than ${maxBytes}`,
    hint: 'Split the conversation, or leave it out.',
  }
}
