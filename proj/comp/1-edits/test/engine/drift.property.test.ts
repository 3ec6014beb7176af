import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locate, replacement, splice } from '../../src/engine/index.js'

/** Lines that are all different, so that a passage has one place. */
const file = fc.record({
  bom: fc.boolean(),
  ending: fc.constantFrom('\n', '\r\n'),
  hasLastBreak: fc.boolean(),
  bodies: fc.array(fc.tuple(fc.nat(3), fc.constantFrom('say "it\'s"', 'a - b', 'f(x)', '\u201cq\u201d', '\u00e9 \u{1f600}', '}'), fc.constantFrom('', ' ', '\t')), { minLength: 3, maxLength: 12 }),
}).map(({ bom, ending, hasLastBreak, bodies }) => {
  const lines = bodies.map(([depth, text, trail], index) => `${'  '.repeat(depth)}${text} // ${index}${trail}`)
  return { bom: bom ? '\ufeff' : '', ending, lines, end: hasLastBreak ? ending : '' }
})
const choice = fc.tuple(file, fc.nat(), fc.integer({ min: 1, max: 4 })).map(([text, at, most]) => {
  const first = at % text.lines.length
  const count = Math.min(most, text.lines.length - first)
  return { text, first, count, chosen: text.lines.slice(first, first + count) }
})

const TOLERATED: Record<string, (lines: string[]) => string[]> = {
  'exact': (lines) => lines,
  'trailing-space': (lines) => lines.map((line, index) => (index % 2 ? `${line}  ` : line.trimEnd())),
  'indentation': (lines) => lines.map((line) => `    ${line}`),
  'look-alikes': (lines) => lines.map((line) => line
    .replaceAll('"', '\u201d').replaceAll("'", '\u2019').replaceAll(' - ', '\u00a0\u2014 ').replace(' // ', '\u00a0//\u2009')),
}
const REFUSED: Record<string, (lines: string[]) => string[]> = {
  'another letter': (lines) => [...lines.slice(0, -1), `${lines.at(-1)?.trimEnd()}q`],
  'a blank line more': (lines) => [...lines.slice(0, 1), '', ...lines.slice(1), 'x'],
  'a line left out': (lines) => [...lines, ...lines],
  'a space in a line': (lines) => lines.map((line) => line.replace('//', '/ /')),
  'the end of a line cut off': (lines) => lines.map((line) => line.slice(0, line.indexOf('//'))),
  'one line indented alone': (lines) => [...lines, ...lines].map((line, index) => (index === 0 ? ` ${line}` : line)),
}

describe.each(Object.entries(TOLERATED))('drift of the kind %s', (kind, drift) => {
  it('is found in its place, and only the changed line changes', () => {
    fc.assert(fc.property(choice, ({ text, first, count, chosen }) => {
      const content = text.bom + text.lines.join(text.ending) + text.end
      const searched = drift([...chosen])
      const replaced = [...searched.slice(0, -1), `${/^ */.exec(searched.at(-1) ?? '')?.[0]}new`, `${/^ */.exec(searched.at(-1) ?? '')?.[0]}more`]
      const found = locate(content, searched.join('\n'))
      expect(found.kind).toBe('found')
      if (found.kind !== 'found') return
      const shift = kind === 'indentation' ? 4 : 0
      const indent = (/^ */.exec(searched.at(-1) ?? '')?.[0] ?? '').slice(shift)
      const expected = [...text.lines.slice(0, first + count - 1), `${indent}new`, `${indent}more`, ...text.lines.slice(first + count)]
      expect(splice(content, found.place, replacement(content, found.place, searched.join('\n'), replaced.join('\n'))))
        .toBe(text.bom + expected.join(text.ending) + text.end)
    }), { numRuns: 500 })
  })
})

it.each([2, 4])('%d spaces for each tab are found in their place, and the new lines get tabs', (width) => {
  const spaced = (lines: readonly string[]) => lines.map((line) => line.replace(/^\t+/, (tabs) => ' '.repeat(tabs.length * width)))
  fc.assert(fc.property(choice, fc.nat(3), ({ text, first, count }, depth) => {
    const lines = text.lines.map((line) => line.replace(/^(?: {2})+/, (spaces) => '\t'.repeat(spaces.length / 2)))
    const old = lines.slice(first, first + count)
    fc.pre(old.some((line) => line.startsWith('\t')))
    const content = text.bom + lines.join(text.ending) + text.end
    const fresh = `${'\t'.repeat(depth)}new`
    const [searched, replaced] = [spaced(old).join('\n'), spaced([...old.slice(0, -1), fresh]).join('\n')]
    const found = locate(content, searched)
    expect(found).toMatchObject({ kind: 'found', place: { tier: 'indentation' } })
    if (found.kind !== 'found') return
    const expected = [...lines.slice(0, first + count - 1), fresh, ...lines.slice(first + count)]
    expect(splice(content, found.place, replacement(content, found.place, searched, replaced)))
      .toBe(text.bom + expected.join(text.ending) + text.end)
  }), { numRuns: 500 })
})

it.each(Object.entries(REFUSED))('%s is not tolerated', (_kind, drift) => {
  fc.assert(fc.property(choice, ({ text, chosen }) => {
    const content = text.bom + text.lines.join(text.ending) + text.end
    expect(locate(content, drift([...chosen]).join(text.ending)).kind).toBe('missing')
  }), { numRuns: 300 })
})
