import { HermesError } from '../../../0-contracts/src/index.js'
import { languageOf, parseDefinitions, type ParseTime } from '../../../2-syntax/src/index.js'
import { linesOf } from './chunk-lines.js'
import { type Chunk, cutAtDefinitions, cutPlainly } from './chunk.js'

/**
 * The passages of a file: its definitions where the language is known, else sections and paragraphs.
 *
 * @param path decides the language
 * @param time for parsing, shared by the files of a call
 */
export async function cutText(path: string, text: string, time?: ParseTime): Promise<Chunk[]> {
  const lines = linesOf(text)
  const language = languageOf(path)
  try {
    if (language !== undefined) return cutAtDefinitions(lines, await parseDefinitions(language, text, time))
  } catch (error) {
    // Without grammars, or for a file too large for them, the search is coarser and works all the same.
    if (!(error instanceof HermesError) || error.code === 'CANCELLED') throw error
  }
  return cutWithoutGrammar(path, lines)
}

/** As `cutText` does where no grammar can be used. */
export function cutWithoutGrammar(path: string, lines: readonly string[]): Chunk[] {
  return cutPlainly(lines, { headings: /\.(?:md|mdx|markdown)$/i.test(path) })
}
