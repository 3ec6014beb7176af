/** What the trial of references needs, as one module. */
import type { VerbContext } from '../comp/0-contracts/src/index.js'
import { parseFacts } from '../comp/2-syntax/src/index.js'
import type { NamePlace } from '../comp/4-verb-find/src/symbols/references/candidate.js'
import { resolveReferences } from '../comp/4-verb-find/src/symbols/references/resolve-references.js'
import { sourceTexts } from '../test/support/source-texts.js'

export { contextFor } from './symbols-entry.js'
export { randomNumbers, sample } from '../comp/4-verb-find/test/symbols/agreement.js'

export interface SampledDefinition extends NamePlace {
  name: string
  kind: string
}

/** What the files of a root define that can be used elsewhere, and where each name stands. */
export async function codeOf(context: VerbContext, languages: readonly string[]): Promise<{
  files: number; definitions: SampledDefinition[]; places: Map<string, NamePlace[]>
}> {
  const definitions: SampledDefinition[] = []
  const places = new Map<string, NamePlace[]>()
  let files = 0
  for await (const { path, language, text } of sourceTexts(context)) {
    if (!languages.includes(language)) continue
    files++
    const facts = await parseFacts(language, text)
    for (const { name, kind, nameLine: line, nameColumn: column, shared } of facts.definitions) {
      if (shared) definitions.push({ name, kind, path, language, line, column })
    }
    for (const { name, line, column } of facts.occurrences) {
      const known = places.get(name) ?? []
      known.push({ path, language, line, column })
      places.set(name, known)
    }
  }
  return { files, definitions, places }
}

export { resolveReferences }
