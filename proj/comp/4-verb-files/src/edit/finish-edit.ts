import type { VerbContext } from '../../../0-contracts/src/index.js'
import { fullName } from '../../../2-syntax/src/index.js'
import { notesOf, writeText } from '../../../2-files/src/index.js'
import type { Draft } from './draft.js'
import type { FoundDeclaration } from './find-declaration.js'
import type { SymbolResult } from './symbol-schemas.js'

/** Writes a file as drafted, and says where the new lines are; what could be parsed before should be afterwards. */
export function writeDraft(
  verb: string, { path, target, definition, errorLine }: FoundDeclaration, draft: Draft, context: VerbContext,
): SymbolResult {
  const broken = draft.outline.errorLine
  if (errorLine === undefined && broken !== undefined) {
    context.advise?.(`The file could be parsed before and now cannot, from line ${broken} on. Look at the new lines.`)
  }
  const written = writeText(verb, path, target, draft.content, context)
  return {
    path, symbol: fullName(definition), startLine: draft.first, endLine: draft.last, ...notesOf(written),
  }
}
