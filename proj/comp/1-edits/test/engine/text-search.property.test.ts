import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findOccurrences, linesAt } from '../../src/engine/occurrences.js'
import { replaceText } from '../../src/engine/replace-text.js'
import { textFinder } from '../../src/engine/text-search.js'

/** Two letters, so that beginnings return within the text; both sides of the length at which the way changes. */
const repetitive = fc.tuple(
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 30 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 3 }),
).map(([unit, times, end]) => unit.repeat(times) + end)

describe('textFinder', () => {
  it('finds what indexOf finds', () => {
    fc.assert(fc.property(fc.array(repetitive, { maxLength: 4 }), repetitive, fc.nat(100), (pieces, wanted, from) => {
      const content = pieces.join(wanted)
      expect(textFinder(content, wanted)(from)).toBe(content.indexOf(wanted, from))
    }), { numRuns: 3000 })
  })
})

describe('findOccurrences', () => {
  it('finds as many as are replaced, and their lines', () => {
    fc.assert(fc.property(fc.array(repetitive, { maxLength: 4 }), repetitive, (pieces, wanted) => {
      const content = pieces.join(wanted)
      const { count, starts } = findOccurrences(content, wanted)
      const whole = replaceText(content, wanted, '|')
      expect(count).toBe(whole.replacements)
      expect(replaceText(content, wanted, '|', count, starts[0])).toEqual(whole)
      expect(linesAt(content, starts)).toEqual(starts.map((start) => content.slice(0, start).split('\n').length))
    }))
  })
})

describe('a long text of one letter', () => {
  const content = 'a'.repeat(5_000_000)

  it('occurs and overlaps', () => {
    const found = findOccurrences(content, 'a'.repeat(2_000_000))
    expect(found).toEqual({ count: 2, starts: [0, 2_000_000], overlap: 1 })
  })

  it('does not occur with another first letter', () => {
    expect(findOccurrences(content, `b${'a'.repeat(2_000_000)}`).count).toBe(0)
  })

  it('is replaced', () => {
    const { result, replacements } = replaceText(`${content}b${content}b`, `b${'a'.repeat(4_000_000)}`, '')
    expect([result.length, replacements]).toEqual([6_000_001, 1])
  })
})
