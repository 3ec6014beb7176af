import { basename, dirname } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { addTo } from '../../../../0-text/src/index.js'
import { readText } from '../../../../2-files/src/index.js'
import {
  identifierAt, ParseTime, parseVisible, type IdentifierUse, type LanguageId, type VisibleDefinition,
} from '../../../../2-syntax/src/index.js'
import { indexOf, type IndexedFile } from '../../../../3-code-index/src/index.js'
import { foundIn, isNamedAt, type FoundDefinition, type SourceText } from '../found-definition.js'
import { orSkip } from '../or-skip.js'

/** Names by which a method refers to its own object or class. */
const SELF = new Set(['this', 'self', 'Self', 'cls', 'super', 'static', 'parent', 'base', '@'])

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
  const languages = FAMILIES.find((family) => family.includes(source.language)) ?? [source.language]
  const ofFiles = new Map<IndexedFile, VisibleDefinition[]>()
  for (const { file, definition } of view.definitionsNamed(use.name)) {
    if (file.path === source.path || !languages.includes(file.language) || !isMeant(definition, use)) continue
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

/**
 * The definitions in one file that a use may refer to. A plain name refers to the innermost definition around the use,
 * and of several variables to the last one before it; a name after a dot is a member.
 */
function visibleAt(use: IdentifierUse, definitions: readonly VisibleDefinition[]): VisibleDefinition[] {
  const named = definitions.filter(({ name }) => name === use.name)
  const own = named.filter((definition) => isNamedAt(definition, use))
  if (own.length > 0) return own
  return use.qualifier === undefined ? innermost(use, named) : members(use, use.qualifier, named, definitions)
}

function innermost(use: IdentifierUse, named: readonly VisibleDefinition[]): VisibleDefinition[] {
  let best: VisibleDefinition[] = []
  let bestDepth = -1
  for (const definition of named) {
    if (definition.within && !isInside(use, definition.within)) continue
    const { depth } = definition
    if (depth > bestDepth) [best, bestDepth] = [[definition], depth]
    else if (depth === bestDepth) best.push(definition)
  }
  if (best.every(({ kind }) => kind === 'variable')) {
    const before = best.filter((definition) => isBefore(definition, use))
    return before.length > 0 ? before.slice(-1) : best.slice(0, 1)
  }
  return best
}

/** Members of the object's own class, of the named container, or else all members of that name. */
function members(
  use: IdentifierUse, qualifier: string, named: readonly VisibleDefinition[], all: readonly VisibleDefinition[],
): VisibleDefinition[] {
  const candidates = named.filter(isMember)
  const around = all.findLast((definition) => definition.kind === 'class' && isInside(use, definition))
  const method = all.findLast(({ kind, container, ...extent }) => (
    kind === 'method' && container !== undefined && isInside(use, extent as VisibleDefinition)
  ))
  const wanted = SELF.has(qualifier) ? [around?.name, method?.container] : [qualifier]
  const meant = candidates.filter(({ container = '' }) => (
    wanted.includes(container) || wanted.includes(lastName(container))
  ))
  return meant.length > 0 ? meant : candidates
}

/** Whether it is in a class, or defined for one elsewhere. */
function isMember({ parameter, container, within }: VisibleDefinition): boolean {
  return !parameter && container !== undefined && (within === undefined || within.kind === 'class')
}

function lastName(container: string): string {
  return container.slice(container.lastIndexOf('.') + 1)
}

type Extent = Pick<VisibleDefinition, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'>

function isInside({ line, column }: IdentifierUse, { startLine, startColumn, endLine, endColumn }: Extent): boolean {
  return (line > startLine || (line === startLine && column >= startColumn))
    && (line < endLine || (line === endLine && column < endColumn))
}

function isBefore({ nameLine, nameColumn }: VisibleDefinition, { line, column }: IdentifierUse): boolean {
  return nameLine < line || (nameLine === line && nameColumn < column)
}
