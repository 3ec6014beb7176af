import type { VerbContext } from '../../../0-contracts/src/index.js'
import type { IndexedFile, IndexView, OccurrenceAt } from '../../../3-code-index/src/index.js'
import { type NamePlace, placeKey } from './references/candidate.js'
import { resolveReferences } from './references/resolve-references.js'
import { comparePlaces, type FoundSymbols } from './symbol-search.js'

export interface ResolvedSymbols extends Omit<FoundSymbols, 'references'> {
  /** Those that are resolved first, then those only of the name; each by path and place. */
  references: (OccurrenceAt & { resolved: boolean })[]
  /** Places of the name that mean something else. */
  unrelated: number
  /** References that are not resolved since there was no time for it. */
  undecided: number
  /** Why only names were compared, where that is so. */
  onlyByName: string[]
}

/**
 * Symbols with what else of their places means them. Uses under another name count where they are in the files of the
 * view.
 *
 * @throws HermesError `CANCELLED`
 */
export async function resolveSymbols(
  found: FoundSymbols, view: IndexView, context: VerbContext,
): Promise<ResolvedSymbols> {
  const { symbols, references: uses } = found
  if (symbols.length === 0 || uses.length === 0) {
    const references = uses.map((use) => ({ ...use, resolved: false }))
    return { ...found, references, unrelated: 0, undecided: 0, onlyByName: [] }
  }
  const definitions = symbols.map(({ file, definition: { nameLine, nameColumn } }) => (
    placeIn(file, { line: nameLine, column: nameColumn })
  ))
  const byPlace = new Map(uses.map((use) => [placeKey(placeIn(use.file, use.occurrence)), use]))
  const { references, unrelated, undecided, onlyByName } = await resolveReferences(
    definitions, uses.map(({ file, occurrence }) => placeIn(file, occurrence)), context,
  )
  const all = references.flatMap((reference) => {
    const use = byPlace.get(placeKey(reference)) ?? useAt(reference, view)
    return use ? [{ ...use, resolved: reference.resolved }] : []
  })
  const sorted = all.sort(comparePlaces)
  const byName = sorted.filter((use) => !isResolved(use))
  return { ...found, references: [...sorted.filter(isResolved), ...byName], unrelated, undecided, onlyByName }
}

function isResolved({ resolved: is }: { resolved: boolean }): boolean {
  return is
}

function useAt(
  { path, line, column, name }: NamePlace & { name?: string }, view: IndexView,
): OccurrenceAt | undefined {
  const file = view.fileAt(path)
  const occurrence = file && view.facts(file)?.occurrences.find((one) => one.line === line && one.column === column)
  if (occurrence) return { file, occurrence }
  // In a string, say, where the index has none.
  return file && name !== undefined ? { file, occurrence: { name, line, column, kind: 'other' } } : undefined
}

function placeIn({ path, language }: IndexedFile, { line, column }: { line: number; column: number }): NamePlace {
  return { path, language, line, column }
}
