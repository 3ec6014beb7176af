import type { ErrorCode, ParsedBlock, ParseError } from '../../contracts/src/index.js'
import { SOURCE_LIMIT, type ScanError } from '../../scanner/src/index.js'
import { clip, clipUtf8, countBreaks, escapeControls } from '../../text/src/index.js'

/** One live block, read: either it parsed, or it has errors and never runs. */
export type Reading =
  | { ok: true; block: ParsedBlock }
  | { ok: false; blockId: string | undefined; startLine: number; endLine: number; errors: ParseError[] }

/** Where a block's own text stands, for its errors. */
export interface BlockPlace {
  blockId: string | undefined
  startLine: number
  endLine: number
  source: string
}

export function failed(place: BlockPlace, errors: readonly ScanError[]): Reading {
  const { blockId, startLine, endLine } = place
  const source = clipUtf8(place.source, SOURCE_LIMIT)
  return {
    ok: false,
    blockId,
    startLine,
    endLine,
    errors: errors.map((error) => (
      blockId === undefined ? { startLine, source, error: plain(error) }
        : { blockId, startLine, source, error: plain(error) }
    )),
  }
}

/** Longest message and hint, in UTF-16 units: they quote the text, which may hold anything. */
const MAX_MESSAGE = 500
const MAX_HINT = 2000

/** With texts of bounded length, fit for a line. */
export function plain(error: ScanError): ScanError {
  const message = escapeControls(clip(error.message, MAX_MESSAGE))
  return error.hint === undefined ? { ...error, message }
    : { ...error, message, hint: escapeControls(clip(error.hint, MAX_HINT), true) }
}

/** A wrong place in a piece of text: what a sub-parser found, before it is placed in the whole text. */
export interface Flaw {
  message: string
  /** UTF-16 index into the piece. */
  index: number
  length: number
  hint?: string | undefined
}

/** Places a flaw of `content`, which starts at `line` with `offset` characters before each of its lines. */
export function placeFlaw(
  code: ErrorCode, flaw: Flaw, content: string, at: { line: number; offset: number; later: number },
): ScanError {
  const breaks = countBreaks(content, 0, flaw.index)
  const inLine = breaks === 0 ? flaw.index : flaw.index - content.lastIndexOf('\n', flaw.index - 1) - 1
  return {
    code,
    message: flaw.message,
    line: at.line + breaks,
    column: inLine + 1 + (breaks === 0 ? at.offset : at.later),
    length: flaw.length,
    ...(flaw.hint !== undefined && { hint: flaw.hint }),
  }
}
