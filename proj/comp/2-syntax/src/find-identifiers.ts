import type { IdentifierPlace } from './definition.js'
import type { LanguageId, ParsedId } from './language-id.js'
import { nameIn } from './node-name.js'
import type { ParseTime } from './parse-time.js'
import { placesByPattern } from './patterns/by-pattern.js'
import { withTree } from './with-tree.js'
import { readAs } from './without-grammar.js'

/**
 * Places where `name` is an identifier, in text order: not in strings and comments, not as part of another name. A
 * leading `$` is ignored for PHP.
 *
 * @throws HermesError as `parseDefinitions`
 */
export async function findIdentifiers(
  language: LanguageId, text: string, name: string, time?: ParseTime,
): Promise<IdentifierPlace[]> {
  const wanted = language === 'php' ? name.replace(/^\$/, '') : name
  if (wanted === '' || !text.includes(wanted)) return []
  return readAs(language, text, {
    parsed: (parsed, source) => placesIn(parsed, source, wanted, time),
    byPattern: (pattern, source) => placesByPattern(pattern, source, wanted),
    notebook: async (notebook) => (await findIdentifiers(notebook.language, notebook.code, wanted, time))
      .map((place) => notebook.inFile(place)),
    none: [],
  }, time)
}

function placesIn(
  language: ParsedId, source: string, wanted: string, time: ParseTime | undefined,
): Promise<IdentifierPlace[]> {
  return withTree(language, source, (tree, grammar, clock) => (
    // `captures` would ignore the time limit.
    grammar.matches('identifiers', tree, clock).flatMap(({ captures }) => captures).flatMap(({ node }) => {
      if (source.slice(node.endIndex - wanted.length, node.endIndex) !== wanted) return []
      const { text: written, line, column } = nameIn(node, grammar.syntax)
      return written === wanted ? [{ line, column }] : []
    })
  ), time)
}
