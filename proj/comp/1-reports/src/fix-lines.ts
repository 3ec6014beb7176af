import type { Fix } from '../../0-contracts/src/index.js'
import { lineRange } from './quantities.js'
import { linesOf, oneLine } from './safe-text.js'

/** Most lines of a fix that people and models are shown, and bytes of each; JSON has all of it. */
const MOST_LINES = 4
const MOST_BYTES = 160

/** What to write, in a few lines: the first says where. Nothing applies it unasked. */
export function fixLines({ startLine, endLine, text }: Fix): string[] {
  if (text === '') return [`Leave out ${lineRange(startLine, endLine)}.`]
  const where = endLine < startLine ? `Write before line ${startLine}:`
    : `Write instead of ${lineRange(startLine, endLine)}:`
  const lines = linesOf(text)
  const [only] = lines
  if (lines.length === 1 && only !== undefined && only.length <= 60) return [`${where} ${oneLine(only.trim())}`]
  const left = lines.length - MOST_LINES
  return [
    where, ...lines.slice(0, MOST_LINES).map((line) => oneLine(line, MOST_BYTES)),
    ...(left > 0 ? [`… ${left} more`] : []),
  ]
}
