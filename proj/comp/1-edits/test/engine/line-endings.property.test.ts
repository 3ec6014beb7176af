import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fitEndings, linesOf, locate, replaceFitting, replacement, splice, spliceLines, splitLines, withPlainBreaks,
} from '../../src/engine/index.js'

const body = fc.constantFrom('a', 'b', 'c', '', 'ab', 'x y')
const files = fc.tuple(
  fc.array(fc.tuple(body, fc.constantFrom('\n', '\r\n')), { maxLength: 8 }), fc.constantFrom('', 'a', 'end'),
  fc.constantFrom('', '\ufeff'),
).map(([lines, last, bom]) => bom + lines.map((line) => line.join('')).join('') + last)
const newText = fc.tuple(fc.array(body, { maxLength: 4 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + (lines.length === 0 ? '' : end))

const plain = (text: string): string => text.replaceAll('\r\n', '\n')
const crlf = (text: string): string => plain(text).replaceAll('\n', '\r\n')

/**
 * Of an edit with LF only: but for line endings it does in any file what it does in one with LF, in a file with CRLF it
 * leaves no other, and the lines before and behind it keep their bytes.
 */
function keepsEndings(content: string, edit: (content: string) => string): void {
  const changed = edit(content)
  expect(plain(changed)).toBe(edit(plain(content)))
  // A text without any line break says nothing of what they are like.
  if (content.includes('\n')) expect(edit(crlf(content))).toBe(crlf(edit(plain(content))))
}

describe('line endings', () => {
  it('of lines in the place of others, or between two', () => {
    fc.assert(fc.property(files, fc.nat(), fc.nat(3), newText, (content, at, count, inserted) => {
      const { length } = splitLines(content).lines
      const first = at % (length + 1) + 1
      const last = Math.min(length, first + count - 1)
      keepsEndings(content, (text) => spliceLines(text, { first, last }, inserted))
      const changed = spliceLines(content, { first, last }, inserted)
      const { bom, lines } = splitLines(content)
      const bareEnd = first > length ? /[^\n]+$/ : /(?!)/
      expect(changed.startsWith(bom + lines.slice(0, first - 1).join('').replace(bareEnd, ''))).toBe(true)
      expect(changed.endsWith(lines.slice(last).join(''))).toBe(true)
      // New lines end as one of those they replace.
      const replaced = new Set(lines.slice(first - 1, last).map((line) => linesOf(line)[0]?.ending))
      if (last < first || replaced.has('')) return
      const added = linesOf(changed.slice(bom.length)).slice(first - 1, changed.length - lines.slice(last).length)
      for (const { ending } of added.slice(0, linesOf(inserted).length)) expect(replaced).toContain(ending)
    }))
  })

  it('of text within lines, and over several', () => {
    const pieces = fc.constantFrom('a', 'b', 'a\nb', '\na', 'b\n', 'x y\n', '\n')
    fc.assert(fc.property(files, pieces, newText, (content, oldText, text) => {
      keepsEndings(content, (each) => replaceFitting(each, withPlainBreaks(each, oldText), oldText, text).result)
    }))
  })

  it('of text at the end', () => {
    fc.assert(fc.property(files, newText, (content, text) => {
      const changed = content + fitEndings(content, { start: content.length, end: content.length }, text)
      expect(plain(changed)).toBe(plain(content) + text)
      if (content.includes('\n')) {
        const end = crlf(content).length
        expect(fitEndings(crlf(content), { start: end, end }, text)).toBe(crlf(text))
      }
    }))
  })

  it('of quoted lines replaced', () => {
    fc.assert(fc.property(files, fc.nat(), fc.integer({ min: 1, max: 3 }), newText, (content, at, count, text) => {
      const { lines } = splitLines(plain(content))
      const searched = lines.slice(at % (lines.length + 1)).slice(0, count).join('')
      const edit = (each: string): string | undefined => {
        const found = locate(each, searched)
        if (found.kind !== 'found') return undefined
        return splice(each, found.place, replacement(each, found.place, searched, text))
      }
      fc.pre(searched !== '' && [content, plain(content), crlf(content)].every((each) => edit(each) !== undefined))
      keepsEndings(content, (each) => edit(each) ?? '')
    }))
  })

  it('are as written where the new text, or the old one, has a CR', () => {
    const content = 'a\r\nb\nc\r\n'
    expect(spliceLines(content, { first: 1, last: 1 }, 'x\ny\r\n')).toBe('x\ny\r\nb\nc\r\n')
    expect(replaceFitting(content, content, 'a\r\nb', 'x\ny').result).toBe('x\ny\nc\r\n')
    expect(replaceFitting(content, content, 'b', 'x\r\ny').result).toBe('a\r\nx\r\ny\nc\r\n')
    expect(fitEndings(content, { start: 8, end: 8 }, 'x\r\ny\n')).toBe('x\r\ny\n')
  })

  it('of a lone CR are none: it is part of its line, and stays', () => {
    expect(spliceLines('a\rb\r\nc\n', { first: 1, last: 1 }, 'x\ny\n')).toBe('x\r\ny\r\nc\n')
    expect(replaceFitting('a\rb\nc\r\n', 'a\rb\nc\r\n', 'b', 'x\ny').result).toBe('a\rx\ny\nc\r\n')
  })
})
