import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDefinitions } from '../../../2-syntax/src/index.js'
import { cutAtDefinitions, cutPlainly, linesOf } from '../../src/passages/chunk.js'

async function cutSource(text: string) {
  return cutAtDefinitions(linesOf(text), await parseDefinitions('typescript', text))
}

const shape = (chunks: Awaited<ReturnType<typeof cutSource>>) => (
  chunks.map(({ startLine, endLine, symbol }) => [startLine, endLine, symbol])
)

describe('cutAtDefinitions', () => {
  it('keeps a comment with what it describes, and local variables with their function', async () => {
    const text = "import a from 'a'\n\n/** Adds. */\nfunction add() {\n  const local = 1\n}\n\nconst two = 2\n"
    expect(shape(await cutSource(text))).toEqual([[1, 1, undefined], [3, 6, 'add'], [8, 8, 'two']])
  })

  it('keeps a short class whole, and cuts a long one at its methods', async () => {
    const method = (name: string) => `  ${name}() {\n${'    work()\n'.repeat(25)}  }\n`
    expect(shape(await cutSource(`class Short {\n  a() {}\n  b() {}\n}\n`))).toEqual([[1, 4, 'Short']])
    expect(shape(await cutSource(`class Long {\n${method('a')}${method('b')}}\n`)))
      .toEqual([[1, 1, 'Long'], [2, 28, 'Long.a'], [29, 55, 'Long.b'], [56, 56, 'Long']])
  })

  it('cuts a long function into pieces that keep its name', async () => {
    const chunks = await cutSource(`function long() {\n${'  step()\n'.repeat(200)}}\n`)
    expect(chunks.length).toBeGreaterThan(2)
    for (const { startLine, endLine, symbol } of chunks) {
      expect(symbol).toBe('long')
      expect(endLine - startLine).toBeLessThan(80)
    }
  })

  it('takes two definitions on one line as one', async () => {
    expect(shape(await cutSource('const a = 1, b = 2\n'))).toEqual([[1, 1, 'a']])
  })
})

describe('cutPlainly', () => {
  it('cuts markdown at headings outside of fences', () => {
    const text = 'Start.\n\n# One\ntext\n```sh\n# no heading\n```\n\n## Two\nmore\n'
    expect(cutPlainly(linesOf(text), { headings: true })).toEqual([
      { startLine: 1, endLine: 1, names: [] },
      { startLine: 3, endLine: 7, names: ['One'] },
      { startLine: 9, endLine: 10, names: ['Two'] },
    ])
  })

  it('covers every line that is not blank once, in order, in pieces of at most 80', () => {
    const line = fc.constantFrom('', ' ', 'text', '# Heading', '```', 'a: b')
    fc.assert(fc.property(fc.array(line, { maxLength: 300 }), fc.boolean(), (lines, headings) => {
      const covered = cutPlainly(lines, { headings }).flatMap(({ startLine, endLine }) => {
        expect(endLine - startLine).toBeLessThan(80)
        return Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine + i)
      })
      expect(covered).toEqual([...new Set(covered)].sort((a, b) => a - b))
      const wanted = lines.flatMap((text, i) => (text.trim() === '' ? [] : i + 1))
      expect(covered).toEqual(expect.arrayContaining(wanted))
    }))
  })
})
