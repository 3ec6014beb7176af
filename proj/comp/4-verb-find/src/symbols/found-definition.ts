import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { readText } from '../../../2-files/src/index.js'
import { type Definition, type LanguageId, type ParseTime, parseVisible } from '../../../2-syntax/src/index.js'

/** A source file with its text. */
export interface SourceText {
  path: ApprovedPath
  language: LanguageId
  text: string
}

/** What a name means: where it is defined, and the module outside the root that it comes from, if so. */
export interface DefinitionAnswer {
  found: FoundDefinition[]
  external?: string
}

/** A definition with the text it is in; of its own or of a library outside the root. */
export interface FoundDefinition {
  path?: ApprovedPath
  /** File of TypeScript's own library. */
  library?: string
  /** Of the whole file. */
  text: string
  name: string
  kind: Definition['kind']
  /** Of the name; 1-based, the column in UTF-16 units. */
  line: number
  column: number
  startLine: number
  endLine: number
  /** By types, scopes or imports; false: only by name. */
  resolved: boolean
}

/** Whether the name of a definition is at a place. */
export function isNamedAt(
  { nameLine, nameColumn }: Definition, { line, column }: { line: number; column: number },
): boolean {
  return nameLine === line && nameColumn === column
}

export function foundIn(
  { path, text }: Pick<SourceText, 'path' | 'text'>, definition: Definition, resolved: boolean,
): FoundDefinition {
  const { name, kind, nameLine: line, nameColumn: column, startLine, endLine } = definition
  return { path, text, name, kind, line, column, startLine, endLine, resolved }
}

/** The definitions in a file whose names are at places that scopes or imports lead to. */
export async function resolvedIn(
  { path, language }: Pick<SourceText, 'path' | 'language'>, places: readonly { line: number; column: number }[],
  context: VerbContext, time: ParseTime,
): Promise<FoundDefinition[]> {
  const text = readText(context.files, path, context.limits.maxFileBytes, path)
  const definitions = await parseVisible(language, text, time)
  return places.flatMap((place) => definitions.filter((definition) => isNamedAt(definition, place)))
    .map((definition) => foundIn({ path, text }, definition, true))
}
