import type { VerbContext } from '../../../0-contracts/src/index.js'
import type { IndexedFile, IndexView, OccurrenceAt } from '../../../3-code-index/src/index.js'
import { type NamePlace, placeKey } from './references/candidate.js'
import { type ReferenceSet, resolveReferences } from './references/resolve-references.js'
import { comparePlaces, type FoundSymbols } from './symbol-search.js'

export interface ResolvedSymbols extends Omit<FoundSymbols, 'references'>, Omit<ReferenceSet, 'references'> {
  /** Resolved ones first, then those by name only; each sorted by path and position. */
  references: (OccurrenceAt & { resolved: boolean })[]
}

/**
 * Resolves the references of found symbols. Uses under another name count if they are in files of the view.
 *
 * @throws HermesError `CANCELLED`
 */
export async function resolveSymbols(
  verb: string, found: FoundSymbols, view: IndexView, context: VerbContext,
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
  const { references, ...told } = await resolveReferences(
    verb, definitions, uses.map(({ file, occurrence }) => placeIn(file, occurrence)), context,
  )
  const all = references.flatMap((reference) => {
    const use = byPlace.get(placeKey(reference)) ?? useAt(reference, view)
    return use ? [{ ...use, resolved: reference.resolved }] : []
  })
  const sorted = all.sort((a, b) => Number(b.resolved) - Number(a.resolved) || comparePlaces(a, b))
  return { ...found, ...told, references: sorted }
}

function useAt(
  { path, line, column, name }: NamePlace & { name?: string }, view: IndexView,
): OccurrenceAt | undefined {
  const file = view.fileAt(path)
  const occurrence = file && view.facts(file)?.occurrences.find((use) => use.line === line && use.column === column)
  if (occurrence) return { file, occurrence }
  // For example within a string, where the index has no occurrence.
  return file && name !== undefined ? { file, occurrence: { name, line, column, kind: 'other' } } : undefined
}

function placeIn({ path, language }: IndexedFile, { line, column }: { line: number; column: number }): NamePlace {
  return { path, language, line, column }
}
