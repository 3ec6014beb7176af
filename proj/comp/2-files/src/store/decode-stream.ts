import { countBreaks, Utf8Reader, type Utf8Text } from '../../../0-text/src/index.js'
import { binary, notUtf8, requireNoUtf16 } from './decode-input.js'

/**
 * Decodes UTF-8 bytes that come in pieces.
 *
 * @param name of the input in messages
 * @throws HermesError `NOT_TEXT` for bytes that are not UTF-8, once the text before them has been yielded
 */
export async function* decodeStream(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<string, void> {
  const reader = new Utf8Reader()
  let line = 1
  const checked = function* ({ text, badLine }: Utf8Text): Generator<string, void> {
    const nul = text.indexOf('\0')
    if (nul >= 0) {
      const good = text.slice(0, nul)
      if (good !== '') yield good
      throw binary(name, line + countBreaks(good, 0, good.length))
    }
    line += countBreaks(text, 0, text.length)
    if (text !== '') yield text
    if (badLine !== undefined) throw notUtf8(name, badLine)
  }
  for await (const bytes of inWholeStart(pieces, name)) yield* checked(reader.push(bytes))
  yield* checked(reader.end())
}

/**
 * Joins pieces until the first has two bytes, which would show UTF-16.
 *
 * @throws HermesError `NOT_TEXT` if they do
 */
async function* inWholeStart(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (start === undefined) {
      yield piece
      continue
    }
    start = Buffer.concat([start, piece])
    if (start.length < 2) continue
    requireNoUtf16(start, name)
    yield start
    start = undefined
  }
  if (start !== undefined) yield start
}
