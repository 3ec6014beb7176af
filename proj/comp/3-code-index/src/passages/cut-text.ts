import { isMarkdown } from '../../../0-text/src/index.js'
import type { Definition } from '../../../2-syntax/src/index.js'
import { linesOf } from './chunk-lines.js'
import { type Chunk, cutAtDefinitions, cutPlainly } from './chunk.js'

/**
 * The passages of a file: its definitions, else sections and paragraphs.
 *
 * @param definitions absent of prose, and of code that could not be parsed: its search is coarser
 */
export function cutText(path: string, text: string, definitions?: readonly Definition[]): Chunk[] {
  const lines = linesOf(text)
  if (definitions) return cutAtDefinitions(lines, definitions)
  return cutPlainly(lines, { headings: isMarkdown(path) })
}
