import { expect, it } from 'vitest'
import fc from '../../../../test/support/seeded-fast-check.js'
import { createPalette } from '../../../1-reports/src/index.js'
import { textWidth } from '../../../2-terminal/src/index.js'
import { MarkdownFlow } from '../../src/markdown/index.js'

it('loses no letter, however wide the terminal, and breaks no row', () => {
  const pieces = fc.constantFrom(
    'word', 'a', ' ', ' ', '\n', '\n\n', '*', '**', '`', '```', '# ', '- ', '> ', '|', '\n|', '\n|-|-|\n', '1. ', '[x](y)',
    '[', '](', ')', '\\', '_', '漢字', '~~~', '\t', '👩‍👧',
  )
  fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 12, max: 90 }), (parts, columns) => {
    const flow = new MarkdownFlow(createPalette(false), { bullet: '•', bar: '│', rule: '─' })
    const rows = [...parts.flatMap((part) => flow.push(part, columns)), ...flow.end(columns)]
    const letters = (text: string): string => text.replaceAll(/[^\p{L}]/gu, '')
    // The titles of a table that has become a list stand at each of its rows.
    const seen = letters(rows.join(''))
    for (const letter of ['w', 'x', 'y', '漢']) {
      const count = (text: string): number => text.split(letter).length
      expect(count(seen)).toBeGreaterThanOrEqual(count(letters(parts.join(''))))
    }
    for (const row of rows) expect(textWidth(row)).toBeLessThan(columns)
  }))
})
