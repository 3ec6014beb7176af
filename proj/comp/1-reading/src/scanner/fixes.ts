import type { Fix } from '../../../0-contracts/src/index.js'
import { linesWithBreaks, nearest } from '../../../0-text/src/index.js'
import { readQuotedAssignment } from './assignment.js'
import { delimiter, endLine, headerLine, readHeader, readHeredocOpener } from './grammar.js'
import type { Dialect } from './items.js'

/**
 * Fixes for missing or misspelled markers. Each function returns `undefined` where more than one place or spelling is
 * possible. The parsers prove a fix by reading the block again.
 */

/** Applies a fix. Line ends stay as they are; new lines end like the line before them. */
export function applyFix(text: string, { startLine, endLine: last, text: written }: Fix): string {
  const lines = linesWithBreaks(text)
  const before = lines.slice(0, startLine - 1)
  const replaced = lines.slice(startLine - 1, last)
  const after = lines.slice(Math.max(last, startLine - 1))
  const ending = /\r?\n$/.exec(replaced[0] ?? before.at(-1) ?? after[0] ?? '')?.[0]
    ?? (lines[0]?.endsWith('\r\n') ? '\r\n' : '\n')
  // A last line without line break gets one only if something follows it.
  const isLast = after.length === 0
  const top = before.join('')
  const gap = top === '' || top.endsWith('\n') ? '' : ending
  if (written === '') return top + after.join('')
  const middle = written.split(/\r?\n/).join(ending)
  const isOpen = isLast && !(replaced.at(-1) ?? before.at(-1) ?? '').endsWith('\n')
  return `${top}${gap}${middle}${isOpen ? '' : ending}${after.join('')}`
}

/** A block with a missing or wrong marker. */
export interface MarkedBlock {
  dialect: Dialect
  id: string
  /** What stands before its header, as blanks: its markers have the same indentation. */
  indent: string
}

/** The correct header in place of a near miss. */
export function headerFix({ dialect, id }: MarkedBlock, line: number, before: string): Fix {
  return { startLine: line, endLine: line, text: before + headerLine(dialect, id) }
}

/** The block's end marker in place of a near miss. */
export function endMarkerFix({ dialect, id, indent }: MarkedBlock, line: number): Fix {
  return { startLine: line, endLine: line, text: indent + endLine(dialect, id) }
}

/** The missing end marker before a line. */
export function missingEndFix(block: MarkedBlock, before: number): Fix {
  return { ...endMarkerFix(block, before), endLine: before - 1 }
}

/** Longest line that can be a near miss. */
const MAX_NEAR = 40

/** Whether a line that is no marker was meant to be the block's end marker. */
export function isNearEnd(line: string, { dialect, id }: MarkedBlock): boolean {
  const word = line.trim()
  return word.length <= MAX_NEAR && /end/i.test(word) && nearest(word, [endLine(dialect, id)]) !== undefined
}

/**
 * The terminator of a heredoc that lacks one: in place of a near miss, else in a line before the end marker.
 *
 * @param opener line of the heredoc's opener
 * @param lines those between it and the block's own end marker
 */
export function terminatorFix(block: MarkedBlock, opener: number, lines: readonly string[]): Fix | undefined {
  const word = delimiter(block.dialect, block.id)
  const near = lines.flatMap((line, index) => (isNearDelimiter(line, word) && !isOpened(line, lines) ? [index] : []))
  const text = block.indent + word
  // With a header between, it is unclear what belongs to this block.
  if (near.length > 1 || lines.some((line) => readHeader(line.trim()) !== undefined)) return undefined
  if (near[0] !== undefined) {
    const line = opener + 1 + near[0]
    return { startLine: line, endLine: line, text }
  }
  // Not where the value may end earlier: before a blank line, or before what looks like the block's next line.
  if ((lines.at(-1) ?? '').trim() === '' || lines.some(isAssignment)) return undefined
  const end = opener + 1 + lines.length
  return { startLine: end, endLine: end - 1, text }
}

/**
 * Whether a line nearly is the delimiter: `EOT`, `EOF_SHAM_abc`, `eot_sham_abc`, `EOT_SHAM_abd`; indented, in quotes,
 * or with a sign behind it.
 */
function isNearDelimiter(line: string, word: string): boolean {
  const bare = line.trim().replace(/^['"`]+|['"`;:,.]+$/g, '')
  if (bare.length < 3 || bare.length > MAX_NEAR || !/^\w+$/.test(bare)) return false
  return /^EO[TF]$/i.test(bare) || nearest(bare, [word]) !== undefined
}

/** Whether a shell command in the value opened this word, so that the line closes that. */
function isOpened(line: string, lines: readonly string[]): boolean {
  const word = line.trim()
  return lines.some((other) => other.includes('<<') && readHeredocOpener(other).word === word)
}

function isAssignment(line: string): boolean {
  return readQuotedAssignment(line.trim()) !== undefined || readHeredocOpener(line.trim()).wellFormed
}

/**
 * Moves the end marker before the edge of a fence that stands between it and its block.
 *
 * @param line number of that edge
 */
export function strayFenceFix(block: MarkedBlock, line: number, fence: string): Fix {
  return { startLine: line, endLine: line + 1, text: `${block.indent}${endLine(block.dialect, block.id)}\n${fence}` }
}
