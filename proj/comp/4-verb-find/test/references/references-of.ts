import { relative } from 'node:path'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { findIdentifiers, parseDefinitions, readName } from '../../../2-syntax/src/index.js'
import type { NamePlace } from '../../src/symbols/references/candidate.js'
import { type ReferenceSet, resolveReferences } from '../../src/symbols/references/resolve-references.js'
import { WorkTime } from '../../src/symbols/references/work-time.js'
import { sourceTexts } from '../../../../test/support/source-texts.js'

/**
 * All that a name, with or without containers, can mean in the root, and where it is used, by a plain walk. With `in`
 * and a file, and perhaps a line, only what is defined there: `run in b.go:3`. Its work has no limit unless one is
 * given: a busy machine does more of it.
 */
export async function referencesOf(
  written: string, context: VerbContext, time = new WorkTime(context.signal, Infinity),
): Promise<ReferenceSet & { definitions: NamePlace[] }> {
  const [name = '', where = ''] = written.split(' in ')
  const wanted = readName(name)
  const definitions: NamePlace[] = []
  const candidates: NamePlace[] = []
  for await (const { path, language, text } of sourceTexts(context)) {
    if (!text.includes(wanted.name)) continue
    for (const definition of await parseDefinitions(language, text)) {
      if (!wanted.in(language).matches(definition)) continue
      const file = relative(context.session.root, path)
      const isThere = /:\d+$/.test(where) ? `${file}:${definition.nameLine}`.endsWith(where) : file.includes(where)
      if (!isThere) continue
      definitions.push({ path, language, line: definition.nameLine, column: definition.nameColumn })
    }
    const places = await findIdentifiers(language, text, wanted.name)
    candidates.push(...places.map((place) => ({ path, language, ...place })))
  }
  return { definitions, ...await resolveReferences('find_symbol', definitions, candidates, context, time) }
}
