import type { ParsedBlock, ParseError, SkippedBlock } from '../../../0-contracts/src/index.js'
import { SOURCE_LIMIT, type ScanError } from '../scanner/index.js'
import { MOST_ERRORS } from './three-errors.js'
import { clip, clipUtf8, escapeControls } from '../../../0-text/src/index.js'

/** A live block that failed to parse: it never runs, and is counted once, however many errors it has. */
export interface FailedBlock {
  type: 'failed'
  blockId: string | undefined
  startLine: number
  endLine: number
  errors: ParseError[]
  nearMiss: boolean
  /** It was to stand alone in its answer: another like it does not run either. */
  isSingle?: true
  /** Its id is a number that it got for want of one. */
  isNumbered?: true
}

/** One live block, read. Of a whole file, and one that stands alone, also its text, since it may still be refused. */
export type ReadBlock =
  | { type: 'block'; block: ParsedBlock; source?: string; isSingle?: true; isNumbered?: true }
  | FailedBlock

/** What one scanned item turned out to be. */
export type ReadEvent =
  | ReadBlock
  /** Errors of quoting sections: not counted as blocks, which are listed as skipped. */
  | { type: 'section-error'; errors: ParseError[] }
  | { type: 'skipped'; block: SkippedBlock }
  /** All since the end of line `since` was thinking, or input. */
  | { type: 'stray-section-end'; error: ParseError; role: 'think' | 'echo'; since: number }

/** Where a block's own text stands, for its errors. */
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

function parseError({ blockId, startLine, endLine }: BlockPlace, source: string, found: ScanError): ParseError {
  const error = plain(found)
  return blockId === undefined ? { startLine, endLine, source, error } : { blockId, startLine, endLine, source, error }
}

/** Longest message and hint, in UTF-16 units: they quote the text, which may hold anything. */
const MAX_MESSAGE = 500
const MAX_HINT = 2000

/** With texts of bounded length, fit for a line. */
export function plain(error: ScanError): ScanError {
  const message = escapeControls(clip(error.message, MAX_MESSAGE))
  const { code, line, column, length, hint, fix } = error
  // Not by spreading, nor one by one, which takes V8 longer and more memory: a text can be nothing but errors.
  const told: ScanError = hint === undefined ? { code, message, line, column, length }
    : { code, message, line, column, length, hint: escapeControls(clip(hint, MAX_HINT), true) }
  if (fix !== undefined) told.fix = fix
  return told
}
