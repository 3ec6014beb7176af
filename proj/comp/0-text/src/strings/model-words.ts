import { clip } from './clip.js'
import { escapeControls } from './escape.js'

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
    .flatMap(line => broken(escapeControls(line).replaceAll('\t', '    '), width))
    .map(line => `${MARK}${line}\n`)
    .join('')
}

/** What is not ASCII counts as two columns: some of it takes two, none more. */
function broken(line: string, width: number): string[] {
  const lines = ['']
  let used = 0
  for (const character of line) {
    const columns = character <= '~' ? 1 : 2
    if (used + columns > width) {
      lines.push('')
      used = 0
    }
    lines[lines.length - 1] += character
    used += columns
  }
  return lines
}
