/** A line feed without a carriage return before it. */
const LONE = /(?<!\r)\n/

/**
 * The text of a file or the clipboard with LF line ends, if all its lines end in CRLF: then an editor or the clipboard
 * made them, and they are no part of the content. Text with mixed line ends stays as it is.
 */
export function lineFeeds(text: string): string {
  return hasOnlyCrlf(text) ? text.replaceAll('\r\n', '\n') : text
}

/** Whether every line ends in CRLF, and there is at least one. Reverses `lineFeeds`: put CRLF for each LF. */
export function hasOnlyCrlf(text: string): boolean {
  const first = text.indexOf('\n')
  return first > 0 && text[first - 1] === '\r' && !LONE.test(text)
}

/**
 * `lineFeeds` for text in pieces. Where the first line ends in CRLF, all text is held back until a line ends in LF
 * alone or the text ends, since only then it is certain what the CRLF are.
 */
export async function* lineFeedsOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let kept: string[] = []
  let state: 'first line' | 'only CRLF' | 'decided' = 'first line'
  // A carriage return at the end of a piece may belong to a line feed at the start of the next.
  let end = ''
  const rest = (): string => {
    const text = kept.join('') + end
    kept = []
    end = ''
    return state === 'only CRLF' ? text.replaceAll('\r\n', '\n') : text
  }
  try {
    for await (const piece of pieces) {
      if (state === 'decided') {
        yield piece
        continue
      }
      const text = end + piece
      end = text.endsWith('\r') ? '\r' : ''
      const whole = end === '' ? text : text.slice(0, -1)
      if (LONE.test(whole)) state = 'decided'
      else if (whole.includes('\n')) state = 'only CRLF'
      kept.push(whole)
      if (state === 'only CRLF') continue
      const ready = state === 'decided' ? rest() : kept.splice(0).join('')
      if (ready !== '') yield ready
    }
  } catch (error) {
    // The text before the failure is passed on first, as it is with other line ends.
    const text = rest()
    if (text !== '') yield text
    throw error
  }
  const text = rest()
  if (text !== '') yield text
}
