import { CharSet } from './char-set.js'
import { falseBreakIn } from './false-breaks.js'
import type { Dialect } from './items.js'

/**
 * The markers of SHAM and NESL as data: what exactly is one, and what nearly is. Lines come without indentation and
 * line end.
 */

export interface Header {
  dialect: Dialect
  /** Undefined where no readable id is given. */
  id: string | undefined
  /** The block ends on the same line and has no body. */
  isWhole?: true
  /** What is wrong with the line; absent for a valid header. */
  problem?: {
    code: 'MALFORMED_HEADER' | 'INVALID_BLOCK_ID'
    message: string
    hint: string
    column: number
    length: number
  }
}

export interface EndMarker {
  dialect: Dialect
  id: string | undefined
  /** False where the line only resembles an end marker. */
  exact: boolean
}

/** `#!SHAM [@three-char-SHA-256: abc]`; like nesl-js, accepts any word behind `@`. */
const HEADER = /^#!(SHAM|NESL|nesl) \[@[A-Za-z0-9-]+: ([^\]]+)\][ \t]*$/
const BLOCK_ID = /^[A-Za-z0-9]{2,8}$/
/**
 * Near misses: `#! SHAM […]`, `#!sham`, `# !SHAM abc`, `**#!SHAM […]**`, `＃！SHAM`, `#SHAM [abc]`; also without `#` or
 * `!` before what only headers have.
 */
const NEAR_HEADER =
  /^[\\*_]{0,3}(?:[#＃][ \t]*[!！][ \t]*(?:sham|nesl)(?![A-Za-z])|[#!＃]{0,3}[ \t]*(?:sham|nesl)[ \t]*\[@|[#＃](?:sham|nesl)[ \t]*\[)/i
const LOST_LETTER = /^#![ \t]*\w{1,9}[ \t]*\[@/
/** Longest part of a line to examine for a marker. */
const MAX_MARKER = 200
/** The id of a near miss: last in its brackets, behind its colon, or alone. */
const NEAR_ID = /^(?:[^\r]*[:@][ \t]*|[ \t:([_-]*)([A-Za-z0-9]{2,8})[ \t]*[\])]*[ \t]*$/
/** nesl-js allows a stray apostrophe, which models write. */
const END = /^#!(?:(END_SHAM|END_NESL|end)_([A-Za-z0-9]{2,8}))'?[ \t]*$/
const NEAR_END = /^[#＃][ \t]*[!！][ \t]*end(?=[_ \t-]|$)/i

const FIRST_CHARS = new CharSet('#!sSnN\\*_＃')

/** Quick test whether a line that starts with `code` can be a marker or a near miss. */
export function mayBeMarker(code: number): boolean {
  return FIRST_CHARS.has(code)
}

export function readHeader(line: string): Header | undefined {
  const exact = HEADER.exec(line)
  if (exact) {
    const dialect = exact[1] as Dialect
    const id = exact[2]!
    if (BLOCK_ID.test(id)) return { dialect, id }
    return {
      dialect,
      id: undefined,
      problem: {
        code: 'INVALID_BLOCK_ID',
        message: `Block ID must be 2 to 8 letters or digits, got '${id}'`,
        hint: `Write ${headerLine(dialect, suggestId(id))} and use the same id in the end marker.`,
        column: line.indexOf(': ') + 3,
        length: id.length,
      },
    }
  }
  const near = NEAR_HEADER.exec(line) ?? (line.includes('[') ? LOST_LETTER.exec(line) : null)
  if (!near) return undefined
  const dialect = /nesl/i.test(near[0]) ? (/nesl/.test(near[0]) ? 'nesl' : 'NESL') : 'SHAM'
  const broken = falseBreakIn(line)
  const own = broken ? line.slice(0, broken.at) : line
  const id = NEAR_ID.exec(own.slice(near[0].length, MAX_MARKER))?.[1]
  const header: Header = {
    dialect,
    id,
    problem: {
      code: 'MALFORMED_HEADER',
      message: broken ? `Lines end in LF, and this header's line goes on behind ${broken.name}`
        : `Invalid ${dialect} header format`,
      hint: `Write ${headerLine(dialect, id ?? 'abc')}${broken ? ' alone on its line, with real line breaks' : ''}`,
      column: 1,
      length: Math.min(line.length, MAX_MARKER),
    },
  }
  if (broken && /[#＃][ \t]*[!！][ \t]*end/i.test(line.slice(broken.at))) header.isWhole = true
  return header
}

export function readEndMarker(line: string): EndMarker | undefined {
  const exact = END.exec(line)
  if (exact) {
    return { dialect: exact[1] === 'end' ? 'nesl' : (exact[1]!.slice(4) as Dialect), id: exact[2], exact: true }
  }
  if (!NEAR_END.test(line)) return undefined
  const id = /end_(?:(?:sham|nesl)_)?([A-Za-z0-9]{2,8})(?![A-Za-z0-9])/i.exec(line)?.[1]
    ?? /[_ \t-]([A-Za-z0-9]{2,8})[^A-Za-z0-9]*$/.exec(line)?.[1]
  return {
    dialect: /nesl/i.test(line) ? 'NESL' : /sham/i.test(line) ? 'SHAM' : 'nesl',
    id: id && /^(sham|nesl)$/i.test(id) ? undefined : id,
    exact: false,
  }
}

export function headerLine(dialect: Dialect, id: string): string {
  return `#!${dialect} [@three-char-SHA-256: ${id}]`
}

export function endLine(dialect: Dialect, id: string): string {
  return dialect === 'nesl' ? `#!end_${id}` : `#!END_${dialect}_${id}`
}

export function delimiter(dialect: Dialect, id: string): string {
  return dialect === 'nesl' ? `EOT_${id}` : `EOT_${dialect}_${id}`
}

/** Longest heredoc delimiter, in UTF-16 units; longer ones are ignored. */
export const MAX_DELIMITER = 200

/**
 * The word of the heredoc that a body line with `<<` opens; `undefined` where none can be read. `wellFormed`: the line
 * is exactly `key = <<'WORD'`.
 */
export function readHeredocOpener(line: string): { word: string | undefined; wellFormed: boolean } {
  const proper = /^[^\s=][^=]*=[ \t]*<<'([^']+)'[ \t]*$/.exec(line)
  if (proper && proper[1]!.length <= MAX_DELIMITER) return { word: proper[1]!, wellFormed: !/:[ \t]*=/.test(line) }
  return { word: /<<[-~]?[ \t]*['"]?([A-Za-z0-9_]+)/.exec(line)?.[1], wellFormed: false }
}

function suggestId(id: string): string {
  const letters = id.replace(/[^A-Za-z0-9]/g, '').slice(0, 8)
  return letters.length >= 2 ? letters : 'abc'
}

export const TOOL_CALL_OPEN = '<tool_call>'
export const TOOL_CALL_CLOSE = '</tool_call>'
