import { basename, dirname } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { addTo } from '../../../../0-text/src/index.js'
import { readText } from '../../../../2-files/src/index.js'
import {
  identifierAt, type IdentifierUse, type LanguageId, ParseTime, parseVisible, type VisibleDefinition,
} from '../../../../2-syntax/src/index.js'
import { type IndexedFile, indexOf } from '../../../../3-code-index/src/index.js'
import { type FoundDefinition, foundIn, isNamedAt, type SourceText } from '../found-definition.js'
import { orSkip } from '../or-skip.js'
import { isMember, lastName, visibleAt } from './visible.js'

/** Distance of a definition from the use: in an imported file, in the same directory, or anywhere. */
type Distance = 0 | 1 | 2

/**
 * Finds the definitions that a use may refer to, by scope and name: in the same file first, then in files that it
 * imports, then in its directory, then anywhere below the root. Types are not known, so members of several classes may
 * be found.
 *
 * @returns `undefined` where there is no identifier at the place
 */
export async function findByScope(
  source: SourceText, line: number, column: number, context: VerbContext,
): Promise<FoundDefinition[] | undefined> {
  const time = new ParseTime()
  const use = await identifierAt(source.language, source.text, line, column, time)
  if (!use) return undefined
  const here = visibleAt(use, await parseVisible(source.language, source.text, time))
  const isCertain = use.qualifier === undefined || here.some((definition) => isNamedAt(definition, use))
  if (here.length > 0) return preferBodies(here).map((definition) => foundIn(source, definition, isCertain))
  return findElsewhere(use, source, context)
}

const VERB = 'get_definition'

async function findElsewhere(use: IdentifierUse, source: SourceText, context: VerbContext): Promise<FoundDefinition[]> {
  const imported = importedNames(source.text)
  const root = context.gate.approve('.', 'read')
  const view = await indexOf(context).refresh({ start: root, kind: 'directory', shown: root, verb: VERB }, context)
  const ofFiles = new Map<IndexedFile, VisibleDefinition[]>()
  for (const { file, definition } of view.definitionsNamed(use.name)) {
    if (file.path === source.path || !isRelated(file.language, source.language) || !isMeant(definition, use)) continue
    addTo(ofFiles, file, definition)
  }
  const ranked: [IndexedFile[], IndexedFile[], IndexedFile[]] = [[], [], []]
  for (const file of ofFiles.keys()) ranked[distance(file.path, source, imported)].push(file)
  const nearest = ranked.find((files) => files.length > 0) ?? []
  const definitions: FoundDefinition[] = []
  for (const file of nearest) {
    if (definitions.length >= context.limits.maxMatches) break
    const text = await orSkip(VERB, file.shown, () => undefined, () => (
      readText(context.files, file.path, context.limits.maxFileBytes, file.shown)
    ))
    if (text === undefined) continue
    const meant = preferBodies(ofFiles.get(file) ?? [])
    definitions.push(...meant.map((definition) => foundIn({ path: file.path, text }, definition, false)))
  }
  return definitions.slice(0, context.limits.maxMatches)
}

function isMeant(definition: VisibleDefinition, { qualifier }: IdentifierUse): boolean {
  if (!definition.shared) return false
  // A module's functions can also be used with its name.
  return qualifier !== undefined || definition.kind !== 'method' || !isMember(definition)
}

function distance(path: ApprovedPath, source: SourceText, imported: ReadonlySet<string>): Distance {
  const stem = basename(path).replace(/\.[^.]*$/, '')
  if (imported.has(stem) || imported.has(basename(dirname(path)))) return 0
  return dirname(path) === dirname(source.path) ? 1 : 2
}

/** Languages whose files use one another's definitions. */
const FAMILIES: readonly (readonly LanguageId[])[] = [
  ['c', 'cpp'], ['typescript', 'tsx', 'javascript', 'vue', 'svelte', 'astro'],
]

function isRelated(languageId: LanguageId, other: LanguageId): boolean {
  return languageId === other || FAMILIES.some((family) => family.includes(languageId) && family.includes(other))
}

const IMPORT =
  /^[ \t]*(?:#[ \t]*include|import|from|use|using|require(?:_relative|_once)?|include(?:_once)?|mod|package)\b(.*)$/gm
/** An import statement over several lines. */
const IMPORT_BLOCK = /^import[ \t]*\(([^)]*)\)/gm

/** The words in a text's import statements. */
function importedNames(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const pattern of [IMPORT, IMPORT_BLOCK]) {
    for (const [, rest = ''] of text.matchAll(pattern)) {
      for (const [word] of rest.matchAll(/[\p{L}\p{N}_-]+/gu)) names.add(word)
    }
  }
  return names
}

/** Prefers functions with a body to mere declarations: with a body they usually have more than one line. */
function preferBodies(definitions: VisibleDefinition[]): VisibleDefinition[] {
  const longest = definitions.filter(({ startLine, endLine }) => endLine > startLine)
  const isCallable = definitions.every(({ kind }) => kind === 'function' || kind === 'method')
  const containers = new Set(definitions.map(({ container = '' }) => lastName(container)))
  return isCallable && longest.length > 0 && containers.size === 1 ? longest : definitions
}
