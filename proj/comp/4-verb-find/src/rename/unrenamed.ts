import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import type { LanguageId } from '../../../2-syntax/src/index.js'
import { indexOf, type IndexView } from '../../../3-code-index/src/index.js'
import { FileLines } from '../symbols/file-lines.js'
import { type NamePlace, placeKey } from '../symbols/references/candidate.js'
import { resolveReferences } from '../symbols/references/resolve-references.js'

/** All source files of the root, as they are now. */
export async function viewOfRoot(verb: string, context: VerbContext): Promise<IndexView> {
  const start = context.gate.approve(context.session.root, 'read')
  return indexOf(context).refresh({ start, kind: 'directory', shown: '.', verb }, context)
}

/**
 * Where a name stands that a rename does not touch, and that is not known to mean something else.
 *
 * @param renamed keys of the places that it does touch
 */
export async function unrenamedPlaces(
  verb: string, view: IndexView, renamed: ReadonlySet<string>,
  definition: { name: string; path: ApprovedPath; line: number; column: number; language: LanguageId },
  context: VerbContext,
) {
  const candidates = view.occurrencesOf(definition.name)
    .map(({ file: { path, language }, occurrence: { line, column } }): NamePlace => ({ path, language, line, column }))
    .filter((place) => !renamed.has(placeKey(place)))
  if (candidates.length === 0) return []
  // Servers have been asked already: this tells what is known to be something else.
  const { references } = await resolveReferences(
    verb, [definition], candidates, { ...context, policy: { ...context.policy, languageServers: [] } },
  )
  const lines = new FileLines(context)
  return references.flatMap(({ path, line, column, name = definition.name }) => {
    const file = renamed.has(placeKey({ path, line, column })) ? undefined : view.fileAt(path)
    const text = file && lines.at(file, { name, line, column })
    return file && text !== undefined ? [{ path: file.shown, line, column, text }] : []
  })
}
