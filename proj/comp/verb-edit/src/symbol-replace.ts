import * as v from 'valibot'
import { defineVerb, text, type VerbContext } from '../../contracts/src/index.js'
import { checkInserted } from '../../edits/src/index.js'
import { fullName } from '../../syntax/src/index.js'
import { deletedLines } from './blank-lines.js'
import { adviseOnLoss, checkDeclares, checkLost } from './check-declaration.js'
import { type Draft, draftOf, withLines } from './draft.js'
import { type FoundDeclaration, findDeclaration, outlineOf } from './find-declaration.js'
import { writeDraft } from './finish-edit.js'
import { beginsWithComment, keptTail, readNewCode } from './new-code.js'
import { placesOf } from './standing-lines.js'
import { SYMBOL_CONSTRAINTS, symbolArgs, type SymbolResult, symbolResult } from './symbol-schemas.js'

const VERB = 'symbol_replace'

/** Issue 'Every edit format', structural edits. */
export const symbolReplace = defineVerb({
  name: VERB,
  vocabulary: 'clada',
  description: 'Replace the whole declaration of a class, function, method or variable, without quoting it: with its '
    + 'signature, body, decorators, attributes and export. The comment above it stays, unless new_text begins with '
    + 'one. New lines are indented as the declaration is and end as its lines do. Empty new_text deletes it.',
  category: 'edit',
  version: '1.0.0',
  type: 'write',
  accessibility: ['llm'],
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
    const found = await findDeclaration(VERB, { path, symbol, line }, context)
    const code = readNewCode(newText)
    if (code.lines.length === 0) return remove(found, context)
    const { whole, content, language, lines } = found
    const first = beginsWithComment(language, code) ? whole.commentLine : whole.firstLine
    const range = { first, last: whole.lastLine }
    const removed = lines.slice(first - 1, whole.lastLine).join('\n')
    checkInserted({ verb: VERB, parameter: 'new_text', path, content, removed, inserted: newText })
    const draft = await draftOf(VERB, found, range, {
      written: code.lines, tail: keptTail(whole.tail, code), lead: 0, trail: 0,
    })
    const there = draft.content === content ? draft.first : standsAt(found, draft)
    if (there !== undefined) {
      const endLine = there + draft.lines.length - 1
      return { path, symbol: fullName(found.definition), startLine: there, endLine, alreadyApplied: true as const }
    }
    checkDeclares(VERB, found, draft)
    adviseOnLoss(found, draft, context)
    return writeDraft(VERB, found, draft, context)
  },
})

/** The line from which all new lines are in the file already, the declaration among them. */
function standsAt({ lines, whole }: FoundDeclaration, draft: Draft): number | undefined {
  return placesOf(lines, draft.lines).find((start) => (
    start <= whole.firstLine && start + draft.lines.length > whole.lastLine
  ))
}

async function remove(found: FoundDeclaration, context: VerbContext): Promise<SymbolResult> {
  checkLost(VERB, found, [])
  const range = deletedLines(found.lines, found.whole)
  const content = withLines(found.content, range, [])
  const outline = await outlineOf(VERB, found.language, content, { lines: [range.first, range.first] })
  return writeDraft(VERB, found, { content, first: range.first, last: range.first - 1, lines: [], outline }, context)
}
