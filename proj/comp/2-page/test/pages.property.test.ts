import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApprovedPath } from '../../0-contracts/src/index.js'
import { type AnsiSpan, ansiLines, withoutColours } from '../src/ansi-lines.js'
import { coloursAtStart } from '../src/ansi-state.js'
import { inlineOf, rowsOf } from '../src/diff-rows.js'
import { pageChange } from '../src/index.js'
import { markLines } from '../src/mark-lines.js'
import { visiblePieces } from '../src/visible-text.js'

const line = fc.constantFrom('a', 'b', 'c', '', '+x', '-x', ' x', '\\ x')
const text = fc.tuple(fc.array(line, { maxLength: 60 }), fc.boolean()).map(([lines, isClosed]) => (
  lines.length === 0 ? '' : `${lines.join('\n')}${isClosed ? '\n' : ''}`
))

function changeOf(before: string, after: string) {
  return pageChange({ kind: 'modify', path: '/w/a.txt' as ApprovedPath, before, after })
}

/** The old text with the hunks put in: what `patch` does. */
function applied(before: string, { hunks }: ReturnType<typeof changeOf>): string {
  const old = before === '' ? [] : before.split('\n')
  if (before.endsWith('\n')) old.pop()
  const lines: string[] = []
  let [at, isOpen, touchesEnd] = [0, false, false]
  for (const hunk of hunks) {
    lines.push(...old.slice(at, hunk.oldStart - 1))
    at = hunk.oldStart - 1
    expect(hunk.newStart).toBe(lines.length + 1)
    for (const [index, marked] of hunk.lines.entries()) {
      if (marked.startsWith('\\')) {
        if (hunk.lines[index - 1]?.startsWith('-') !== true) isOpen = true
        touchesEnd = true
      } else if (!marked.startsWith('+')) {
        expect(marked.slice(1)).toBe(old[at])
        at++
      }
      if (!marked.startsWith('-') && !marked.startsWith('\\')) lines.push(marked.slice(1))
    }
  }
  if (!touchesEnd) isOpen = before !== '' && !before.endsWith('\n')
  lines.push(...old.slice(at))
  return lines.length === 0 ? '' : `${lines.join('\n')}${isOpen ? '' : '\n'}`
}

describe('a difference', () => {
  it('leads from the old text to the new one, and counts its lines', () => {
    fc.assert(fc.property(text, text, (before, after) => {
      const change = changeOf(before, after)
      expect(applied(before, change)).toBe(after)
      const marks = change.hunks.flatMap(({ lines }) => lines.map(([sign]) => sign))
      expect(marks.filter((sign) => sign === '+')).toHaveLength(change.added)
      expect(marks.filter((sign) => sign === '-')).toHaveLength(change.removed)
    }), { numRuns: 500 })
  })

  it('has the same lines side by side and in one column', () => {
    fc.assert(fc.property(text, text, (before, after) => {
      for (const hunk of changeOf(before, after).hunks) {
        const rows = rowsOf(hunk)
        const [left, right] = (['left', 'right'] as const).map((side) => rows.flatMap((row) => (row[side] && row[side].kind !== 'note' ? [row[side].text] : [])))
        expect(left).toEqual(hunk.lines.filter((each) => /^[- ]/.test(each)).map((each) => each.slice(1)))
        expect(right).toEqual(hunk.lines.filter((each) => /^[+ ]/.test(each)).map((each) => each.slice(1)))
        const inline = inlineOf(rows).map(({ left: a, right: b }) => a ?? b)
        expect(inline.filter((each) => each?.kind !== 'note')).toHaveLength(hunk.lines.filter((each) => !each.startsWith('\\')).length)
      }
    }))
  })

  it('marks within a line what differs', () => {
    const [row] = rowsOf({ oldStart: 1, newStart: 1, lines: ['-const a = 1', '+const ab = 1'] })
    expect(row?.right?.changed).toEqual({ start: 7, end: 8 })
    expect(row?.left?.changed).toBeUndefined()
  })
})

/** Each character with its classes: how a line is cut into spans does not matter. */
function lettersOf(spans: readonly AnsiSpan[] = []): string[] {
  return spans.flatMap(({ text: words, classes }) => [...words].map((letter) => [letter, ...new Set(classes.split(' ').toSorted())].join(' ')))
}

describe('output', () => {
  const piece = fc.constantFrom('\u001b[31m', '\u001b[1;42m', '\u001b[38;5;208m', '\u001b[38;2;1;2;3m', '\u001b[0m', '\u001b[2K', '\u001b]0;t\u0007', 'x', '<b>', '&amp;', '\n')

  it('loses nothing but what sets colours, and gets classes of a fixed set', () => {
    fc.assert(fc.property(fc.array(piece), (pieces) => {
      const printed = pieces.join('')
      const lines = ansiLines(printed.split('\n'))
      const seen = lines.map((spans) => spans.map((span) => span.text).join('')).join('\n')
      expect(seen).toBe(withoutColours(printed).replaceAll('\u001b', '\u241b'))
      for (const { classes } of lines.flat()) expect(classes).toMatch(/^(?:(?:^| )ansi-[a-z-]+)*$/)
    }))
  })

  it('is no longer bold after one end, however often it was begun', () => {
    const [, after] = ansiLines(['\u001b[1;42m\u001b[1;42mx', '\u001b[22my'])
    expect(after).toEqual([{ text: 'y', classes: 'ansi-on-green' }])
  })

  it('has in a part the colours it has in the whole', () => {
    const ending = fc.constantFrom('\u001b[22m', '\u001b[39;49m', '\u001b[1;3;4;9;7m', '\u001b[23;24;27;29m', '\u001b[m', '\u001b[94m', '\u001b[2;103m')
    fc.assert(fc.property(fc.array(fc.oneof(piece, ending)), (pieces) => {
      const lines = pieces.join('').split('\n')
      const whole = ansiLines(lines)
      const starts = coloursAtStart(lines)
      for (const [at, one] of lines.entries()) {
        expect(lettersOf(ansiLines([one], starts[at])[0])).toEqual(lettersOf(whole[at]))
      }
    }))
  })
})

it('what hides or turns text can be seen, and all else is as it was', () => {
  expect(visiblePieces('a\u202eb\u0000')).toEqual([
    { text: 'a', isControl: false }, { text: '\\u202e', isControl: true }, { text: 'b', isControl: false }, { text: '\\x00', isControl: true },
  ])
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 0x2100 }), { maxLength: 20 }).map((codes) => String.fromCodePoint(...codes)), (any) => {
    const kept = visiblePieces(any).filter(({ isControl }) => !isControl).map((each) => each.text).join('')
    expect(kept).not.toMatch(/[\u0000-\u0008\u202a-\u202e\u2066-\u2069\u200b]/)
  }))
})

it('a line belongs to the innermost of what it lies in', () => {
  const item = (key: string, startLine: number, endLine: number) => ({ key, state: 'skipped', subject: '', startLine, endLine, changes: [] } as const)
  const marks = markLines(6, [item('outer', 1, 5), item('inner', 2, 3), item('beyond', 6, 99)])
  expect(marks.map((mark) => mark?.inside?.key)).toEqual(['outer', 'inner', 'inner', 'outer', 'outer', 'beyond'])
  expect(marks.map((mark) => mark?.begins?.map(({ key }) => key).join())).toEqual(['outer', 'inner', undefined, undefined, undefined, 'beyond'])
})
