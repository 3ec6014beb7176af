import * as v from 'valibot'
import { defineVerb, text, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkInserted, indentLength, type LineRange } from '../../../1-edits/src/index.js'
import { fullName } from '../../../2-syntax/src/index.js'
import { deletedLines } from './blank-lines.js'
import { adviseOnRename, checkDeclares, checkLost } from './check-declaration.js'
import { type Draft, draftOf, withLines } from './draft.js'
import { EDIT } from './edit-verb.js'
import { type FoundDeclaration, findDeclaration, outlineOf } from './find-declaration.js'
import { refuseOpen, writeDraft } from './finish-edit.js'
import { withOldHeader } from './kept-header.js'
import { beginsWithComment, type NewCode, readNewCode, withTail } from './new-code.js'
import { placesOf } from './standing-lines.js'
import { SYMBOL_CONSTRAINTS, symbolArgs, type SymbolResult, symbolResult } from './symbol-schemas.js'

const VERB = 'symbol_replace'

/** Replaces a whole declaration, found by its name. */
export const symbolReplace = defineVerb({
  ...EDIT,
  name: VERB,
  description: 'Replace the whole declaration of a class, function, method or variable, without quoting it: with its '
    + 'signature and body. The comment above it stays, unless new_text begins with one; so do decorators, attributes '
    + 'and export where new_text has none. New lines are indented as the declaration is and end as its lines do. Empty '
    + 'new_text deletes it.',
  constraints: [
    ...SYMBOL_CONSTRAINTS,
    'new_text must be a whole declaration. A comma, semicolon or comment behind the old one stays.',
  ],
  primary: 'path',
  onlyFile: 'path',
  args: v.strictObject({ ...symbolArgs, new_text: text('The whole new declaration.') }),
  result: symbolResult,
  examples: [
    { path: 'src/sum.ts', symbol: 'sum', new_text: 'export function sum(a: number, b: number) {\n  return a + b\n}\n' },
    { path: 'src/server.py', symbol: 'Server.stop', new_text: 'def stop(self):\n    self.socket.close()\n' },
  ],
  async handler({ path, symbol, line, new_text: newText }, context) {
    const target = await findDeclaration(VERB, { path, symbol, line }, context)
    const written = readNewCode(newText)
    if (written.lines.length === 0) return remove(target, context)
    const kept: string[] = []
    const code = withOldHeader(target, written, { ...context, advise: (hint) => void kept.push(hint) })
    const { whole, content, language, lines } = target
    const first = beginsWithComment(language, code) ? whole.commentLine : whole.firstLine
    const range = { first, last: whole.lastLine }
    const removed = lines.slice(first - 1, whole.lastLine).join('\n')
    checkInserted({ verb: VERB, parameter: 'new_text', path, content, removed, inserted: newText })
    const draft = await replaced(target, range, code)
    const there = draft.content === content ? draft.first : standsAt(target, draft)
    if (there !== undefined) {
      const endLine = there + draft.lines.length - 1
      return { path, symbol: fullName(target.definition), startLine: there, endLine, alreadyApplied: true as const }
    }
    await refuseOpen(VERB, target, draft)
    checkDeclares(VERB, target, draft)
    for (const hint of kept) context.advise?.(hint)
    adviseOnRename(target, draft, context)
    return writeDraft(VERB, target, draft, context)
  },
})

/**
 * Drafts the new declaration with what followed the old one; keeps the old semicolon only if it does not belong to the
 * declaration, or the new one takes it.
 */
async function replaced(declaration: FoundDeclaration, range: LineRange, code: NewCode): Promise<Draft> {
  const { whole: { tail, semicolon }, language } = declaration
  const draft = await drafted(tail)
  if (!semicolon) return draft
  const isOwn = [...draft.outline.wholes.values()].some((whole) => whole.semicolon && whole.lastLine === draft.last)
  return isOwn ? draft : drafted(tail.replace(/^\s*;/, ''))

  function drafted(kept: string): Promise<Draft> {
    const last = withTail(language, kept, code)
    return draftOf(VERB, declaration, range, {
      written: [...code.lines.slice(0, -1), last.line], tail: last.tail, lead: 0, trail: 0,
    })
  }
}

/** The line from which the file already has all new lines, the declaration among them. */
function standsAt({ lines, whole }: FoundDeclaration, draft: Draft): number | undefined {
  return placesOf(lines, draft.lines).find((start) => (
    start <= whole.firstLine && start + draft.lines.length > whole.lastLine
  ))
}

async function remove(declaration: FoundDeclaration, context: VerbContext): Promise<SymbolResult> {
  checkLost(VERB, declaration, [])
  const range = deletedLines(declaration.lines, declaration.whole)
  const left = leftFor(declaration)
  const content = withLines(declaration.content, range, left)
  const outline = await outlineOf(VERB, declaration.language, content, { lines: [range.first, range.first] })
  if (left.length > 0) context.advise?.('It was all of its block: pass was left there.')
  const last = range.first + left.length - 1
  return writeDraft(VERB, declaration, { content, first: range.first, last, lines: left, outline }, context)
}

/** The statement that Python requires in place of a block's only one. */
function leftFor({ language, whole, lines }: FoundDeclaration): string[] {
  if (language !== 'python' || !whole.alone) return []
  const line = lines[whole.firstLine - 1] ?? ''
  return [`${line.slice(0, indentLength(line))}pass`]
}
