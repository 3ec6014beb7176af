import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ScreenText } from '../../src/terminal-sessions/index.js'

function shown(...pieces: (string | Buffer)[]): string {
  const screen = new ScreenText(1000, 5)
  for (const piece of pieces) screen.push(Buffer.from(piece))
  return screen.take()
}

it.each([
  ['lines', 'a\r\nb\r\n', 'a\nb\n'],
  ['colours', '\u001b[1;31mred\u001b[0m \u001b[38;2;1;2;3mx\u001b[m', 'red x'],
  ['a progress bar', '10%\r50%\r100%\r\n', '100%\n'],
  ['a shorter line over a longer one', 'loading…\r\u001b[Kok\r\n', 'ok\n'],
  ['two bars', 'a 1\r\nb 1\r\n\u001b[2Aa 2\r\nb 2\r\n', 'a 2\nb 2\n'],
  ['backspaces of a spinner', 'x |\b/\b-\bdone', 'x done'],
  ['titles and links', '\u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['an editor on the alternate screen', 'before\r\n\u001b[?1049h\u001b[Hfile\r\n~\u001b[?1049lafter', 'before\nafter'],
  ['clear', 'old\r\n\u001b[H\u001b[2Jnew', 'new'],
  ['tabs', 'a\tb', 'a\tb'],
  ['NUL and bells', 'a\u0000\u0007b', 'ab'],
  ['wrong UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
])('shows %s', (_, printed, text) => {
  expect(shown(printed)).toBe(text)
})

it('keeps the start and the end of long output, and says what is missing', () => {
  const text = shown(Array.from({ length: 1000 }, (_, index) => `line ${index}\r\n`).join(''))
  expect(text.startsWith('line 0\nline 1\n')).toBe(true)
  expect(text).toMatch(/… \d+ bytes omitted …/)
  expect(text.endsWith('line 999\n')).toBe(true)
})

it('keeps no more of what is still on the screen', () => {
  const screen = new ScreenText(100, 5)
  screen.push(Buffer.from(`${'x'.repeat(9000)}\r\nend`))
  expect(screen.take()).toBe(`${'x'.repeat(50)}\n… 8904 bytes omitted …\n${'x'.repeat(46)}\nend`)
  expect(screen.omitted).toBe(8904)
  screen.push(Buffer.from('new'))
  expect([screen.take(), screen.omitted]).toEqual(['new', 0])
})

it('shows the same however it is cut', () => {
  const piece = fc.constantFrom('a', 'é', '\t', '\r\n', 'line\r\nline\r\n', '\r', '\n', '\b', '\u001b[', '\u001b[K', '2A', 'm', '\u001b]0;t', '\u0007', '\u001b', '31', '😀', '\u001b[?1049h')
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
    const whole = Buffer.from(pieces.join(''))
    expect(shown(...[...whole].map(byte => Buffer.from([byte])))).toBe(shown(whole))
  }), { numRuns: 1000 })
})
