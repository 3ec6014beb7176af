import { HermesError } from '../../contracts/src/index.js'
import { linesOf } from '../../edits/src/index.js'
import type { LanguageId } from '../../syntax/src/index.js'

/** Lines to put in, without the blank ones before and after them. */
export interface NewCode {
  /** Without line breaks; empty where the text was blank. */
  lines: string[]
  /** Blank lines that stood before and after. */
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

const SLASHES = /^\s*(?:\/\/|\/\*)/
const HASH = /^\s*#/
const EITHER = /^\s*(?:\/\/|\/\*|#(?!\[))/
const OPENERS: Partial<Record<LanguageId, RegExp>> = { python: HASH, ruby: HASH, php: EITHER }

/** Whether the first line is a comment. */
export function beginsWithComment(language: LanguageId, { lines }: NewCode): boolean {
  return (OPENERS[language] ?? SLASHES).test(lines[0] ?? '')
}

/** What stood behind a declaration, as far as the new text does not have it itself. */
export function keptTail(tail: string, { lines }: NewCode): string {
  const last = lines.at(-1) ?? ''
  if (/\/\/|\/\*|#/.test(last)) return ''
  const kept = tail.trimEnd()
  return /[,;]\s*$/.test(last) ? kept.replace(/^\s*[,;]/, '') : kept
}
