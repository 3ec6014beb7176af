import { fitEndings, mostUsedEnding } from './line-endings.js'
import { replaceText } from './replace-text.js'
import { textFinder } from './text-search.js'

/**
 * The text to search: `content` with LF throughout where `oldText` has line breaks and only LF, as models write CRLF
 * files too; else `content` itself. Line numbers are the same in both.
 */
export function withPlainBreaks(content: string, oldText: string): string {
  const isPlain = oldText.includes('\n') && !oldText.includes('\r')
  return isPlain && content.includes('\r\n') ? content.replaceAll('\r\n', '\n') : content
}

/**
 * Replaces `oldText` by `newText` from left to right, at most `count` times, with line endings by `fitEndings`.
 *
 * @param searched the content or its `withPlainBreaks`, in which `oldText` is searched
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

/** Gives the line ending at an offset; offsets must ascend, and many may lie in one long line. */
function endings(content: string): (offset: number) => string {
  let [next, ending] = [-1, '']
  return (offset) => {
    if (next >= offset) return ending
    const index = content.indexOf('\n', offset)
    next = index === -1 ? content.length : index
    ending = index === -1 ? mostUsedEnding(content) : content[index - 1] === '\r' ? '\r\n' : '\n'
    return ending
  }
}

/** Maps offsets of the text with LF throughout to offsets of `content`; they must ascend. */
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
