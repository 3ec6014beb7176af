import fc from 'fast-check'
import { marked, type Token, type Tokens } from 'marked'
import { expect, it } from 'vitest'
import { sectionsOf } from '../../src/index.js'

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

it('finds the headings that marked finds, and sections that lie in one another', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '# One', '## Two `x`', '### Three ###', '#none', '####### none', '   # Indented', '    # code', 'text', '', '---',
      '===', '```', '~~~~', '```sh', '> # quoted', '- # item', '|a|', '#', '## [link](http://a#b) *it*', '# same', '# same',
    ),
    fc.stringMatching(/^#{1,3} [a-zA-Z ]{1,12}$/),
  )
  fc.assert(fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
    // Front matter, and an underline below what may be a paragraph of several lines, are CommonMark's to quarrel over.
    fc.pre(lines[0] !== '---' && lines.every((text, at) => !/^(?:---|===)$/.test(text) || (lines[at - 2] ?? '') === ''))
    // Indented below an item of a list, a heading may be of the item.
    fc.pre(!lines.includes('- # item') || !lines.includes('   # Indented'))
    const expected = marked.lexer(lines.join('\n')).filter(isHeading).map(({ depth }) => depth)
    const found = sectionsOf(lines)
    expect(found.map(({ level }) => level)).toEqual(expected)
    expect(new Set(found.map(({ slug }) => slug)).size).toBe(found.length)
    found.forEach(({ firstLine, lastLine, level }, index) => {
      expect(lastLine).toBeGreaterThanOrEqual(firstLine)
      const next = found.slice(index + 1).find((other) => other.level <= level)
      expect(lastLine).toBe(next ? next.firstLine - 1 : lines.length)
    })
  }))
})

it('takes time linear to hostile texts', () => {
  const long = 200_000
  for (const text of ['#'.repeat(long), `# ${'['.repeat(long)}`, `# ${' #'.repeat(long)}`, '`'.repeat(long), `# ${' '.repeat(long)}x`]) {
    expect(sectionsOf([text, text]).length).toBeLessThanOrEqual(2)
  }
  expect(sectionsOf(Array.from({ length: 50_000 }, (_, at) => `${'#'.repeat(1 + at % 6)} h`))).toHaveLength(50_000)
})
