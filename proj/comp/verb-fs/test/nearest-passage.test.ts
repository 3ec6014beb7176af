import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestPassage } from '../src/nearest-passage.js'

interface Case {
  name: string
  content: string
  wanted: string
  /** `null` where nothing is alike. */
  expected: string | null
}
const file = new URL('../test-data/nearest-passage.cases.json', import.meta.url)
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
})
