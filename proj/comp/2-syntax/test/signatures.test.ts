import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { LANGUAGE_IDS, type LanguageId, parseSignatures } from '../src/index.js'

const cases = readGoldens(new URL('../test-data/signatures/signatures.cases.md', import.meta.url))

describe('signatures', () => {
  it.each(cases)('$group: $name', async ({ group, fences: [code, expected] }) => {
    const { definitions } = await parseSignatures(group as LanguageId, code?.body ?? '')
    expect(definitions.map(({ definition: { nameLine, endLine, depth }, signature }) => (
      `${nameLine}-${endLine} ${'  '.repeat(depth)}${signature}`
    )).join('\n')).toBe(expected?.body)
  })

  it('are one short line each, whatever the code', async () => {
    const sources = cases.map(({ group, fences }) => [group as LanguageId, fences[0]?.body ?? ''] as const)
    const broken = fc.tuple(
      fc.constantFrom(...sources), fc.constantFrom(...LANGUAGE_IDS), fc.boolean(), fc.nat(), fc.nat(),
      fc.constantFrom('{', '}', '(', ')', '"', '\n', '\r\n', '/*', '//', '@a(', '\u2028', '\0', 'x'.repeat(3000)),
    )
    await fc.assert(fc.asyncProperty(broken, async ([[language, code], other, isOther, from, length, put]) => {
      const start = from % (code.length + 1)
      const text = code.slice(0, start) + put + code.slice(start + length % 40)
      const { definitions } = await parseSignatures(isOther ? other : language, text)
      for (const { signature } of definitions) {
        expect(signature).not.toMatch(/[\r\n\u2028]/)
        expect(signature.length).toBeGreaterThan(0)
        expect(signature.length).toBeLessThanOrEqual(161)
      }
    }), { numRuns: 200 })
  })

  it('names the first line that is no code', async () => {
    expect(await parseSignatures('typescript', 'export function a() {}\nclass {{{ ]\n')).toMatchObject({
      definitions: [{ signature: 'export function a()' }], errorLine: 2,
    })
    expect(await parseSignatures('python', '\ufeffdef a(): pass\r\ndef b(\r\n  x,\r\n): pass\r\n')).toEqual({
      definitions: [
        { definition: expect.objectContaining({ nameLine: 1 }) as unknown, signature: 'def a()' },
        { definition: expect.objectContaining({ nameLine: 2 }) as unknown, signature: 'def b(x)' },
      ],
    })
  })
})
