import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestPassage } from '../../src/engine/nearest-passage.js'

interface Case {
  name: string
  content: string
  wanted: string
  /** `null` where nothing is alike. */
  expected: string | null
}
const file = new URL('../../test-data/engine/nearest-passage.cases.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }

describe('nearestPassage', () => {
  it.each(cases)('$name', ({ content, wanted, expected }) => {
    expect(nearestPassage(content, wanted) ?? null).toBe(expected)
  })

  it('answers for any two texts', () => {
    const unit = fc.constantFrom('a', 'B', '1', ':', ' ', '\t', '\n', '\r', '\\', '\u201c', '\u00a0')
    const text = fc.string({ unit })
    fc.assert(fc.property(text, text, (content, wanted) => {
      expect(nearestPassage(content, wanted) ?? '').toBeTypeOf('string')
    }))
  })

  it('copes with a large file of one repeated line', () => {
    const content = '  return value\n'.repeat(200_000)
    expect(nearestPassage(content, '  return value\n  return other\n')).toContain('Line 2 has')
  })

  it.each([
    ['one line of one letter', 'a'.repeat(3_000_000), `b${'a'.repeat(2_000_000)}`],
    ['the same with another change', 'a'.repeat(3_000_000), `${'a'.repeat(1_000_000)}b${'a'.repeat(1_000_000)}`],
    ['numbered lines', 'a'.repeat(1_000_000), `1: ${'a'.repeat(1000)}b\n`.repeat(500)],
    ['numbers before numbers', 'some text\n', '1: '.repeat(50_000)],
    ['many line breaks', 'some text\n', `x${'\n'.repeat(300_000)}x`],
    ['a long row of accents', `e${'\u0301\u0323'.repeat(300_000)}`, `x${'\u0301\u0323'.repeat(200_000)}y`],
    ['spaces only', ' '.repeat(1_000_000), `${' '.repeat(500_000)}x`],
  ])('answers without going through all pairs of places: %s', (_name, content, wanted) => {
    expect((nearestPassage(content, wanted) ?? '').length).toBeLessThan(1000)
  })
})
