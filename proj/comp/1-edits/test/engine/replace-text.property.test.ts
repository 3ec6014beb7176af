import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaceText } from '../../src/engine/replace-text.js'

interface Case {
  name: string
  input: Parameters<typeof replaceText>
  expected: ReturnType<typeof replaceText>
}
const file = new URL('../../test-data/engine/replace-text.cases.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }

/** Few letters, so that matches and overlaps are frequent. */
const short = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '$', '&', '\u00e9', '\u{1f600}'), maxLength: 20 })

describe('replaceText', () => {
  it.each(cases)('$name', ({ input, expected }) => {
    expect(replaceText(...input)).toEqual(expected)
  })

  it('equals the plain loop of seed 002', () => {
    const most = fc.option(fc.nat(4), { nil: undefined })
    fc.assert(fc.property(short, short, short, most, (content, old, text, count) => {
      expect(replaceText(content, old, text, count)).toEqual(seedReplaceText(content, old, text, count))
    }))
  })

  it('is undone by the reverse replacement where the new text occurred nowhere before', () => {
    fc.assert(fc.property(short, short.filter((old) => old !== ''), (content, old) => {
      const { result } = replaceText(content, old, '\u0001')
      expect(replaceText(result, '\u0001', old).result).toBe(content)
    }))
  })
})

function seedReplaceText(content: string, oldText: string, newText: string, count?: number) {
  let result = content
  let replacements = 0
  let from = 0
  while (oldText !== '' && (count === undefined || replacements < count)) {
    const at = result.indexOf(oldText, from)
    if (at === -1) break
    result = result.slice(0, at) + newText + result.slice(at + oldText.length)
    from = at + newText.length
    replacements++
  }
  return { result, replacements }
}
