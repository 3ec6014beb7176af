import { expect, it } from 'vitest'
import { partsInColour } from '../src/page/highlight.js'

/** A comment over 300 lines, then code. */
const comment = ['/*', ...Array.from({ length: 298 }, (_, line) => `const line${line} = 'words'`), '*/']
const scopes = (tokens: readonly { scope?: string }[] | undefined): unknown[] => (tokens ?? []).map(({ scope }) => scope)

it.each([['a short text', 0], ['one that is too long to be coloured as a whole', 3000]])('what began before a part goes on in it: %s', (_, more) => {
  const before = Array.from({ length: more }, () => `const a = 'some twenty letters'`)
  const lines = [...before, ...comment, 'const b = 1']
  const inColour = partsInColour(lines, 'typescript')
  const inside = inColour(before.length + 200, before.length + 301)
  expect(inside).toHaveLength(101)
  expect(scopes(inside[0])).toEqual(['comment'])
  expect(scopes(inside[100])).toContain('keyword')
})

it('a line that is too long leaves its own part plain, and others coloured', () => {
  const lines = ['const a = 1', 'x'.repeat(5000), 'const b = 1']
  const inColour = partsInColour(lines, 'typescript')
  expect([inColour(0, 1), inColour(1, 2), inColour(2, 3)].map(([line]) => scopes(line).includes('keyword'))).toEqual([true, false, true])
})
