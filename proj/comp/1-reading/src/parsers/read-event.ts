import type { ParsedBlock, ParseError, SkippedBlock } from '../../../0-contracts/src/index.js'
import { SOURCE_LIMIT, type ScanError } from '../scanner/index.js'
import { MOST_ERRORS } from './three-errors.js'
import { clip, clipUtf8, escapeControls } from '../../../0-text/src/index.js'

/** A live block that failed to parse: it never runs, and counts as one block however many errors it has. */
export interface FailedBlock {
  type: 'failed'
  blockId: string | undefined
  startLine: number
  endLine: number
  errors: ParseError[]
  nearMiss: boolean
  /** It had to be alone in the answer: another such call does not run either. */
  isSingle?: true
  /** Its id is positional (`b1`, …), since it has none of its own. */
  isNumbered?: true
}

/** One live block. `source` is kept for whole files and calls that must be alone, since they may still be refused. */
export type ReadBlock =
  | { type: 'block'; block: ParsedBlock; source?: string; isSingle?: true; isNumbered?: true }
  | FailedBlock

/** What a scanned item turned out to be. */
export type ReadEvent =
  | ReadBlock
  /** Errors of quoting sections; their blocks are listed as skipped, so these count as no blocks. */
  | { type: 'section-error'; errors: ParseError[] }
  | { type: 'skipped'; block: SkippedBlock }
  /** All text since the end of line `since` was thinking, or repeated input. */
  | { type: 'stray-section-end'; error: ParseError; role: 'think' | 'echo'; since: number }

/** Place of a block in the text, for its errors. */
export interface BlockPlace {
  blockId?: string | undefined
  startLine: number
  endLine: number
  source: string
}

export function failed(place: BlockPlace, errors: readonly ScanError[]): FailedBlock {
  const { blockId, startLine, endLine } = place
  const source = clipUtf8(place.source, SOURCE_LIMIT)
  return {
    type: 'failed', blockId, startLine, endLine,
    errors: errors.length === 1 ? [parseError(place, source, errors[0]!)]
      : errors.slice(0, MOST_ERRORS).map((error) => parseError(place, source, error)),
    nearMiss: false,
  }
}

function parseError({ blockId, startLine, endLine }: BlockPlace, source: string, scanError: ScanError): ParseError {
  const error = plain(scanError)
  return blockId === undefined ? { startLine, endLine, source, error } : { blockId, startLine, endLine, source, error }
}

/** Longest message and hint, in UTF-16 units: they quote text of any length. */
const MAX_MESSAGE = 500
const MAX_HINT = 2000

/** The error with bounded texts that are safe to print. */
export function plain(error: ScanError): ScanError {
  const message = escapeControls(clip(error.message, MAX_MESSAGE))
  const { code, line, column, length, hint, fix } = error
  // Written out, since spreading takes V8 more time and memory, and a text may consist of errors.
  const told: ScanError = hint === undefined ? { code, message, line, column, length }
    : { code, message, line, column, length, hint: escapeControls(clip(hint, MAX_HINT), true) }
  if (fix !== undefined) told.fix = fix
  return told
}
