import { HermesError } from '../../../0-contracts/src/index.js'
import type { LanguageId } from '../../../2-syntax/src/index.js'
import { withLines } from './draft.js'
import type { FoundDeclaration } from './find-declaration.js'
import { type NewCode, splitComment } from './new-code.js'

/**
 * Separates new members of a list from the existing ones: a last member without a comma gets one, otherwise the new
 * lines do.
 *
 * @returns the lines to insert, and the file to insert them into
 * @throws HermesError `INVALID_PARAMETER` where the list ends in something else
 */
export function besideMember(
  verb: string, side: 'before' | 'after', declaration: FoundDeclaration, code: NewCode,
): { found: FoundDeclaration; code: NewCode } {
  const { whole: { inList, tail, lastLine, firstLine }, language, content, lines } = declaration
  if (!inList || lastCode(language, code.lines) === -1) return { found: declaration, code }
  if (side === 'before' || /^\s*,/.test(tail)) {
    return { found: declaration, code: { ...code, lines: withComma(language, code.lines) } }
  }
  if (tail.trimStart().startsWith(';')) {
    const where = firstLine === lastLine ? `line ${lastLine}` : `lines ${firstLine}-${lastLine}`
    throw new HermesError('INVALID_PARAMETER', `${verb}: a semicolon behind the last member ends the list`, {
      hint: `Nothing was changed. Use symbol_insert_before, or edit_replace with ${where} of the file quoted.`,
    })
  }
  const line = lines[lastLine - 1] ?? ''
  const parted = `${line.slice(0, line.length - tail.length)},${tail}`
  const changed = withLines(content, { first: lastLine, last: lastLine }, [parted])
  return { found: { ...declaration, content: changed, lines: lines.with(lastLine - 1, parted) }, code }
}

/** The lines with a comma after the last code. */
function withComma(language: LanguageId, lines: readonly string[]): string[] {
  const at = lastCode(language, lines)
  const { code, comment } = splitComment(language, lines[at] ?? '')
  return /[,;]$/.test(code) ? [...lines] : lines.with(at, `${code},${comment}`)
}

/** The lines with the comma after the last code added, or removed if there is one. */
export function otherComma(language: LanguageId, lines: readonly string[]): string[] {
  const at = lastCode(language, lines)
  const { code, comment } = splitComment(language, lines[at] ?? '')
  return code.endsWith(',') ? lines.with(at, code.slice(0, -1) + comment) : withComma(language, lines)
}

/** Index of the last line that has code; -1 where all are comments. */
function lastCode(language: LanguageId, lines: readonly string[]): number {
  return lines.findLastIndex((line) => splitComment(language, line).code.trim() !== '')
}
