import type { VerbContext } from '../../../../0-contracts/src/index.js'
import { identifierAt, ParseTime } from '../../../../2-syntax/src/index.js'
import { type DefinitionAnswer, type FoundDefinition, resolvedIn, type SourceText } from '../found-definition.js'
import { KeptUnits } from './kept-units.js'

/**
 * Finds what a name means, by scopes, packages, imports and declared types.
 *
 * @returns `undefined` where that is unknown, or there is no name at the place
 * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
 */
export async function findInScopes(
  file: SourceText, line: number, column: number, context: VerbContext,
): Promise<DefinitionAnswer | undefined> {
  const name = await identifierAt(file.language, file.text, line, column)
  if (!name) return undefined
  return KeptUnits.with(context, 'get_definition', async ({ units, meanings }) => {
    const unit = units.unit(file.path)
    const target = unit && meanings.meaningAt(unit, name.line, name.column)?.target
    if (target?.kind !== 'declared') return undefined
    const time = new ParseTime()
    const definitions: FoundDefinition[] = []
    for (const declared of target.all) definitions.push(...await resolvedIn(declared.unit, [declared], context, time))
    return definitions.length === 0 ? undefined : { found: definitions }
  })
}
