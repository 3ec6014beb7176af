import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import {
  type LanguageId, parseVisible, type ParseTime, type VisibleDefinition,
} from '../../../2-syntax/src/index.js'
import { type OnSkip, orSkip, sourceFiles } from '../symbols/source-files.js'
import { levelOf } from './outlined-file.js'
import type { RankedFile, RankedName } from './rank-definitions.js'

/** A definition by its place. */
export interface PlacedName extends RankedName {
  line: number
  column: number
}

export interface SourceFacts extends RankedFile<PlacedName> {
  path: ApprovedPath
  language: LanguageId
}

/** What reading source files needs. */
export interface Reading {
  verb: string
  context: VerbContext
  onSkip: OnSkip
  /** Of all files. */
  time: ParseTime
}

/** What the ranking of the files below a directory needs, in order of their paths. */
export async function sourceFacts(
  start: { path: ApprovedPath; shown: string }, includes: (path: ApprovedPath) => boolean,
  { verb, context, onSkip, time }: Reading,
): Promise<SourceFacts[]> {
  const facts: SourceFacts[] = []
  for await (const { path, shown, language, text } of sourceFiles(verb, start.path, start.shown, context, onSkip)) {
    if (!includes(path)) continue
    const definitions = await orSkip(verb, shown, onSkip, () => parseVisible(language, text, time))
    if (definitions) facts.push({ path, shown, language, ...namesOf(definitions, text) })
  }
  return facts
}

function namesOf(all: readonly VisibleDefinition[], text: string): Pick<SourceFacts, 'definitions' | 'uses'> {
  const own = new Set(all.map(({ name }) => name))
  const uses = new Map<string, number>()
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (!own.has(word)) uses.set(word, (uses.get(word) ?? 0) + 1)
  }
  const shared = all.filter((definition) => definition.shared && definition.name.trim() !== '')
  return {
    definitions: shared.map((one) => ({
      name: one.name, kind: one.kind, level: levelOf(one), line: one.nameLine, column: one.nameColumn,
    })),
    uses,
  }
}
