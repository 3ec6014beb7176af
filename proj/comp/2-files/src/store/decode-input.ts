import { isUtf8 } from 'node:buffer'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

export interface DecodeOptions {
  /** A byte order mark at the beginning is kept: what is read is to be written again. */
  keepsMark?: boolean
  /** What to do about bytes that are no text. Default: as for an answer of a model. */
  textHint?: string
}

const ANSWER_HINT = "Give the text of a model's answer."

/** The text of an answer's bytes. @param name what messages call it. @throws HermesError for what is no UTF-8 text */
export function decodeInput(bytes: Buffer, name: string, { keepsMark = false, textHint }: DecodeOptions): string {
  requireNoUtf16(bytes, name)
  const nul = bytes.indexOf(0)
  if (nul !== -1) throw binary(name, lineAt(bytes, nul), textHint)
  if (!isUtf8(bytes)) throw notUtf8(name, firstBadLine(bytes), textHint)
  try {
    // A byte order mark is no part of the text.
    return new TextDecoder('utf-8', { ignoreBOM: keepsMark }).decode(bytes)
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof RangeError)) throw error
    throw failure('FILE_TOO_LARGE', `${name} is too large (${bytes.length} bytes)`, 'Split it.')
  }
}

/** @throws HermesError `NOT_TEXT` for bytes that begin as UTF-16 does */
export function requireNoUtf16(bytes: Buffer, name: string): void {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw failure('NOT_TEXT', `${name} is UTF-16`, 'Save it as UTF-8.')
  }
}

export function binary(name: string, line: number, hint = ANSWER_HINT): HermesError {
  return failure('NOT_TEXT', `${name} is binary: a NUL byte in line ${line}`, hint)
}

export function notUtf8(name: string, line: number, hint = 'Save it as UTF-8.'): HermesError {
  return failure('NOT_TEXT', `${name} is not valid UTF-8: line ${line}`, hint)
}

function lineAt(bytes: Buffer, end: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) line++
  return line
}

/** No character of UTF-8 contains the byte of a line feed: so each line can be judged alone. */
function firstBadLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const at = bytes.indexOf(10, start)
    const end = at === -1 ? bytes.length : at
    if (!isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
  return line
}

function failure(code: string, message: string, hint: string): HermesError {
  return new HermesError(code, message, { hint })
}
