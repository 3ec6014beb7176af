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
  return withTree(language, source, (tree, { identifiers, syntax }, clock) => {
    const places: IdentifierPlace[] = []
    // `captures` would ignore the time limit.
    const matches = identifiers.matches(tree.rootNode, { progressCallback: clock.isLate })
    for (const { node } of matches.flatMap(({ captures }) => captures)) {
      if (source.slice(node.endIndex - wanted.length, node.endIndex) !== wanted) continue
      const { text: found, offset } = nameIn(node, syntax)
      if (found !== wanted) continue
      places.push({ line: node.startPosition.row + 1, column: node.startPosition.column + 1 + offset })
    }
    // A query that was stopped early has incomplete results.
    clock.check()
    return places
  }, time)
}
