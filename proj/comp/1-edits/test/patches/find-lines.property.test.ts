import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce } from '../../src/engine/index.js'
import { indexedFinder, plainFinder } from '../../src/patches/find-lines.js'

const line = fc.constantFrom(
  'a', 'b', ' a', '  b', '\ta', '"q"', '“q”', ' “q”', 'a ', '', 'c', 'd\r', '\u00a0a', '-x', '–x',
)
const modes = fc.constantFrom('exact' as const, 'tolerant' as const)
const passage = fc.array(line, { minLength: 1, maxLength: 3 })

it('an index of the lines finds what is found without it', () => {
  fc.assert(fc.property(
    fc.array(line, { maxLength: 40 }), passage, fc.boolean(), fc.nat(5), modes,
    (lines, wanted, bom, skipped, match) => {
      const text = (bom ? '\ufeff' : '') + lines.join('\n')
      const searched = wanted.map((row) => `${row}\n`).join('')
      const from = skipped === 0 ? 0 : text.indexOf('\n', skipped) + 1
      expect(atOnce(indexedFinder(text, match)).find(searched, from, text.length))
        .toEqual(plainFinder(text, match).find(searched, from, text.length))
    },
  ), { numRuns: 3000 })
})
