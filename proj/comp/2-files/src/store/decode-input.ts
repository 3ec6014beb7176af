import { isUtf8 } from 'node:buffer'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'

export interface DecodeOptions {
  /** Keep a byte order mark, for text that will be written again. */
  keepsMark?: boolean
  /** Hint for bytes that are not text. Default: the one for an answer of a model. */
  textHint?: string
}

const ANSWER_HINT = "Give the text of a model's answer."

/**
 * Decodes the bytes of an answer.
 *
 * @param name of the input in messages
 * @throws HermesError for bytes that are not UTF-8 text
 */
export function decodeInput(bytes: Buffer, name: string, { keepsMark = false, textHint }: DecodeOptions): string {
  requireNoUtf16(bytes, name)
  const nul = bytes.indexOf(0)
  if (nul !== -1) throw binary(name, lineAt(bytes, nul), textHint)
  if (!isUtf8(bytes)) throw notUtf8(name, firstBadLine(bytes), textHint)
  try {
    // A byte order mark is not part of the text.
    return new TextDecoder('utf-8', { ignoreBOM: keepsMark }).decode(bytes)
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof RangeError)) throw error
    throw failure('FILE_TOO_LARGE', `${name} is too large (${bytes.length} bytes)`, 'Split it.')
  }
}

/** @throws HermesError `NOT_TEXT` for bytes that begin with a UTF-16 byte order mark */
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

/** No multi-byte character of UTF-8 contains a line feed, so each line can be checked on its own. */
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
