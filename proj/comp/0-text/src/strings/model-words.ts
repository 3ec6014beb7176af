import { brokenLine } from './break-lines.js'
import { clip } from './clip.js'
import { printable } from './escape.js'

/** Longer texts would push the question out of sight. */
export const MOST_MODEL_WORDS = 2000
const MARK = '  | '

/**
 * Words of a model as lines that cannot be taken for hermes' own: each begins with a mark, also where the terminal
 * would break it; control characters and those that turn the direction of text are shown as escapes.
 *
 * @param columns width of the terminal
 * @param most of the text is shown, in UTF-16 units
 */
export function modelWords(text: string, columns: number, most = MOST_MODEL_WORDS): string {
  const width = Math.max(columns - MARK.length - 1, 20)
  return clip(text, most).split(/\r\n|\n|\r/)
    .flatMap(line => brokenLine(printable(line), width))
    .map(line => `${MARK}${line}\n`)
    .join('')
}
