/** What `semantic.bench.mjs` needs of the sources: the passages that are ranked, and the stems of words. */
import { languageOf, parseDefinitions } from '../../comp/2-syntax/src/index.js'
import { type Chunk, cutText, linesOf } from '../../comp/3-code-index/src/passages/chunk.js'

export { stem } from '../../comp/3-code-index/src/passages/stem.js'

export async function passagesOf(path: string, text: string): Promise<Chunk[]> {
  const language = languageOf(path)
  return cutText(path, linesOf(text), language && await parseDefinitions(language, text).catch(() => undefined))
}
