import { fitEndings, type TextSpan, usualEnding } from './line-endings.js'
import { lineEnding, type LineRange, splitLines } from './lines.js'

/**
 * Replaces lines of a text, which must have them; a `last` one less than `first` inserts before line `first`, or at
 * the end where `first` is one more than there are. Line endings are as `fitEndings` has them. Text without a final
 * line break gets one like those around it, unless it becomes the end of a text that had none. All else stays as it is.
 */
export function spliceLines(content: string, { first, last }: LineRange, inserted: string): string {
  const { bom, lines } = splitLines(content)
  const start = lines.slice(0, first - 1).reduce((sum, line) => sum + line.length, bom.length)
  const end = lines.slice(first - 1, last).reduce((sum, line) => sum + line.length, start)
  const [before, after] = [content.slice(0, start), content.slice(end)]
  if (inserted === '') return before + after
  const replaced = lineEnding(lines.slice(first - 1, last).at(-1) ?? '')
  const usual = replaced || usualEnding(content, { start, end }, [], inserted)
  const isEnd = last === lines.length && lines.length > 0 && lineEnding(lines.at(-1) ?? '') === ''
  const followsBare = isEnd && start === end && start > bom.length
  const isComplete = isEnd || inserted.endsWith('\n')
  const added = inserted.includes('\r') ? inserted + (isComplete ? '' : usual)
    : fitted(content, { start, end }, inserted, isComplete)
  return before + (followsBare ? usual : '') + added + after
}

/** Lines with LF only; the last one gets a line break where it has none, unless it is complete. */
function fitted(content: string, span: TextSpan, inserted: string, isComplete: boolean): string {
  if (inserted.endsWith('\n')) return fitEndings(content, span, inserted)
  const whole = fitEndings(content, span, `${inserted}\n`)
  return isComplete ? whole.slice(0, -lineEnding(whole).length) : whole
}
