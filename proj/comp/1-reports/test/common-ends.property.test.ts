import { applyPatch, structuredPatch } from 'diff'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutCommonEnds } from '../src/common-ends.js'

const CONTEXT = 3
const line = fc.constantFrom('a', 'b', 'c', '', 'ab', 'x\r')
const text = fc.tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''))

it('what is left of two texts makes the difference of the whole ones, with all lines around it', () => {
  fc.assert(fc.property(text, text, text, text, (head, before, after, tail) => {
    const [old, renewed] = [head + before + tail, head + after + tail]
    const middle = withoutCommonEnds(old, renewed, CONTEXT)
    const patch = structuredPatch('', '', middle.before, middle.after, undefined, undefined, { context: CONTEXT })
    for (const hunk of patch.hunks) {
      hunk.oldStart += middle.linesBefore
      hunk.newStart += middle.linesBefore
      const leading = hunk.lines.findIndex((shown) => !shown.startsWith(' '))
      if (hunk.oldStart > 1) expect(leading).toBe(CONTEXT)
    }
    expect(applyPatch(old, patch, { autoConvertLineEndings: false })).toBe(renewed)
  }), { numRuns: 2000 })
})

it('of one line that is added to many only the last are left', () => {
  const lines = 'a line\n'.repeat(10_000)
  const { before, after, linesBefore } = withoutCommonEnds(lines, `${lines}b\n`, CONTEXT)
  expect([before, after, linesBefore]).toEqual(['a line\n'.repeat(3), `${'a line\n'.repeat(3)}b\n`, 9997])
})
