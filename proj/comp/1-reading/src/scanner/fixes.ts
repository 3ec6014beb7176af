import type { Fix } from '../../../0-contracts/src/index.js'
import { linesWithBreaks, nearest } from '../../../0-text/src/index.js'
import { readQuotedAssignment } from './assignment.js'
import { delimiter, endLine, headerLine, readHeader, readHeredocOpener } from './grammar.js'
import type { Dialect } from './items.js'

/**
 * What to write where a marker is missing or misspelled. Each function answers `undefined` where more than one place
 * or spelling is possible. Whether a block is well-formed with its fix, the parsers prove by reading it again.
 */

/** The text with the fix in it. Line ends stay as they are; new lines end as the one before them does. */
export function applyFix(text: string, { startLine, endLine: last, text: written }: Fix): string {
  const lines = linesWithBreaks(text)
  const before = lines.slice(0, startLine - 1)
  const replaced = lines.slice(startLine - 1, last)
  const after = lines.slice(Math.max(last, startLine - 1))
  const ending = /\r?\n$/.exec(replaced[0] ?? before.at(-1) ?? after[0] ?? '')?.[0] ?? lineEndOf(lines[0])
  // A last line without a line break gets one only where something follows it.
  const isLast = after.length === 0
  const top = before.join('')
  const gap = top === '' || top.endsWith('\n') ? '' : ending
  if (written === '') return top + after.join('')
  const middle = written.split(/\r?\n/).join(ending)
  const isOpen = isLast && !(replaced.at(-1) ?? before.at(-1) ?? '').endsWith('\n')
  return `${top}${gap}${middle}${isOpen ? '' : ending}${after.join('')}`
}

function lineEndOf(line = ''): string {
  return line.endsWith('\r\n') ? '\r\n' : '\n'
}

/** A block of which a marker is missing or wrong. */
export interface MarkedBlock {
  dialect: Dialect
  id: string
  /** What stands before its header, as blanks: its markers stand as deep. */
  indent: string
}

/** The header where one nearly stands. */
export function headerFix({ dialect, id }: MarkedBlock, line: number, before: string): Fix {
  return { startLine: line, endLine: line, text: before + headerLine(dialect, id) }
}

/** The block's end marker in place of a line that nearly is one. */
export function endMarkerFix({ dialect, id, indent }: MarkedBlock, line: number): Fix {
  return { startLine: line, endLine: line, text: indent + endLine(dialect, id) }
}

/** The end marker that is missing before a line. */
export function missingEndFix(block: MarkedBlock, before: number): Fix {
  return { ...endMarkerFix(block, before), endLine: before - 1 }
}

/** Only these are as short as a marker. */
const MAX_NEAR = 40

/** Whether a line that is no marker was meant to be the block's end marker. */
export function isNearEnd(line: string, { dialect, id }: MarkedBlock): boolean {
  const word = line.trim()
  return word.length <= MAX_NEAR && /end/i.test(word) && nearest(word, [endLine(dialect, id)]) !== undefined
}

/**
 * A heredoc without its terminator: the line that nearly is it, else a line before the end marker.
 *
 * @param opener line of the heredoc's opener
 * @param lines those between it and the block's own end marker
 */
export function terminatorFix(block: MarkedBlock, opener: number, lines: readonly string[]): Fix | undefined {
  const word = delimiter(block.dialect, block.id)
  const near = lines.flatMap((line, index) => (isNearDelimiter(line, word) && !isOpened(line, lines) ? [index] : []))
  const text = block.indent + word
  // With a header in it, it may be this block's value or a block of its own.
  if (near.length > 1 || lines.some((line) => readHeader(line.trim()) !== undefined)) return undefined
  if (near[0] !== undefined) {
    const line = opener + 1 + near[0]
    return { startLine: line, endLine: line, text }
  }
  // The value may end before any blank line, and before what looks like the block's next line.
  if ((lines.at(-1) ?? '').trim() === '' || lines.some(isAssignment)) return undefined
  const end = opener + 1 + lines.length
  return { startLine: end, endLine: end - 1, text }
}

/** `EOT`, `EOF_SHAM_abc`, `eot_sham_abc`, `EOT_SHAM_abd`, one that is indented, in quotes, or has a sign behind it. */
function isNearDelimiter(line: string, word: string): boolean {
  const bare = line.trim().replace(/^['"`]+|['"`;:,.]+$/g, '')
  if (bare.length < 3 || bare.length > MAX_NEAR || !/^\w+$/.test(bare)) return false
  return /^EO[TF]$/i.test(bare) || nearest(bare, [word]) !== undefined
}

/** What a shell command in the value opens is closed for it. */
function isOpened(line: string, lines: readonly string[]): boolean {
  const word = line.trim()
  return lines.some((other) => other.includes('<<') && readHeredocOpener(other).word === word)
}

function isAssignment(line: string): boolean {
  return readQuotedAssignment(line.trim()) !== undefined || readHeredocOpener(line.trim()).wellFormed
}

/**
 * A fence's edge that stands between a block and its end marker: the end marker goes before it.
 *
 * @param line of the fence's edge
 */
export function strayFenceFix(block: MarkedBlock, line: number, fence: string): Fix {
  return { startLine: line, endLine: line + 1, text: `${block.indent}${endLine(block.dialect, block.id)}\n${fence}` }
}
