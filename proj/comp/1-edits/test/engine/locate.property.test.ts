import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOf, locate, replacement, splice } from '../../src/engine/index.js'

/** What is in the file after the edit, with the tier; or why not. */
function edit(text: string, searched: string, replaced: string, match?: 'exact' | 'tolerant'): [string, string] {
  const found = locate(text, searched, match ? { match } : {})
  if (found.kind !== 'found') return [found.kind, text]
  return [found.place.tier, splice(text, found.place, replacement(text, found.place, searched, replaced))]
}

describe('locate and replacement', () => {
  it.each<[name: string, text: string, searched: string, replaced: string, tier: string, result: string]>([
    ['whole lines', 'a\nb\nc\n', 'b\n', 'B\n', 'exact', 'a\nB\nc\n'],
    ['without final line breaks', 'a\nb\nc\n', 'b', 'B', 'exact', 'a\nB\nc\n'],
    ['deleted lines', 'a\nb\nc\n', 'b\n', '', 'exact', 'a\nc\n'],
    ['at an end without line break', 'a\nb', 'b\n', 'B\nC\n', 'exact', 'a\nB\nC'],
    ['behind a byte order mark', '\ufeffa\nb\n', 'a\n', 'A\n', 'exact', '\ufeffA\nb\n'],
    ['not in the middle of a line', 'abc\nb\n', 'b', 'B', 'exact', 'abc\nB\n'],
    ['LF for CRLF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nX\nb\n', 'trailing-space', 'a\r\nX\r\nb\r\nc\r\n'],
    ['CRLF for LF', 'a\nb\nc\n', 'a\r\nb\r\n', 'a\r\nX\r\n', 'trailing-space', 'a\nX\nc\n'],
    ['CRLF as written', 'a\r\nb\r\n', 'a\r\nb', 'A\r\nb', 'exact', 'A\r\nb\r\n'],
    ['one line in a CRLF file', 'a\r\nb\r\n', 'b', 'x\ny', 'exact', 'a\r\nx\r\ny\r\n'],
    ['space at line ends, kept where unchanged', 'a  \nb\t\nc\n', 'a\nb\n', 'a\nB\n', 'trailing-space', 'a  \nB\nc\n'],
    ['blank lines with space', 'a\n   \nb\n', 'a\n\nb', 'a\n\nB', 'trailing-space', 'a\n   \nB\n'],
    ['indentation left out', 'f {\n    a\n\n      b\n}\n', 'a\n\n  b\n', 'a\n\n  B\nc\n', 'indentation',
      'f {\n    a\n\n      B\n    c\n}\n'],
    ['indentation too deep', 'a\n  b\n', '    a\n      b\n', '    a\n      B\n  c\n', 'indentation', 'a\n  B\nc\n'],
    ['indentation by tabs', '\t\ta\n\t\t\tb\n', 'a\n\tb', 'A\n\tb', 'indentation', '\t\tA\n\t\t\tb\n'],
    ['look-alikes', 'say(\u201chi\u201d)\nb\n', 'say("hi")\nb', 'say("hi")\nB', 'look-alikes', 'say(\u201chi\u201d)\nB\n'],
    ['look-alikes and indentation', '  a \u2013 b\n', 'a - b', 'a + b', 'look-alikes', '  a + b\n'],
    ['a space that does not break', 'a\u00a0b\n', 'a b', 'c', 'look-alikes', 'c\n'],
    ['the exact one of two', '  a\na\n', 'a', 'b', 'exact', '  a\nb\n'],
    ['the one with CRLF of two', 'a\nb\na\r\nb\r\n', 'a\r\nb', 'A\r\nb', 'exact', 'a\nb\nA\r\nb\r\n'],
    ['4 spaces for each tab', 'f\n\ta\n\t\tb\n', '    a\n        b\n', '    a\n        B\n            c\n', 'indentation', 'f\n\ta\n\t\tB\n\t\t\tc\n'],
    ['2 spaces for each tab', 'f {\n\ta\n}\n', 'f {\n  a\n}', 'f {\n  a\n    b\n}', 'indentation', 'f {\n\ta\n\t\tb\n}\n'],
    ['spaces that align after tabs', '\t/*\n\t * a\n', '    /*\n     * a', '    /*\n     * b', 'indentation', '\t/*\n\t * b\n'],
    ['spaces for tabs, and look-alikes', '\tsay(\u201chi\u201d)\n', '    say("hi")', '    say("ho")', 'look-alikes', '\tsay("ho")\n'],
  ])('%s', (_name, text, searched, replaced, tier, result) => {
    expect(edit(text, searched, replaced)).toEqual([tier, result])
  })

  it.each<[name: string, text: string, searched: string, kind: string]>([
    ['twice', 'a\nb\na\n', 'a', 'ambiguous'],
    ['twice, overlapping', 'a\na\na\n', 'a\na', 'ambiguous'],
    ['twice by the same tier', ' a\n  a\n', 'a', 'ambiguous'],
    ['twice, once with CRLF', 'a\nb\nx\na\r\nb\r\n', 'a\nb\n', 'ambiguous'],
    ['twice, once with CRLF in one line', 'a\r\nb\nc\na\nb\nc\n', 'a\nb\nc', 'ambiguous'],
    ['deeper, and with tabs for spaces', '\ta\n  \ta\n      a\n', '    a', 'ambiguous'],
    ['4 spaces for a tab and 2 for another', '\ta\n\tb\n', '    a\n  b', 'missing'],
    ['tabs for some of the spaces', '\ta\n    b\n', '    a\n        b', 'missing'],
    ['tabs for spaces, and deeper', '\t\ta\n\t\t\tb\n', '    a\n        b', 'missing'],
    ['indentation shifted in one line only', '  a\n   b\n', 'a\nb', 'missing'],
    ['tabs for spaces inside a shift', '\ta\n        b\n', 'a\nb', 'missing'],
    ['space within a line', 'a  b\n', 'a b', 'missing'],
    ['a blank line more', 'a\n\nb\n', 'a\nb', 'missing'],
    ['letter case', 'A\n', 'a', 'missing'],
    ['a part of a line', 'abc\n', 'b', 'missing'],
    ['more lines than there are', 'a\n', 'a\nb', 'missing'],
    ['nothing', 'a\n', '', 'missing'],
    ['a backtick for a quote', '`a`\n', "'a'", 'missing'],
    ['in an empty file', '', 'a', 'missing'],
  ])('refuses: %s', (_name, text, searched, kind) => {
    expect(edit(text, searched, 'x')).toEqual([kind, text])
  })

  it('knows one tier only where exact is asked for', () => {
    expect(edit('a \n', 'a', 'b', 'exact')).toEqual(['missing', 'a \n'])
    expect(edit('a\nb\n', 'a\nb', 'b', 'exact')).toEqual(['exact', 'b\n'])
  })

  it('looks between two offsets', () => {
    const text = 'a\nb\na\n'
    expect(locate(text, 'a', { from: 2 })).toMatchObject({ kind: 'found', place: { start: 4, end: 6 } })
    expect(locate(text, 'a', { to: 4 })).toMatchObject({ kind: 'found', place: { start: 0, end: 2 } })
  })
})

