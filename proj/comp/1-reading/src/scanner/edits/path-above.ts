import { CharSet } from '../char-set.js'
import { hasNote, pathOfLine } from './edit-paths.js'

/**
 * Whether the line above the one that starts at `at`, one blank line apart, may be a path: the fence below is likely a
 * file. Most lines above fences are prose, which a look at the last word tells. False only where it is sure.
 */
export function mayHavePathAbove(text: string, at: number): boolean {
  let end = at
  for (let blanks = 0; blanks <= 1; blanks++) {
    const last = skipBack(text, end - 1, isBlank)
    if (last <= 0) return true
    // A blank line: the line above it ends where it begins.
    if (text.charCodeAt(last - 1) === NEWLINE) end = last
    else return mayEndPath(text, last) && isPathLine(text, last)
  }
  return false
}

const NEWLINE = 0x0a
/** The edge of one: what most lines of signs alone are. */
const FENCE = /^`{3,}$/
const PARENTHESIS = 0x29
/** `src/a.ts (new file)`: at least all of the note. */
const MAX_NOTE = 30
/** Words are seldom longer: of these all is looked at. */
const MAX_WORD = 60

/** Whether the last word before `end` has what a path has: a quote, a note, a sign in it, or a capital letter. */
function mayEndPath(text: string, end: number): boolean {
  const last = skipBack(text, end, isDecoration)
  if (text.charCodeAt(last - 1) === NEWLINE && FENCE.test(text.slice(last, end))) return false
  const sign = text.charCodeAt(last - 1)
  if (NO_END.has(sign)) return false
  if (sign === PARENTHESIS) return hasNote(text.slice(Math.max(0, last - MAX_NOTE), last))
  if (QUOTES.has(text.charCodeAt(last))) return true
  for (let at = last - 1; at >= 0 && at > last - MAX_WORD; at--) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === NEWLINE) return false
    if (IN_PATHS.has(code) || (code >= 0x41 && code <= 0x5a) || code < 0x20 || code > 0x7e) return true
  }
  return true
}

/** The first line of the text goes on before it. */
function isPathLine(text: string, end: number): boolean {
  const start = text.lastIndexOf('\n', end - 1) + 1
  return start === 0 || pathOfLine(text.slice(start, end).trim()) !== undefined
}

function skipBack(text: string, from: number, isSkipped: (code: number) => boolean): number {
  let at = from
  while (at > 0 && isSkipped(text.charCodeAt(at - 1))) at--
  return at
}

const QUOTES = new CharSet('`"\'')
const NO_END = new CharSet('.,;!?')
const IN_PATHS = new CharSet('./\\')
const DECORATION = new CharSet(':*_`"\'>/- \t')

function isDecoration(code: number): boolean {
  return DECORATION.has(code)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d
}
