import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Utf8Reader, type Utf8Text } from '../../src/strings/index.js'

const strict = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

function read(bytes: Uint8Array, cuts: readonly number[]): Utf8Text {
  const reader = new Utf8Reader()
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  let text = ''
  for (let at = 1; at < places.length; at++) {
    const piece = Uint8Array.from(bytes.subarray(places[at - 1], places[at]))
    const found = reader.push(piece)
    // Its owner may use the memory again.
    piece.fill(0xff)
    text += found.text
    if (found.badLine !== undefined) return { text, badLine: found.badLine }
  }
  const rest = reader.end()
  return { ...rest, text: text + rest.text }
}

const cuts = fc.array(fc.nat(), { maxLength: 12 })

it('reads UTF-8 whatever it is cut into', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), cuts, (written, places) => {
    const text = `\ufeff${written.toWellFormed()}`
    expect(read(new TextEncoder().encode(text), places)).toEqual({ text })
  }), { numRuns: 500 })
})

const ODD = [0x00, 0x0a, 0x41, 0x7f, 0x80, 0xa0, 0xbf, 0xc0, 0xc3, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xf5, 0xf8, 0xff]

it('stops before the first bytes that are none, and names their line', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom(...ODD), { maxLength: 12 }), cuts, (written, places) => {
    const bytes = Uint8Array.from(written)
    const found = read(bytes, places)
    expect(found).toEqual(read(bytes, []))
    if (found.badLine === undefined) expect(found.text).toBe(strict(bytes))
    else {
      expect(() => strict(bytes)).toThrow(TypeError)
      const length = new TextEncoder().encode(found.text).length
      expect(strict(bytes.subarray(0, length))).toBe(found.text)
      expect(found.badLine).toBe(found.text.split('\n').length)
      // No longer start is text.
      for (let end = length + 1; end <= bytes.length; end++) expect(() => strict(bytes.subarray(0, end))).toThrow(TypeError)
    }
  }), { numRuns: 2000 })
})