/** Few different lines, so that passages repeat. */
const line = fc.constantFrom('a', '  a', 'bc', '\tbc', '', '  ', 'say "x"', 'say \u201cx\u201d', 'a - b', '}', '---')
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n')
const lines = fc.array(fc.tuple(line, ending).map(([body, end]) => body + end), { minLength: 1, maxLength: 12 })

/** By trying each line, tier by tier: what `locate` does without its ways to be quick. */
function slowly(text: string, searched: string): string[] {
  const all = linesOf(text)
  const wanted = linesOf(searched)
  const starts = all.map((_, index) => all.slice(0, index).reduce((sum, { body, ending: end }) => sum + body.length + end.length, 0))
  return starts.flatMap((start, index) => {
    const passage = all.slice(index, index + wanted.length).map(({ body, ending: end }) => body + end).join('')
    const alone = locate(passage, searched)
    return linesOf(passage).length === wanted.length && alone.kind === 'found' ? [`${alone.place.tier} ${start}`] : []
  })
}

describe('locate', () => {
  it('finds what trying every line finds', () => {
    fc.assert(fc.property(lines, fc.nat(11), fc.integer({ min: 1, max: 4 }), lines, fc.boolean(), (pieces, at, count, other, isOther) => {
      const text = pieces.join('')
      const searched = isOther ? other.slice(0, count).join('') : pieces.slice(at % pieces.length, at % pieces.length + count).join('')
      const all = slowly(text, searched)
      const tier = ['exact', 'trailing-space', 'indentation', 'look-alikes'].find((each) => all.some((found) => found.startsWith(each)))
      // Lines that end in CRLF are no other lines, where those searched for end in LF.
      const isLf = (start: number) => tier === 'exact' && !searched.includes('\r')
        && `${text.slice(start).replaceAll('\r\n', '\n')}\n`.startsWith(searched.endsWith('\n') ? searched : `${searched}\n`)
      const starts = all.map((found) => ({ tier: found.split(' ')[0], start: Number(found.split(' ')[1]) }))
        .flatMap((found) => tier !== undefined && (found.tier === tier || isLf(found.start)) ? [found.start] : [])
      const found = locate(text, searched)
      const places = found.kind === 'found' ? [found.place] : found.kind === 'ambiguous' ? found.places : []
      expect(places.map(({ start }) => start)).toEqual(starts)
    }), { numRuns: 2000 })
  })

  it('changes nothing but the lines that differ', () => {
    fc.assert(fc.property(lines, fc.nat(11), fc.integer({ min: 1, max: 4 }), (pieces, at, count) => {
      const text = pieces.join('')
      const searched = pieces.slice(at % pieces.length, at % pieces.length + count).join('').replaceAll('\r\n', '\n')
      const found = locate(text, searched)
      if (found.kind === 'found') {
        expect(splice(text, found.place, replacement(text, found.place, searched, searched))).toBe(text)
      }
    }))
  })

  it.each([
    ['one repeated line', '  return value\n'.repeat(300_000), `${'return value\n'.repeat(2000)}return other\n`],
    ['one letter', 'a'.repeat(5_000_000), `b${'a'.repeat(2_000_000)}`],
    ['lines of quotes only', '"\n'.repeat(1_000_000), `${"'\n".repeat(3000)}""\n`],
    ['two lines in turn', 'ab\nac\n'.repeat(500_000), `${'ab\nac\n'.repeat(5000)}ab\nab\n`],
    ['rows of spaces', `${' '.repeat(100_000)}x\n`.repeat(30), `${' '.repeat(100_000)}y`],
  ])('is linear: %s', (_name, text, searched) => {
    expect(locate(text, searched).kind).toBe('missing')
  })

  it('finds nothing for sure where a text repeats beyond measure', () => {
    expect(locate('a\n'.repeat(1_000_000), 'a\n'.repeat(500_000)).kind).toBe('ambiguous')
  })
})

