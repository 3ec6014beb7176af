import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyAgain } from '../../src/index.js'

const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', '\n')
const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end')).map(([lines, end]) => lines.join('') + end)

describe('a change done again to another text', () => {
  it('is the change where the other text has no change of its own, and nothing where it changes nothing', async () => {
    await fc.assert(fc.asyncProperty(text, text, async (base, changed) => {
      expect(await applyAgain({ base, changed, other: base })).toBe(changed)
      expect(await applyAgain({ base, changed: base, other: changed })).toBe(changed)
      expect(await applyAgain({ base, changed, other: changed })).toBe(changed)
    }))
  })

  it('is the same from both sides', async () => {
    await fc.assert(fc.asyncProperty(text, text, text, async (base, changed, other) => {
      expect(await applyAgain({ base, changed, other })).toBe(await applyAgain({ base, changed: other, other: changed }))
    }))
  })

  it('is made beside each change of other lines, wherever these have moved', async () => {
    // Every line is there once, so that which line is which is no question.
    const edits = fc.array(fc.constantFrom('keep', 'first', 'second', 'add first', 'add second', 'drop first', 'drop second'), { minLength: 1, maxLength: 20 })
    await fc.assert(fc.asyncProperty(edits, async (kinds) => {
      const make = (sides: readonly string[]): string => kinds.flatMap((kind, index) => {
        const isMade = sides.some((side) => kind.endsWith(side))
        // Between two that change there is a line that none touches.
        const rest = [`kept ${index}\n`]
        if (!isMade) return [`line ${index}\n`, ...rest]
        if (kind.startsWith('drop')) return rest
        return kind.startsWith('add') ? [`line ${index}\n`, `added ${index}\n`, ...rest] : [`changed ${index}\n`, ...rest]
      }).join('')
      const merged = await applyAgain({ base: make([]), changed: make(['first']), other: make(['second']) })
      expect(merged).toBe(make(['first', 'second']))
    }))
  })

  it.each([
    ['the same line', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nY\nc\n', undefined],
    ['the same change', 'a\nb\nc\n', 'a\nX\nc\n', 'a\nX\nc\nd\n', 'a\nX\nc\nd\n'],
    ['lines side by side', 'a\nb\nc\nd\n', 'a\nX\nc\nd\n', 'a\nb\nY\nd\n', 'a\nX\nY\nd\n'],
    ['lines added at one place', 'a\nb\n', 'a\nX\nb\n', 'a\nY\nb\n', undefined],
    ['a line of a block that is gone', 'a\nb\nc\nd\n', 'a\nd\n', 'a\nb\nY\nd\n', undefined],
    ['a last line without an end', 'a\nb', 'a\nb\nc', 'X\nb', 'X\nb\nc'],
  ])('%s', async (_, base, changed, other, merged) => {
    expect(await applyAgain({ base, changed, other })).toBe(merged)
  })
})
