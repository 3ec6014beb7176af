import { fitEndings, mostUsedEnding } from './line-endings.js'
import { replaceText } from './replace-text.js'
import { textFinder } from './text-search.js'

/**
 * What to look for a text in: where the text has line breaks, and LF only, the content with LF throughout, since it is
 * what models write for CRLF, too; else the content as it is. Lines are the same in both.
 */
export function withPlainBreaks(content: string, oldText: string): string {
  const isPlain = oldText.includes('\n') && !oldText.includes('\r')
  return isPlain && content.includes('\r\n') ? content.replaceAll('\r\n', '\n') : content
}

/**
 * Replaces `oldText` from left to right, at most `count` times, by `newText`, with line endings as `fitEndings` has
 * them.
 *
 * @param searched where `oldText` is looked for: the content, or `withPlainBreaks` of it
 */
export function replaceFitting(
  content: string, searched: string, oldText: string, newText: string, count = Infinity,
): { result: string; replacements: number } {
  const isPlain = searched !== content
  if (!isPlain && (!newText.includes('\n') || !content.includes('\r\n'))) {
    return replaceText(content, oldText, newText, count)
  }
  const isInLine = !oldText.includes('\n') && !newText.includes('\r') && !oldText.includes('\r')
  const endingAt = endings(content)
  const offsetOf = isPlain ? offsets(content) : (offset: number) => offset
  const indexFrom = textFinder(searched, oldText)
  const pieces: string[] = []
  let [replacements, done] = [0, 0]
  for (let at = indexFrom(0); at !== -1 && replacements < count; at = indexFrom(at + oldText.length)) {
    const [start, end] = [offsetOf(at), offsetOf(at + oldText.length)]
    pieces.push(content.slice(done, start), isInLine
      ? newText.replaceAll('\n', endingAt(end)) : fitEndings(content, { start, end }, newText, oldText))
    done = end
    replacements++
  }
  pieces.push(content.slice(done))
  return { result: pieces.join(''), replacements }
}

/** How the lines end in which offsets are, which must ascend: of a long line there may be many. */
function endings(content: string): (offset: number) => string {
  let [next, ending] = [-1, '']
  return (offset) => {
    if (next >= offset) return ending
    const found = content.indexOf('\n', offset)
    next = found === -1 ? content.length : found
    ending = found === -1 ? mostUsedEnding(content) : content[found - 1] === '\r' ? '\r\n' : '\n'
    return ending
  }
}

/** Offsets of the content for those of it with LF throughout, which must ascend. */
function offsets(content: string): (plain: number) => number {
  let [next, passed] = [content.indexOf('\r\n'), 0]
  return (plain) => {
    while (next !== -1 && next - passed < plain) {
      passed++
      next = content.indexOf('\r\n', next + 2)
    }
    return plain + passed
  }
}
