import type { ErrorCode, Fix } from '../../../0-contracts/src/index.js'
import type { ScanError } from '../scanner/index.js'
import { countBreaks } from '../../../0-text/src/index.js'

/** A wrong place in a piece of text: what a sub-parser found, before it is placed in the whole text. */
export interface Flaw {
  message: string
  /** UTF-16 index into the piece. */
  index: number
  length: number
  hint?: string | undefined
  /** The same data as strict JSON, where it is certain what was meant. */
  mended?: string | undefined
}

/** A flaw of a whole piece, at its beginning. */
export function flawOfAll(message: string, hint?: string): Flaw {
  return { message, index: 0, length: 0, hint }
}

/** The lines of a call with its content mended; `around`: what stands before and behind it, and the lines. */
export function mendedFix(
  around: Pick<Fix, 'startLine' | 'endLine'> & { before: string; after: string }, content: string, mended: string,
): Fix {
  const { before, after, startLine, endLine } = around
  const text = before + /^\s*/.exec(content)![0] + mended + /\s*$/.exec(content)![0] + after
  return { startLine, endLine, text }
}

/**
 * Places a flaw of `content`, which starts at `line` with `offset` characters before its first line, and `later` before
 * the others.
 */
export function placeFlaw(
  code: ErrorCode, flaw: Flaw, content: string,
  { line, offset, later = 0 }: { line: number; offset: number; later?: number },
): ScanError {
  const breaks = countBreaks(content, 0, flaw.index)
  const inLine = breaks === 0 ? flaw.index : flaw.index - content.lastIndexOf('\n', flaw.index - 1) - 1
  return {
    code,
    message: flaw.message,
    line: line + breaks,
    column: inLine + 1 + (breaks === 0 ? offset : later),
    length: flaw.length,
    ...(flaw.hint !== undefined && { hint: flaw.hint }),
  }
}
