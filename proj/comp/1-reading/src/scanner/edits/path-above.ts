import { CharSet } from '../char-set.js'
import { NOTE, pathOfLine } from './edit-paths.js'

/**
 * Quick test whether the line above `at` (or the one above a blank line) may be a path, so that the fence below is
 * likely a file. Most such lines are prose, which their last word shows. False only where it is certain.
 */
export function mayHavePathAbove(text: string, at: number): boolean {
  let end = at
  for (let blanks = 0; blanks <= 1; blanks++) {
    const last = skipBack(text, end - 1, BLANKS)
    if (last <= 0) return true
    // Skip a blank line: the line above ends where it begins.
    if (text.charCodeAt(last - 1) === NEWLINE) end = last
    else return mayEndPath(text, last) && isPathLine(text, last)
  }
  return false
}

const NEWLINE = 0x0a
/** The edge of a fence, the most common line of only signs. */
const FENCE = /^`{3,}$/
const PARENTHESIS = 0x29
/** Longest note behind a path, such as `src/a.ts (new file)`. */
const MAX_NOTE = 30
/** Longest word to examine completely. */
const MAX_WORD = 60

/** Whether the last word before `end` looks like part of a path: it has a quote, a note, a sign or a capital letter. */
function mayEndPath(text: string, end: number): boolean {
  const last = skipBack(text, end, DECORATION)
  if (text.charCodeAt(last - 1) === NEWLINE && FENCE.test(text.slice(last, end))) return false
  const sign = text.charCodeAt(last - 1)
  if (NO_END.has(sign)) return false
  if (sign === PARENTHESIS) return NOTE.test(text.slice(Math.max(0, last - MAX_NOTE), last))
  if (QUOTES.has(text.charCodeAt(last))) return true
  for (let at = last - 1; at >= 0 && at > last - MAX_WORD; at--) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === NEWLINE) return false
    if (IN_PATHS.has(code) || (code >= 0x41 && code <= 0x5a) || code < 0x20 || code > 0x7e) return true
  }
  return true
}

/** Checks the whole line; the first line of the text may continue before it. */
function isPathLine(text: string, end: number): boolean {
  const start = text.lastIndexOf('\n', end - 1) + 1
  return start === 0 || pathOfLine(text.slice(start, end).trim()) !== undefined
}

function skipBack(text: string, from: number, skipped: CharSet): number {
  let at = from
  while (at > 0 && skipped.has(text.charCodeAt(at - 1))) at--
  return at
}

const QUOTES = new CharSet('`"\'')
const NO_END = new CharSet('.,;!?')
const IN_PATHS = new CharSet('./\\')
const DECORATION = new CharSet(':*_`"\'>/- \t')
const BLANKS = new CharSet(' \t\r')
