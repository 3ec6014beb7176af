import { countBreaks, Utf8Reader, type Utf8Text } from '../../../0-text/src/index.js'
import { binary, notUtf8, requireNoUtf16 } from './decode-input.js'

/**
 * UTF-8 text of bytes that come in pieces.
 *
 * @param name what is read, for errors
 * @throws HermesError `NOT_TEXT` for what is no UTF-8 text, once what stands before it was taken
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

/** The first piece has the two bytes that tell of UTF-16. @throws HermesError `NOT_TEXT` where they do */
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
