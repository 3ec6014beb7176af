import { lineAt, linesOf } from './line-parts.js'

/** `12: text`, `12| text`, `   12→text` or `   12<tab>text`: a line number as listings print it. */
const NUMBERED = /^[ \t]*(\d{1,7})(?:: ?|\||\u2192|\t)/

/**
 * Whether lines still carry the numbers of a listing: each line that is not blank begins with a number, each one more
 * than the last.
 *
 * @returns the first number as written, with its separator
 */
export function findLineNumbers(text: string): string | undefined {
  let first: string | undefined
  let expected: number | undefined
  let count = 0
  // The first line usually decides, so the text is not split in advance.
  for (let start = 0; start < text.length;) {
    const { body, ending } = lineAt(text, start)
    start += body.length + ending.length
    const [mark, digits] = NUMBERED.exec(body) ?? []
    const isBlank = mark === undefined && body.trim() === ''
    if (!isBlank && (digits === undefined || (expected !== undefined && Number(digits) !== expected))) return undefined
    expected = digits === undefined ? expected && expected + 1 : Number(digits) + 1
    first ??= mark
    if (mark !== undefined) count++
  }
  return count > 1 ? first : undefined
}

/** Quick test that most texts fail. */
const MAY_OPEN = /^\s*(?:```|~~~)/
const FENCE = /^(`{3,}|~{3,})([^`]*)$/

/**
 * Finds a Markdown fence that is wrapped around the text by mistake: its first and last lines are fences, and nothing
 * between is one.
 *
 * @returns the opening line
 */
export function findStrayFence(text: string): string | undefined {
  if (!MAY_OPEN.test(text)) return undefined
  const lines = linesOf(text).map(({ body }) => body.trimEnd())
  const first = lines.findIndex((line) => line !== '')
  const last = lines.findLastIndex((line) => line !== '')
  const opener = lines[first] ?? ''
  const [, run = ''] = FENCE.exec(opener) ?? []
  if (run === '' || last <= first || lines[last] !== run) return undefined
  const hasInner = lines.slice(first + 1, last).some((line) => line.startsWith(run.slice(0, 3)))
  return hasInner ? undefined : opener
}

/** The text without the line numbers of a listing. */
export function withoutNumber(text: string): string {
  return linesOf(text).map(({ body, ending }) => body.replace(NUMBERED, '') + ending).join('')
}
