import type { Definition, VisibleDefinition, WantedName } from '../../../2-syntax/src/index.js'
import type { DefinitionAt, IndexedFile, IndexView, OccurrenceAt } from '../../../3-code-index/src/index.js'
import { isIn, type Match, type MatchedName, matchedNames, namesInAnyCase } from './match-names.js'

export interface SymbolRequest {
  wanted: WantedName
  match: Match
  /** Return only this kind. */
  kind: Definition['kind'] | undefined
  withReferences: boolean
}

export interface FoundSymbols {
  /** Best first. */
  symbols: DefinitionAt[]
  /** Sorted by path and position. */
  references: OccurrenceAt[]
  /** Definitions of the same name that do not match the request. */
  elsewhere: VisibleDefinition[]
  /** Files with syntax errors in which the name occurs. */
  incomplete: IndexedFile[]
}

/**
 * Finds definitions, and other occurrences of their names. A name in lower case may match in other case, if none
 * matches exactly.
 */
export function findSymbols(view: IndexView, request: SymbolRequest): FoundSymbols {
  const symbols = findNamed(view, request, matchedIn(view, request))
  const { wanted, match } = request
  if (symbols.symbols.length > 0 || match !== 'exact' || wanted.full !== wanted.full.toLowerCase()) return symbols
  const inAnyCase = findNamed(view, request, namesInAnyCase(view, wanted))
  return inAnyCase.symbols.length > 0 ? inAnyCase : symbols
}

function findNamed(view: IndexView, request: SymbolRequest, names: readonly MatchedName[]): FoundSymbols {
  const ranked: (DefinitionAt & { rank: readonly number[] })[] = []
  const elsewhere: DefinitionAt[] = []
  const places = new Set<string>()
  for (const matched of names) {
    const uses = view.countsOf(matched.name)
    for (const found of view.definitionsNamed(matched.name)) {
      if (found.definition.parameter) continue
      places.add(placeOf(found.file, found.definition.nameLine, found.definition.nameColumn))
      if (isMeant(found, request, matched)) {
        ranked.push({ ...found, rank: rankOf(found.definition, matched, uses.occurrences - uses.definitions) })
      } else elsewhere.push(found)
    }
  }
  ranked.sort((a, b) => compare(a.rank, b.rank) || a.file.index - b.file.index
    || a.definition.nameLine - b.definition.nameLine || a.definition.nameColumn - b.definition.nameColumn)
  elsewhere.sort((a, b) => levelOf(a.definition) - levelOf(b.definition))
  const references = request.withReferences ? names.flatMap(({ name }) => view.occurrencesOf(name)) : []
  const broken = new Set(names.flatMap(({ name }) => view.brokenFilesWith(name)))
  return {
    symbols: ranked,
    references: references.filter(({ file, occurrence: { line, column } }) => !places.has(placeOf(file, line, column)))
      .sort(comparePlaces),
    elsewhere: elsewhere.map(({ definition }) => definition),
    incomplete: [...broken].sort((indexedFile, other) => indexedFile.index - other.index),
  }
}

/** The matching names; PHP's variables may be given with `$`, which is not part of their names. */
function matchedIn(view: IndexView, { wanted, match }: SymbolRequest): MatchedName[] {
  const names = matchedNames(view, wanted, match)
  const bare = wanted.in('php')
  if (bare.name === wanted.name || !view.files.some(({ language }) => language === 'php')) return names
  return [...names, ...matchedNames(view, bare, match)]
}

function isMeant({ file, definition }: DefinitionAt, { wanted, kind }: SymbolRequest, matched: MatchedName): boolean {
  if ((kind ?? definition.kind) !== definition.kind) return false
  const named = wanted.in(file.language)
  // A name with `$` was matched without it for PHP only.
  if (matched.distance === 0 && named.name !== matched.name && wanted.full !== matched.name) return false
  return isIn(definition, named, matched)
}

/** Sort key: nearer names first, then top-level definitions, then the most used. */
function rankOf(definition: VisibleDefinition, { distance }: MatchedName, references: number): number[] {
  return [definition.shared ? 0 : 1, distance, levelOf(definition), -references, KIND_ORDER.indexOf(definition.kind)]
}

const KIND_ORDER: readonly Definition['kind'][] = ['class', 'function', 'method', 'variable']

function levelOf({ shared, container }: VisibleDefinition): number {
  // What is not shared is visible in a function only.
  if (!shared) return 2
  return container === undefined ? 0 : 1
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - b[index]!
  return 0
}

/** Compares by path and position. */
export function comparePlaces(a: OccurrenceAt, b: OccurrenceAt): number {
  return a.file.index - b.file.index || a.occurrence.line - b.occurrence.line
    || a.occurrence.column - b.occurrence.column
}

function placeOf({ index }: IndexedFile, line: number, column: number): string {
  return `${index}:${line}:${column}`
}
