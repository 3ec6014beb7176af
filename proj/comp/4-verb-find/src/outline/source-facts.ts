import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import {
  type Facts, type LanguageId, parseFacts, type ParseTime,
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
    const parsed = await orSkip(verb, shown, onSkip, () => parseFacts(language, text, time))
    if (parsed) facts.push({ path, shown, language, ...namesOf(parsed) })
  }
  return facts
}

function namesOf(
  { definitions: all, occurrences, imports }: Facts,
): Pick<SourceFacts, 'definitions' | 'uses' | 'imports'> {
  const own = new Set(all.map(({ name }) => name))
  const uses = new Map<string, number>()
  for (const { name } of occurrences) if (!own.has(name)) uses.set(name, (uses.get(name) ?? 0) + 1)
  const shared = all.filter((definition) => definition.shared && definition.name.trim() !== '')
  return {
    definitions: shared.map((one) => ({
      name: one.name, kind: one.kind, level: levelOf(one), line: one.nameLine, column: one.nameColumn,
    })),
    uses,
    imports: new Set(imports.flatMap(({ module, name = '' }) => (
      `${withoutExtension(module)} ${name}`.match(WORD) ?? []
    ))),
  }
}

const WORD = /[\p{L}\p{N}_$-]+/gu

/** TypeScript imports `./a.js` and means a.ts; C includes `a.h` for a.c. */
function withoutExtension(module: string): string {
  return module.replace(/\.(?:[cm]?[jt]sx?|h|hh|hpp|hxx|rb|php)$/, '')
}
