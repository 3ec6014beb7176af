import type { Definition, VisibleDefinition } from './definition.js'
import type { LanguageId } from './language-id.js'
import type { ParseTime } from './parse-time.js'
import { definitionsByPattern } from './patterns/by-pattern.js'
import { moveToFile } from './notebook.js'
import { withPieces } from './parse-again.js'
import { readAs } from './without-grammar.js'

/**
 * The definitions of a source text, in text order; for code with errors, those that can be recognised.
 *
 * @param time shared by the texts of a call. Default: 5 seconds for this one
 * @throws HermesError `FILE_TOO_LARGE` over 1,048,576 characters, `TIMEOUT`, `NOT_INSTALLED`
 */
export async function parseDefinitions(language: LanguageId, text: string, time?: ParseTime): Promise<Definition[]> {
  return (await parseVisible(language, text, time)).filter(({ parameter }) => !parameter).map(plain)
}

function plain({
  parameter: _parameter, within: _within, depth: _depth, shared: _shared, ...definition
}: VisibleDefinition): Definition {
  return definition
}

/** As `parseDefinitions`, including parameters, with the container of each definition. */
export async function parseVisible(
  language: LanguageId, text: string, time?: ParseTime,
): Promise<VisibleDefinition[]> {
  return readAs(language, text, {
    parsed: (parsed, source) => withPieces(parsed, source, (pieces) => (
      pieces.flatMap(({ defined }) => defined.map(({ definition }) => definition))
    ), time),
    byPattern: definitionsByPattern,
    notebook: async (notebook) => (await parseVisible(notebook.language, notebook.code, time))
      .map((definition) => moveToFile(notebook, definition)),
    none: [],
  }, time)
}
