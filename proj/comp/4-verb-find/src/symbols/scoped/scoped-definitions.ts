import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { readText } from '../../../../2-files/src/index.js'
import { identifierAt, type LanguageId, ParseTime, parseVisible } from '../../../../2-syntax/src/index.js'
import type { DefinitionAnswer, FoundDefinition } from '../found-definition.js'
import { KeptUnits } from './kept-units.js'
import type { Declared } from './scoped-unit.js'

interface Source {
  path: ApprovedPath
  language: LanguageId
  text: string
}

/**
 * Finds what a name means, by scopes, packages, imports and declared types.
 *
 * @returns `undefined` where that is unknown, or there is no name at the place
 * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
 */
export async function findInScopes(
  file: Source, line: number, column: number, context: VerbContext,
): Promise<DefinitionAnswer | undefined> {
  const name = await identifierAt(file.language, file.text, line, column)
  if (!name) return undefined
  return KeptUnits.with(context, 'get_definition', async ({ units, meanings }) => {
    const unit = units.unit(file.path)
    const target = unit && meanings.meaningAt(unit, name.line, name.column)?.target
    if (target?.kind !== 'declared') return undefined
    const time = new ParseTime()
    const found: FoundDefinition[] = []
    for (const declared of target.all) found.push(...await definitionOf(declared, context, time))
    return found.length === 0 ? undefined : { found }
  })
}

async function definitionOf(
  { unit, line, column }: Declared, context: VerbContext, time: ParseTime,
): Promise<FoundDefinition[]> {
  const { path, language } = unit
  const text = readText(context.files, path, context.limits.maxFileBytes, path)
  const definitions = await parseVisible(language, text, time)
  return definitions.filter(({ nameLine, nameColumn }) => nameLine === line && nameColumn === column)
    .map(({ name, kind, startLine, endLine }) => (
      { path, text, name, kind, line, column, startLine, endLine, resolved: true }
    ))
}
