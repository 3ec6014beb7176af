import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSearch } from '../../src/search/line-search.js'

function search(pieces: readonly Uint8Array[], pattern: string) {
  const found: { number: number; text: string }[] = []
  const lines = new LineSearch(pattern, (match) => found.push(match))
  for (const piece of pieces) lines.push(piece)
  lines.end()
  return found
}

function cutInto(bytes: Buffer, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let at = 0
  for (const size of sizes) pieces.push(bytes.subarray(at, (at += size)))
  pieces.push(bytes.subarray(at))
  return pieces
}

describe('LineSearch', () => {
  it('finds the same lines as a plain search, whatever the pieces cut through', () => {
    const unit = fc.constantFrom('a', 'b', '\n', '\r\n', '\u00e9', '\u4f60', '\u{1f44b}')
    const text = fc.string({ unit, maxLength: 60 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e9', '\u{1f44b}'), minLength: 1, maxLength: 3 })
    fc.assert(fc.property(text, pattern, fc.array(fc.nat(7)), (content, wanted, sizes) => {
      const expected = content.split('\n').flatMap((line, index) =>
        line.includes(wanted) ? [{ number: index + 1, text: line.replace(/\r$/, '') }] : [])
      expect(search(cutInto(Buffer.from(content), sizes), wanted)).toEqual(expected)
    }))
  })

  it.each([1, 7, 1000, 65_536, 1 << 20])('cuts a line of megabytes around its first match, in pieces of %i', (size) => {
    const long = Buffer.from(`first\n${'\u00e9'.repeat(200_000)}needle${'\u{1f44b}'.repeat(100_000)}needle\nneedle\n`)
    const sizes = Array.from({ length: size === 1 ? 0 : Math.ceil(long.length / size) }, () => size)
    const [around, last, ...more] = search(cutInto(long, sizes), 'needle')
    expect(more).toEqual([])
    expect(last).toEqual({ number: 3, text: 'needle' })
    expect(around?.number).toBe(2)
    expect(around?.text).toMatch(/^…\u00e9{997}needle(?:\u{1f44b}){498}…$/u)
  })

  it('does not invent a match across a dropped part or a line break', () => {
    const text = `need\nle${'x'.repeat(200_000)}need${'x'.repeat(200_000)}le\n`
    const bytes = Buffer.from(text)
    expect(search(cutInto(bytes, Array.from({ length: 10 }, () => 40_000)), 'needle')).toEqual([])
  })

  it('finds a match that ends a line of megabytes without a line break', () => {
    const bytes = Buffer.from(`${'x'.repeat(300_000)}needle`)
    const [only] = search(cutInto(bytes, [100_000, 200_003]), 'needle')
    expect(only).toEqual({ number: 1, text: `…${'x'.repeat(1994)}needle` })
  })
})
