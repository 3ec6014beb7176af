import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkInserted } from '../../../1-edits/src/index.js'
import {
  fullName, type LanguageId, type VisibleDefinition, type WholeDeclaration,
} from '../../../2-syntax/src/index.js'
import { blankLines } from './blank-lines.js'
import { draftOf, withLines } from './draft.js'
import { findDeclaration, type FoundDeclaration } from './find-declaration.js'
import { refuseOpen, writeDraft } from './finish-edit.js'
import { requireCode, splitComment, type NewCode } from './new-code.js'
import { placesOf } from './standing-lines.js'
import type { SymbolPlace, SymbolResult } from './symbol-schemas.js'

/** A blank line, or a line of a comment. */
const PASSED = /^\s*(?:\/\/|\/\*|\*|#|$)/
const OVERLOAD = /^\s*@(?:\w+\.)?overload\b/m
const ACCESSOR = /^\s*(?:[a-z]+\s+)*[gs]et\s+[\w$#'"[]/m

/**
 * Inserts lines before or after a declaration, separated by as many blank lines as are there. Lines that are already
 * there, or declare something in the same container word for word, are not inserted again.
 *
 * @throws HermesError as `findDeclaration`, `checkInserted`, `outline` and `writeText`
 */
export async function insertBeside(
  verb: string, side: 'before' | 'after', { new_text: newText, ...place }: SymbolPlace & { new_text: string },
  context: VerbContext,
): Promise<SymbolResult> {
  const member = await findDeclaration(verb, place, context)
  const { base, code } = besideMember(verb, side, { ...member, whole: overloadSet(member) }, requireCode(verb, newText))
  const { path, content, lines, whole, definition } = base
  checkInserted({ verb, parameter: 'new_text', path, content, removed: '', inserted: newText })
  const first = side === 'before' ? whole.commentLine : whole.lastLine + 1
  const draft = await draftOf(verb, base, { first, last: first - 1 }, {
    written: code.lines,
    tail: '',
    ...blankLines(lines, whole, side, { count: code.lines.length, lead: code.lead, trail: code.trail }),
  })
  const there = standsAt(base, draft.lines, side)
    ?? (whole.inList && standsAt(base, otherComma(base.language, draft.lines), side))
  if (there === undefined) {
    await refuseOpen(verb, base, draft)
    return writeDraft(verb, base, draft, context)
  }
  const last = there + draft.lines.length - 1
  return { path, symbol: fullName(definition), startLine: there, endLine: last, alreadyApplied: true }
}

/** The line at which the file already has the new lines, right beside the declaration or in its container. */
function standsAt(
  { lines, whole, definition, definitions }: FoundDeclaration, added: readonly string[], side: 'before' | 'after',
): number | undefined {
  if (!added.some((line) => /[\p{L}\p{N}]/u.test(line))) return undefined
  return placesOf(lines, added).find((start) => {
    const end = start + added.length - 1
    const between = side === 'before' ? lines.slice(end, whole.commentLine - 1) : lines.slice(whole.lastLine, start - 1)
    const isBeside = side === 'before' ? end < whole.commentLine : start > whole.lastLine
    if (isBeside && between.every((line) => line.trim() === '')) return true
    return definitions.some((other) => other.startLine >= start && other.endLine <= end
      && other.container === definition.container && other.within === definition.within)
  })
}

type Member = readonly [VisibleDefinition, WholeDeclaration]

/**
 * The lines of a declaration together with adjacent overloads of the same function: TypeScript's signatures and
 * implementation, Python's functions marked `@overload`.
 */
function overloadSet(
  { definition, whole, wholes, language, lines }: FoundDeclaration,
): FoundDeclaration['whole'] {
  if (!isFunction(definition) || !/^(?:typescript|tsx|python)$/.test(language)) return whole
  const members: Member[] = [...wholes].filter(([other]) => isFunction(other) && other.name === definition.name
    && other.container === definition.container && other.within === definition.within)
  let first = members.findIndex(([other]) => other === definition)
  if (first === -1) return whole
  let last = first
  while (areJoined(members[first - 1], members[first])) first--
  while (areJoined(members[last], members[last + 1])) last++
  const [start, end] = [members[first]?.[1] ?? whole, members[last]?.[1] ?? whole]
  const { commentLine, firstLine } = start
  return { ...whole, commentLine, firstLine, lastLine: end.lastLine, tail: end.tail ?? '' }

  function areJoined(item: Member | undefined, next: Member | undefined): boolean {
    if (!item || !next || !lines.slice(item[1].lastLine, next[1].firstLine - 1).every((line) => PASSED.test(line))) {
      return false
    }
    const header = lines.slice(item[1].firstLine - 1, item[0].nameLine).join('\n')
    return language === 'python' ? OVERLOAD.test(header) : !ACCESSOR.test(header)
  }
}

function isFunction({ kind }: VisibleDefinition): boolean {
  return kind === 'function' || kind === 'method'
}

/**
 * Separates new members of a list from the existing ones: a last member without a comma gets one, otherwise the new
 * lines do.
 *
 * @returns the lines to insert, and the file to insert them into
 * @throws HermesError `INVALID_PARAMETER` where the list ends in something else
 */
function besideMember(
  verb: string, side: 'before' | 'after', declaration: FoundDeclaration, code: NewCode,
): { base: FoundDeclaration; code: NewCode } {
  const { whole: { inList, tail, lastLine, firstLine }, language, content, lines } = declaration
  if (!inList || lastCode(language, code.lines) === -1) return { base: declaration, code }
  if (side === 'before' || /^\s*,/.test(tail)) {
    return { base: declaration, code: { ...code, lines: withComma(language, code.lines) } }
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
  return { base: { ...declaration, content: changed, lines: lines.with(lastLine - 1, parted) }, code }
}

/** The lines with a comma after the last code. */
function withComma(language: LanguageId, lines: readonly string[]): string[] {
  const at = lastCode(language, lines)
  const { code, comment } = splitComment(language, lines[at] ?? '')
  return /[,;]$/.test(code) ? [...lines] : lines.with(at, `${code},${comment}`)
}

/** The lines with the comma after the last code added, or removed if there is one. */
function otherComma(language: LanguageId, lines: readonly string[]): string[] {
  const at = lastCode(language, lines)
  const { code, comment } = splitComment(language, lines[at] ?? '')
  return code.endsWith(',') ? lines.with(at, code.slice(0, -1) + comment) : withComma(language, lines)
}

/** Index of the last line that has code; -1 where all are comments. */
function lastCode(language: LanguageId, lines: readonly string[]): number {
  return lines.findLastIndex((line) => splitComment(language, line).code.trim() !== '')
}
