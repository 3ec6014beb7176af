import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasOnlyCrlf, lineFeeds, lineFeedsOf } from '../../src/strings/line-feeds.js'

const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
const written = fc.array(fc.constantFrom('\n', '\r\n', '\r', 'a', '', '\ufeff', ' \n'), { maxLength: 9 }).map((parts) => parts.join(''))

it.each([
  ['', ''], ['a', 'a'], ['a\r', 'a\r'], ['a\r\n', 'a\n'], ['\r\na\r\nb', '\na\nb'], ['a\r\nb\n', 'a\r\nb\n'], ['\na\r\n', '\na\r\n'],
  ['a\rb\r\n', 'a\rb\n'], ['a\r\r\n', 'a\r\n'], ['a\r\nb\r', 'a\nb\r'],
])('%j is read as %j', (text, read) => {
  expect(lineFeeds(text)).toBe(read)
})

it('a text saved with CRLF is the text again, and mixed ones are left alone', () => {
  fc.assert(fc.property(written, (text) => {
    expect(lineFeeds(crlf(text))).toBe(text)
    expect(lineFeeds(text)).toBe(hasOnlyCrlf(text) ? text.replaceAll('\r\n', '\n') : text)
    if (hasOnlyCrlf(text)) expect(crlf(lineFeeds(text))).toBe(text)
  }))
})

async function* pieces(parts: readonly string[], failure?: Error): AsyncGenerator<string> {
  yield* parts
  if (failure) throw failure
}

it('in pieces it is read as in one, also before a failure', async () => {
  await fc.assert(fc.asyncProperty(fc.array(written, { maxLength: 5 }), fc.boolean(), async (parts, fails) => {
    const failure = fails ? new Error('cut off') : undefined
    let read = ''
    const ended = await (async () => {
      for await (const piece of lineFeedsOf(pieces(parts, failure))) read += piece
    })().catch((error: unknown) => error)
    expect(ended).toBe(failure)
    expect(read).toBe(lineFeeds(parts.join('')))
  }))
})

it('hands a text on as it comes, once a line ends in LF alone', async () => {
  const reading = lineFeedsOf(pieces(['a', 'b\r', '\nc\r\n', 'd\n', 'e\r\n', 'f']))
  const read: string[] = []
  for await (const piece of reading) read.push(piece)
  expect(read).toEqual(['a', 'b', '\r\nc\r\nd\n', 'e\r\n', 'f'])
})
