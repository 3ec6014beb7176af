import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offsetOfPlace, placeOfOffset, POSITION_ENCODINGS, PositionedText } from '../src/protocol-positions.js'

const text = fc.array(fc.constantFrom('a', 'é', '€', '😀', '\n', '\r\n', '\r', ' '), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** How many units a text takes, counted by what knows it. */
const UNITS = {
  'utf-8': (line: string) => Buffer.byteLength(line),
  'utf-16': (line: string) => line.length,
  'utf-32': (line: string) => [...line].length,
}

describe('positions', () => {
  it('lead from each character to its line and units, and back', () => {
    fc.assert(fc.property(text, fc.constantFrom(...POSITION_ENCODINGS), (given, encoding) => {
      const positioned = new PositionedText(given, encoding)
      let offset = 0
      for (const character of given.match(/\r\n|[^]/gu) ?? []) {
        const lines = given.slice(0, offset).split(/\r\n|\n|\r/)
        const position = { line: lines.length - 1, character: UNITS[encoding](lines.at(-1) ?? '') }
        expect(positioned.positionAt(offset)).toEqual(position)
        expect(positioned.offsetAt(position)).toBe(offset)
        offset += character.length
      }
    }))
  })

  it('places of hermes lead to their offset, and back', () => {
    fc.assert(fc.property(text, fc.nat(40), (given, at) => {
      const offset = Math.min(at, given.length)
      expect(offsetOfPlace(given, placeOfOffset(given, offset))).toBe(offset)
      expect(new PositionedText(given, 'utf-16').placeAt(offset)).toEqual(placeOfOffset(given, offset))
    }))
  })
})
