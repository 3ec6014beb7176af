import { HermesError } from '../../../0-contracts/src/index.js'
import { linesOf } from '../../../1-edits/src/index.js'
import type { LanguageId } from '../../../2-syntax/src/index.js'

/** New lines, without the blank lines before and after them. */
export interface NewCode {
  /** Without line breaks; empty where the text was blank. */
  lines: string[]
  /** Number of blank lines before and after. */
  lead: number
  trail: number
}

export function readNewCode(text: string): NewCode {
  const all = linesOf(text.startsWith('\ufeff') ? text.slice(1) : text).map(({ body }) => body)
  const first = all.findIndex((line) => line.trim() !== '')
  if (first === -1) return { lines: [], lead: 0, trail: 0 }
  const last = all.findLastIndex((line) => line.trim() !== '')
  return { lines: all.slice(first, last + 1), lead: first, trail: all.length - 1 - last }
}

/** @throws HermesError `INVALID_PARAMETER` */
export function requireCode(verb: string, text: string): NewCode {
  const code = readNewCode(text)
  if (code.lines.length > 0) return code
  throw new HermesError('INVALID_PARAMETER', `${verb}: new_text cannot be empty`, {
    hint: 'Nothing was changed. Write the lines to insert; file_insert inserts blank ones too.',
  })
}

/** How a line that is a comment begins, and a comment that ends a line. */
const SLASHES = { opens: /^\s*(?:\/\/|\/\*)/, ends: /\s*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/\s*)$/ }
const HASH = { opens: /^\s*#/, ends: /(?:^|\s+)#.*$/ }
const DASHES = { opens: /^\s*--/, ends: /\s*--.*$/ }
const EITHER = { opens: /^\s*(?:\/\/|\/\*|#(?!\[))/, ends: /\s*(?:\/\/.*|#(?!\[).*|\/\*(?:(?!\*\/).)*\*\/\s*)$/ }
const COMMENTS: Partial<Record<LanguageId, typeof SLASHES>> = {
  python: HASH, ruby: HASH, elixir: HASH, bash: HASH, lua: DASHES, php: EITHER,
}

function commentsOf(language: LanguageId): typeof SLASHES {
  return COMMENTS[language] ?? SLASHES
}

/** Whether the first line is a comment. */
export function beginsWithComment(language: LanguageId, { lines }: NewCode): boolean {
  return commentsOf(language).opens.test(lines[0] ?? '')
}

/** Whether a line is a comment, or part of one that began on an earlier line. */
export function isCommentLine(language: LanguageId, lines: readonly string[], index: number): boolean {
  const comments = commentsOf(language)
  if (comments.opens.test(lines[index] ?? '')) return true
  const before = lines.slice(0, index).join('\n')
  return ![HASH, DASHES].includes(comments) && before.lastIndexOf('/*') > before.lastIndexOf('*/')
}

/**
 * Keeps what followed the declaration on its last line, if the new text lacks it: a comma or semicolon goes before a
 * comment that the new text ends with, which in turn goes before the old comment.
 *
 * @param tail at most a comma or semicolon and a comment
 * @returns the last line of the new text, and the text of the old declaration's line to put after it
 */
export function withTail(
  language: LanguageId, tail: string, { lines }: NewCode,
): { line: string; tail: string } {
  const [, separator = '', behind = ''] = /^(\s*[,;])?(.*)$/s.exec(tail.trimEnd()) ?? []
  const line = lines.at(-1) ?? ''
  const { code, comment } = splitComment(language, line)
  const own = code === '' || /[,;]$/.test(code) ? '' : separator
  return comment === '' ? { line, tail: own + behind } : { line: code + own + comment, tail: '' }
}

/** Strings on one line. */
export const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g

/**
 * Splits a line into code and its trailing comment with the space before it; comment markers inside of a string on the
 * line do not count.
 */
export function splitComment(language: LanguageId, line: string): { code: string; comment: string } {
  const plain = line.replace(QUOTED, (quoted) => '"'.repeat(quoted.length))
  const match = commentsOf(language).ends.exec(plain)
  // After an odd quote the marker is inside of a string that spans lines.
  const isComment = match !== null && (match[0].match(/["`]/g)?.length ?? 0) % 2 === 0
  const at = isComment ? match.index : line.trimEnd().length
  return { code: line.slice(0, at), comment: line.slice(at).trimEnd() }
}
