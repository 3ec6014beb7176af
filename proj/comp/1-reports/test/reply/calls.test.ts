import fc from 'fast-check'
import { getEncoding } from 'js-tiktoken'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { renderCall, tokensAtMost } from '../../src/index.js'

const cases = readGoldens(new URL('../../test-data/calls.cases.md', import.meta.url))
const o200k = getEncoding('o200k_base')

interface Call {
  action: string
  params: Record<string, unknown>
  ranAs?: { action: string; params: Record<string, unknown> }[]
  data: unknown
  tokens?: number
  wholeIn?: string
}

describe.each([...new Set(cases.map(({ group }) => group))])('%s', group => {
  it.each(cases.filter(one => one.group === group))('$name', ({ fences }) => {
    const [call, text] = fences.map(({ body }) => body)
    const { tokens, wholeIn, ...result } = JSON.parse(call ?? '') as Call
    expect(renderCall(result, { ...(tokens !== undefined && { tokens }), ...(wholeIn !== undefined && { wholeIn }) }).text)
      .toBe(text)
  })
})

const text = fc.array(fc.oneof(
  fc.constantFrom('\n', '\r\n', '\u001b[31m', '\u202e', '漢字', 'word ', '😀', '[1 of 2 lines left out.]', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ minLength: 3000, maxLength: 4000 }),
), { maxLength: 60 }).map(parts => parts.join(''))
const data = fc.oneof(
  fc.jsonValue(), fc.record({ path: text, content: text }), fc.record({ stdout: text, stderr: text, exit_code: fc.nat() }),
  fc.array(fc.record({ path: text, line: fc.nat(), text }), { maxLength: 30 }),
  fc.array(fc.tuple(text, text), { maxLength: 30 }).map(files => ({
    paths: files.map(([path]) => path), content: files.map(([, content]) => content),
  })),
)

describe('whatever a call gives', () => {
  it('the text keeps the bound, in our count and in that of a tokenizer, and holds no control character', () => {
    fc.assert(fc.property(data, fc.integer({ min: 200, max: 3000 }), (given, tokens) => {
      const shown = renderCall({ action: 'file_read', params: { path: '/w/a.txt' }, data: given }, { tokens })
      expect(tokensAtMost(shown.text)).toBeLessThanOrEqual(tokens)
      expect(o200k.encode(shown.text, [], []).length).toBeLessThanOrEqual(tokens)
      expect(shown.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u2028]/)
      expect(shown.text.isWellFormed()).toBe(true)
    }), { numRuns: 60 })
  })

  it('a text that fits is given whole', () => {
    fc.assert(fc.property(fc.array(fc.stringMatching(/^[ -~]{0,80}$/), { minLength: 1, maxLength: 50 }), lines => {
      const content = `${lines.join('\n')}\n`
      const shown = renderCall({ action: 'file_read', params: {}, data: { content } })
      expect(shown).toEqual({ text: lines.join('\n'), truncated: false })
    }))
  })
})
