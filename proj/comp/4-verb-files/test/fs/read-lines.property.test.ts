import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { splitLines } from '../../../1-edits/src/engine/index.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { LineSelection } from '../../src/fs/line-selection.js'
import { PieceDecoder } from '../../src/fs/piece-decoder.js'
import { decodeText, encodeText, ENCODINGS, type TextEncoding } from '../../src/fs/text-encoding.js'

const unit = fc.constantFrom('a', '\n', '\r\n', '\r', '\ufeff', 'é', '\u{1f600}', '\ud83d')
const text = fc.string({ unit, maxLength: 30 })
const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 6 })

function pieces(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [0, ...at.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place))
}

function decodePieces(bytes: Uint8Array, at: readonly number[], encoding: TextEncoding): string | undefined {
  const decoder = new PieceDecoder(encoding)
  const texts = pieces(bytes, at).map((piece) => decoder.push(piece))
  return decoder.end() && !texts.includes(undefined) ? texts.join('') : undefined
}

function decodeWhole(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return decodeText('a', bytes, encoding)
  } catch {
    return undefined
  }
}

describe('PieceDecoder', () => {
  it.each(ENCODINGS)('makes the same of %s as of the whole, wherever it is cut', (encoding) => {
    const encoded = fc.tuple(text, fc.constantFrom('little', 'big')).map(([content, order]) => (
      Buffer.from(encodeText('x', encoding === 'ascii' ? content.replace(/[^\0-\x7f]/g, 'x') : content, encoding, order as 'big'))
    ))
    const bytes = fc.oneof(encoded, fc.uint8Array({ maxLength: 20 }))
    fc.assert(fc.property(bytes, cuts, (file, at) => {
      expect(decodePieces(file, at, encoding)).toBe(decodeWhole(file, encoding))
    }), { numRuns: 2000 })
  })
})

describe('LineSelection', () => {
  it('takes the lines that splitLines makes, wherever the text is cut', () => {
    fc.assert(fc.property(text, cuts, fc.nat({ max: 8 }), fc.nat({ max: 8 }), (content, at, first, last) => {
      const { lines } = splitLines(content)
      const selection = new LineSelection({ first, last }, Infinity)
      const places = [0, ...at.filter((place) => place < content.length).sort((a, b) => a - b), content.length]
      places.slice(1).forEach((place, index) => selection.push(content.slice(places[index], place)))
      expect(selection.lineCount).toBe(lines.length)
      expect(selection.lines).toEqual(first > last ? [] : lines.slice(Math.max(0, first - 1), last))
    }), { numRuns: 2000 })
  })
})

it('reads lines of a UTF-16 file over the limit', async () => {
  const root = tempDir()
  const context = contextFor(root, 'disk')
  writeFileSync(join(root, 'a.txt'), encodeText('x', `${'\u{1f600} line\n'.repeat(200_000)}end`, 'utf-16'))
  const args = { path: 'a.txt', start_line: 200_000, encoding: 'utf-16' }
  expect(await runVerb('read_file', args, context)).toEqual({
    data: { path: 'a.txt', content: '\u{1f600} line\nend', start_line: 200_000, end_line: 200_001, total_lines: 200_001 },
  })
})

it('gives the first 2,000 lines of a file where none are named, and says how to go on', async () => {
  const root = tempDir()
  const hints: string[] = []
  const context = { ...contextFor(root, 'disk'), advise: (hint: string) => hints.push(hint) }
  writeFileSync(join(root, 'a.txt'), `\ufeff${'line\n'.repeat(2001)}`)
  const { data } = await runVerb('read_file', { path: 'a.txt' }, context) as { data: Record<string, unknown> }
  expect(data).toEqual({
    path: 'a.txt', content: `\ufeff${'line\n'.repeat(2000)}`, start_line: 1, end_line: 2000, total_lines: 2001,
    truncated: true, next_start_line: 2001,
  })
  expect(hints).toEqual(['These are the first 2000 of 2001 lines; go on with start_line: 2001, end_line: 2001.'])
  const { next_start_line: next } = data
  expect(await runVerb('read_file', { path: 'a.txt', start_line: next }, context)).toMatchObject({
    data: { content: 'line\n', total_lines: 2001 },
  })
})

it.each(['fs.readFile', 'fs.readRange', 'fs.lineCount', 'read_file'])('%s names a pipe as it is written', async (verb) => {
  const root = tempDir()
  execFileSync('mkfifo', ['pipe'], { cwd: root })
  const range = verb === 'fs.readRange' ? { startLine: 1, endLine: 1 } : {}
  expect(await runVerb(verb, { path: 'pipe', ...range }, contextFor(root, 'disk'))).toMatchObject({
    code: 'NOT_TEXT', message: 'Not a regular file: pipe',
  })
})
