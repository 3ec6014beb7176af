import type { ActionResult, Fix } from '../../0-contracts/src/index.js'
import { lineRange } from './quantities.js'
import { linesOf, oneLine } from './safe-text.js'

/** Most lines of a fix that people and models are shown, and bytes of each; JSON has all of it. */
const MOST_LINES = 4
const MOST_BYTES = 160

/** What to write, in a few lines: the first says where. None where there is no fix, or the hint shows it already. */
export function fixLines({ fix, hint }: Pick<ActionResult, 'fix' | 'hint'>): string[] {
  if (!fix || (hint !== undefined && isFixInHint(fix, hint))) return []
  const { startLine, endLine, text } = fix
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

/** The hint is mended JSON, or the very line to write in place of the wrong one. */
export function isFixInHint({ startLine, endLine, text }: Fix, hint: string): boolean {
  return /^Write(?:: | it as strict JSON)/.test(hint) || (endLine === startLine && hint === `Write ${text.trim()}`)
}
