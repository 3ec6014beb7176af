import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenLine, foldLines, lineRoom, modelWords, wrapWords } from '../../src/index.js'

const LINE = fc.array(fc.constantFrom('a', ' word', ' ', 'longer-word', '名', '\u001b[31m', '\u001b[39m', 'x'.repeat(50)), { maxLength: 60 })
  .map((parts) => parts.join(''))

/** Words that are broken though a row could hold them. */
function brokenWords(line: string, rows: readonly string[], most: number): string[] {
  const all = rows.flatMap((row) => row.split(' '))
  return line.split(' ').filter((word) => word !== '' && lineRoom(word) <= most && !all.includes(word))
}

describe('broken lines', () => {
  it('lose nothing, fit, and break no word that fits', () => {
    fc.assert(fc.property(LINE, fc.integer({ min: 20, max: 90 }), fc.constantFrom('', '  | ', '  ┆ '), (line, columns, rest) => {
      const rows = brokenLine(line, columns, { rest })
      const texts = rows.map((row, index) => (index === 0 ? row : row.slice(rest.length)))
      expect(texts.join('')).toBe(line)
      for (const row of rows) expect(lineRoom(row)).toBeLessThanOrEqual(columns)
      expect(brokenWords(line, texts, columns - lineRoom(rest) - 2)).toEqual([])
    }))
  })

  it('of a model begin with a mark, and hold whole words', () => {
    expect(modelWords('it deletes a directory with all it holds', 30)).toBe('  | it deletes a directory \n  | with all it holds\n')
  })
})

describe('folded lines', () => {
  it('break no word, and are as wide as the terminal but for words that it cannot hold', () => {
    fc.assert(fc.property(fc.array(LINE, { maxLength: 3 }), fc.integer({ min: 20, max: 90 }), (lines, columns) => {
      const text = lines.join('\n')
      const folded = foldLines(text, columns)
      expect(folded.replaceAll(/[ \n]/g, '')).toBe(text.replaceAll(/[ \n]/g, ''))
      expect(brokenWords(text.replaceAll('\n', ' '), folded.split('\n'), columns)).toEqual([])
      for (const row of folded.split('\n')) {
        if (lineRoom(row) > columns) expect(Math.max(...row.split(' ').map(lineRoom))).toBeGreaterThan(columns * 0.7)
      }
    }))
  })

  it.each([
    ['  a hint that goes on', 12, '  a hint\n  that goes\n  on'],
    ['name   a text beside it', 20, 'name   a text beside\n       it'],
    ['name   https://example.org/long', 27, 'name\n  https://example.org/long'],
    ['✓  ruby   one of three', 21, '✓  ruby   one of\n          three'],
    ['✓  ruby   one of three', 14, '✓  ruby   one\n   of three'],
    ['Write it? [y/N] ', 10, 'Write it?\n[y/N] '],
    [`see ${'x'.repeat(12)} there`, 10, `see ${'x'.repeat(12)}\nthere`],
    [`${' '.repeat(20)}deep in`, 12, '   deep in'],
  ])('%j at %i columns', (text, columns, folded) => {
    expect(foldLines(text, columns)).toBe(folded)
  })
})

it('wraps words so that nothing is folded once more, also where a character may take two columns', () => {
  const text = `  --flag  ${wrapWords('one, two, …: words that stand behind', 10, 28)}`
  expect(text).toBe(['  --flag  one, two, …:', '          words that stand', '          behind'].join('\n'))
  expect(foldLines(text, 28)).toBe(text)
})