describe('locate, exact', () => {
  it('finds the whole lines that are the same, and no others', () => {
    const body = fc.constantFrom('a', 'b', ' a', 'ab', '', 'a\r')
    const text = fc.array(fc.tuple(body, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 12 })
      .chain((rows) => fc.tuple(fc.constant(rows.map((parts) => parts.join('')).join('')), fc.boolean()))
      .map(([whole, isCut]) => isCut ? whole.replace(/\r?\n$/, '') : whole)
    const searched = fc.array(fc.tuple(body, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 3 })
      .map((rows) => rows.map((parts) => parts.join('')).join(''))
    fc.assert(fc.property(text, searched, (content, wanted) => {
      const [all, old] = [linesOf(content), linesOf(wanted)]
      const places = all.flatMap((_, at) => old.every((one, row) => all[at + row]?.body === one.body
        && (row === old.length - 1 || all[at + row]?.ending === one.ending)) ? [at] : [])
      const found = locate(content, wanted, { match: 'exact' })
      expect(found.kind).toBe(['missing', 'found'][places.length] ?? 'ambiguous')
      const starts = found.kind === 'found' ? [found.place] : found.kind === 'ambiguous' ? found.places : []
      expect(starts.map(({ start }) => linesOf(content.slice(0, start)).length)).toEqual(places)
    }), { numRuns: 3000 })
  })
})

it('lists a place once, also where lines indented by tabs would be the searched ones', () => {
  const text = '\tbc\n  a\nsay "x"\n'
  expect(locate(text, '  a\nsay \u201cx\u201d\n')).toMatchObject({ kind: 'found', place: { start: 4, tier: 'look-alikes' } })
})
