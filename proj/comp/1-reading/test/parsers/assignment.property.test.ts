import fc from 'fast-check'
import { parseNesl } from 'nesl-js'
import { describe, expect, it } from 'vitest'
import { readQuotedAssignment } from '../../src/scanner/index.js'

const piece = fc.constantFrom('a', '_k', 'é', '9', ' ', '\t', '"', '\\', '\\"', '\\n', '\\u0041', '\\q', '=', ':=', '=>', '<<', "'", 'EOT_abc', '\u0007', '\u00a0', '\u200b', '😀', '#')
const line = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('key', ' key', 'ключ', 'k-y', '__proto__', 'toString'), fc.constantFrom(' = ', '=', ' := ', ' => '), fc.array(piece)).map(
    ([key, operator, parts]) => `${key}${operator}"${parts.join('')}"`,
  ),
)

describe('readQuotedAssignment', () => {
  it('reads exactly the lines nesl-js takes for quoted assignments, with the same value', () => {
    fc.assert(fc.property(line, (text) => {
      fc.pre(!text.trim().startsWith('#!'))
      const { blocks, errors } = parseNesl(`#!nesl [@x: abc]\n${text}\n#!end_abc`)
      const entries = Object.entries(blocks[0]?.properties ?? {})
      const read = readQuotedAssignment(text)
      // Known of nesl-js, and decided otherwise: `:=` inside quotes, and keys every object has.
      const differs = text.includes(':=') || Object.prototype.hasOwnProperty.call(Object.prototype, text.split('=', 1)[0]!.trim())
      if (read && !differs) expect(errors).toEqual([])
      if (errors.length === 0 && entries.length === 1) expect(read).toEqual({ key: entries[0]![0], value: entries[0]![1] })
      else if (!differs) expect(read).toBeUndefined()
    }), { numRuns: Number(process.env['RUNS'] ?? 5000) })
  })

  it.each([
    ['path = "a := b"', { key: 'path', value: 'a := b' }],
    ['toString = "x"', { key: 'toString', value: 'x' }],
    ['__proto__ = "x"', { key: '__proto__', value: 'x' }],
    ['a=""', { key: 'a', value: '' }],
    ['a = "\\"q\\""', { key: 'a', value: '"q"' }],
    ['a = "tab\there"', undefined],
    ['a = "x" y', undefined],
    [' a = "x"', undefined],
  ])('%s', (text, expected) => expect(readQuotedAssignment(text)).toEqual(expected))
})
