import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editSoup } from '../../../../test/support/edit-soup.js'
import { cut, markerSoup } from '../../../../test/support/marker-soup.js'
import { EDIT_FORMATS } from '../../../0-contracts/src/index.js'
import { parse, parseChunks } from '../../src/parsers/index.js'

const RUNS = Number(process.env['RUNS'] ?? 2000)
const formats = fc.subarray([
  ...EDIT_FORMATS, 'gptme', 'tool-code', 'mini-swe-agent', 'swe-agent', 'smolagents', 'plandex', 'react', 'bare-json',
  'pythonic',
] as const)
const soup = fc.oneof({ arbitrary: editSoup, weight: 3 }, { arbitrary: fc.tuple(editSoup, markerSoup, editSoup).map((parts) => parts.join('')), weight: 1 })

describe('edit formats and dialects of lines, for any text', () => {
  it('do not depend on how the text is cut', () => {
    fc.assert(fc.property(soup, formats, fc.array(fc.nat(), { maxLength: 8 }), (text, editFormats, places) => {
      const whole = parse(text, { editFormats })
      expect(parseChunks(cut(text, places), { editFormats })).toEqual(whole)
      expect(parseChunks(text.split(''), { editFormats })).toEqual(whole)
      // In pieces of a line nothing is passed over.
      expect(parseChunks(text.split(/(?<=\n)/), { editFormats })).toEqual(whole)
    }), { numRuns: RUNS })
  })

  it('return blocks and errors that have their place, a code and a hint', () => {
    fc.assert(fc.property(soup, formats, (text, editFormats) => {
      const { blocks, errors, skipped, totalBlocks } = parse(text, { editFormats })
      const lines = text.split('\n').length
      for (const { startLine, endLine } of [...blocks, ...skipped]) {
        expect(startLine).toBeGreaterThanOrEqual(1)
        expect(endLine).toBeGreaterThanOrEqual(startLine)
        expect(endLine).toBeLessThanOrEqual(lines)
      }
      for (const { error, startLine, source } of errors) {
        expect(error.line, error.message).toBeGreaterThanOrEqual(startLine)
        expect(error.line).toBeLessThanOrEqual(lines)
        expect(error.column).toBeGreaterThanOrEqual(1)
        expect(error.hint, error.message).toBeTruthy()
        expect(source).not.toBe('')
      }
      expect(totalBlocks).toBeGreaterThanOrEqual(blocks.length)
      for (const block of blocks) {
        for (const other of [...skipped, ...blocks.filter((one) => one !== block)]) {
          // One line may end a block and begin the next, and the calls of a list share its lines.
          const isOneList = 'dialect' in other && other.dialect === block.dialect && other.startLine === block.startLine && other.endLine === block.endLine
          const apart = isOneList || other.endLine <= block.startLine || other.startLine >= block.endLine
          expect(apart, JSON.stringify({ block, other, text })).toBe(true)
        }
      }
    }), { numRuns: RUNS })
  })

  it('that are not enabled change nothing but what is listed as skipped', () => {
    fc.assert(fc.property(markerSoup, editSoup, (marks, edits) => {
      const { blocks } = parse(edits + marks)
      for (const { format } of blocks) expect(EDIT_FORMATS).not.toContain(format)
    }), { numRuns: RUNS / 4 })
  })
})

describe('SEARCH/REPLACE blocks', () => {
  const content = fc.array(fc.oneof(editSoup, fc.string({ unit: 'binary' })), { maxLength: 3 })
    .map((parts) => parts.map((part) => `${part}\n`).join(''))

  it('carry any content without marks of their own', () => {
    fc.assert(fc.property(content, content, fc.constantFrom('\n', '\r\n'), fc.boolean(), (before, after, eol, fenced) => {
      const [old, replaced] = [before, after].map((text) => text.split(/(?<=\n)/).filter((line) => !/SEARCH|REPLACE|={5,}/.test(line)).join(''))
      const block = ['a.py', ...(fenced ? ['```python'] : []), '<<<<<<< SEARCH', ''].join(eol) +
        `${old}=======${eol}${replaced}>>>>>>> REPLACE${eol}${fenced ? '```' : ''}`
      const { blocks, errors } = parse(`Prose.\n\n${block}\n`, { editFormats: ['search-replace'] })
      expect(errors).toEqual([])
      expect(blocks.map(({ params }) => params)).toEqual([{ path: 'a.py', old_text: old, new_text: replaced }])
    }), { numRuns: RUNS })
  })
})

describe('unified diffs', () => {
  const lines = fc.array(fc.constantFrom(
    'diff --git a/x b/x', 'index 1..2 100644', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '@@ -1,3 +1,3 @@', '@@ ... @@', '-a', '+b', ' c', '--- a', '+++ b', '',
    'rename from x', 'rename to y', '\\ No newline at end of file', ' ```',
  ), { maxLength: 30 })

  it('are split by file, and nothing of them is lost', () => {
    fc.assert(fc.property(lines, (middle) => {
      const diff = ['--- a/x', '+++ b/x', '@@ -1 +1 @@', ...middle].map((line) => `${line}\n`).join('')
      const { blocks, errors } = parse(`\`\`\`diff\n${diff}\`\`\`\n`, { editFormats: ['unified'] })
      expect(errors).toEqual([])
      expect(blocks.map(({ params }) => params['patch']).join('')).toBe(diff)
      blocks.forEach(({ startLine }, at) => expect(startLine).toBe(at === 0 ? 2 : blocks[at - 1]!.endLine + 1))
    }), { numRuns: RUNS })
  })
})
