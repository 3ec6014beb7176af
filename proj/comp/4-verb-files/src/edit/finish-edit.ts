import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { fullName, loneBracket } from '../../../2-syntax/src/index.js'
import { notesOf, writeText } from '../../../2-files/src/index.js'
import type { Draft } from './draft.js'
import type { FoundDeclaration } from './find-declaration.js'
import type { SymbolResult } from './symbol-schemas.js'

/** Writes a file as drafted, and says where the new lines are. */
export function writeDraft(
  verb: string, { path, target, definition }: FoundDeclaration, draft: Draft, context: VerbContext,
): SymbolResult {
  const written = writeText(verb, path, target, draft.content, context)
  return {
    path, symbol: fullName(definition), startLine: draft.first, endLine: draft.last, ...notesOf(written),
  }
}

/**
 * Refuses new lines of which a bracket lacks its partner, where the file could be parsed before and could not be with
 * them: a body without its last line would swallow what follows.
 *
 * @throws HermesError `INVALID_PARAMETER`
 */
export async function refuseOpen(verb: string, target: FoundDeclaration, { lines, outline }: Draft): Promise<void> {
  if (target.errorLine !== undefined || outline.errorLine === undefined) return
  const lone = await loneBracket(target.language, lines.join('\n'))
  if (lone === undefined) return
  const { bracket, line } = lone
  const isOpen = !/^[)}\]]/.test(bracket)
  const quoted = JSON.stringify((lines[line - 1] ?? '').trim().slice(0, 60))
  throw new HermesError(
    'INVALID_PARAMETER', `${verb}: new_text has a ${bracket} that ${isOpen ? 'is never closed' : 'nothing opens'}`, {
      hint: `Nothing was changed: the file could not be parsed any more. It stands in ${quoted}. `
        + 'Write the whole code, to its last line.',
    },
  )
}
