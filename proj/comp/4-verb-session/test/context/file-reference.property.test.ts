import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseReference } from '../../src/context/file-reference.js'

it('reads any text as a reference, of which path and part are pieces', () => {
  const piece = fc.constantFrom('#', 'L', '1', '-', ':', '/', 'a', '.ts', '#L10-L40', ':10-40', 'C10', ' ', '\n', '9'.repeat(20))
  fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
    const written = pieces.join('')
    for (const { path, part } of parseReference(written)) {
      expect(written.startsWith(path)).toBe(true)
      expect(path).not.toBe('')
      if (part.kind === 'lines') expect(part.first).toBeLessThanOrEqual(part.last)
      else expect(part.name.trim()).not.toBe('')
    }
  }))
})

it('takes time linear to hostile references', () => {
  expect(parseReference(`${'#a'.repeat(2000)}:`).length).toBeLessThanOrEqual(10)
})
