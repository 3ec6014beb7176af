import type { ParseError } from '../../0-contracts/src/index.js'
import { oneLine } from './safe-text.js'

const WIDTH = 100

/** The wrong line and a mark below the wrong place, as far as the error's source has them. */
export function sourceExcerpt({ error, source, startLine }: ParseError): string[] {
  const index = error.line - startLine
  const line = source.split(/\r?\n/)[index]
  if (line === undefined || line.trim() === '') return []
  const before = line.slice(0, error.column - 1)
  // The source of a block may begin in the middle of its first line: columns are sure only below it.
  const isUnsure = index === 0 && error.column > 1
  if (isUnsure || error.column > Math.min(line.length + 1, WIDTH)) return [oneLine(line, WIDTH)]
  const length = Math.max(1, Math.min(error.length, WIDTH - error.column, line.length - before.length))
  return [oneLine(line, WIDTH), `${blank(oneLine(before, WIDTH))}${'^'.repeat(length)}`]
}

/** Spaces as wide as the text; tabs stay tabs. */
function blank(text: string): string {
  return text.replace(/[^\t]/gu, ' ')
}
