import type { VerbContext } from '../../../0-contracts/src/index.js'
import { checkInserted } from '../../../1-edits/src/index.js'
import { fullName } from '../../../2-syntax/src/index.js'
import { blankLines } from './blank-lines.js'
import { draftOf } from './draft.js'
import { type FoundDeclaration, findDeclaration } from './find-declaration.js'
import { refuseOpen, writeDraft } from './finish-edit.js'
import { besideMember, otherComma } from './list-members.js'
import { requireCode } from './new-code.js'
import { overloadSet } from './overload-set.js'
import { placesOf } from './standing-lines.js'
import type { SymbolPlace, SymbolResult } from './symbol-schemas.js'

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
  const one = await findDeclaration(verb, place, context)
  const { found, code } = besideMember(verb, side, { ...one, whole: overloadSet(one) }, requireCode(verb, newText))
  const { path, content, lines, whole, definition } = found
  checkInserted({ verb, parameter: 'new_text', path, content, removed: '', inserted: newText })
  const first = side === 'before' ? whole.commentLine : whole.lastLine + 1
  const draft = await draftOf(verb, found, { first, last: first - 1 }, {
    written: code.lines,
    tail: '',
    ...blankLines(lines, whole, side, { count: code.lines.length, lead: code.lead, trail: code.trail }),
  })
  const there = standsAt(found, draft.lines, side)
    ?? (whole.inList && standsAt(found, otherComma(found.language, draft.lines), side))
  if (there === undefined) {
    await refuseOpen(verb, found, draft)
    return writeDraft(verb, found, draft, context)
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
