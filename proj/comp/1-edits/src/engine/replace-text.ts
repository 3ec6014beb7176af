import { textFinder } from './text-search.js'

/**
 * Replaces `oldText` from left to right, at most `count` times (default: all), byte for byte: nothing in `newText` is
 * special. An empty `oldText` replaces nothing. Seed 002 `replaceText`.
 *
 * @param from offset before which `oldText` does not begin
 */
export function replaceText(
  content: string, oldText: string, newText: string, count = Infinity, from = 0,
): { result: string; replacements: number } {
  const pieces: string[] = []
  const indexFrom = textFinder(content, oldText)
  let [end, searched] = [0, from]
  while (oldText !== '' && pieces.length < count) {
    const at = indexFrom(searched)
    if (at === -1) break
    pieces.push(content.slice(end, at))
    end = at + oldText.length
    searched = end
  }
  const replacements = pieces.length
  pieces.push(content.slice(end))
  return { result: pieces.join(newText), replacements }
}
