import fc from 'fast-check'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { splitLines } from '../../../1-edits/src/engine/index.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { LineCounter } from '../../src/fs/line-counter.js'
import { decodeText, encodeText, ENCODINGS } from '../../src/fs/text-encoding.js'

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const texts = {
  'utf-8': anyText,
  ascii: fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  'utf-16': anyText,
}

describe('encodings', () => {
  it.each(ENCODINGS)('%s: what write_file writes, read_file reads', async (encoding) => {
    const context = contextFor(tempDir(), 'disk')
    await fc.assert(fc.asyncProperty(texts[encoding], async (content) => {
      await runVerb('write_file', { path: 'a', content, encoding }, context)
      expect(await runVerb('read_file', { path: 'a', encoding }, context)).toMatchObject({ data: { content } })
    }), { numRuns: 60 })
  })

  it.each(ENCODINGS)('%s: bytes that can be read come out the same when they are written back', (encoding) => {
    const marks = fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf])
    fc.assert(fc.property(marks, fc.uint8Array({ maxLength: 8 }), (mark, rest) => {
      const bytes = Uint8Array.from([...mark, ...rest])
      let content: string
      try {
        content = decodeText('a', bytes, encoding)
      } catch (error) {
        expect(error).toMatchObject({ code: 'NOT_TEXT', hint: expect.any(String) })
        return
      }
      const order = mark[0] === 0xfe ? 'big' : 'little'
      const written = encodeText('write_file', content, encoding, order)
      // Nothing at all is UTF-16 too, and gets its mark when it is written.
      if (encoding === 'utf-16' && bytes.length === 0) expect(written).toHaveLength(2)
      else expect(Buffer.from(written as string)).toEqual(Buffer.from(bytes))
    }), { numRuns: 1000 })
  })

  it.each(['little', 'big'])('utf-16: the order of a %s-endian file is kept', async (order) => {
    const root = tempDir()
    const context = contextFor(root, 'disk')
    const file = join(root, 'a')
    await fc.assert(fc.asyncProperty(anyText, async (content) => {
      writeFileSync(file, order === 'little' ? Buffer.from([0xff, 0xfe]) : Buffer.from([0xfe, 0xff]))
      await runVerb('write_file', { path: 'a', content, encoding: 'utf-16' }, context)
      const written = readFileSync(file)
      const decoder = new TextDecoder(order === 'little' ? 'utf-16le' : 'utf-16be', { fatal: true })
      expect(decoder.decode(written)).toBe(content)
    }), { numRuns: 40 })
  })

  it('utf-16 counts its bytes against the size limit', async () => {
    const args = { path: 'a', content: 'x'.repeat(50_000), encoding: 'utf-16' }
    expect(await runVerb('write_file', args, contextFor(tempDir(), 'disk'))).toMatchObject({
      code: 'FILE_TOO_LARGE', message: "write_file: 'a' would have 100002 bytes, the limit is 100000",
    })
  })
})

describe('LineCounter', () => {
  it('counts as splitLines does, whatever the pieces cut through', () => {
    const unit = fc.constantFrom('a', '\n', '\r\n', '\r', '\ufeff', 'é', '€', '👋')
    const cuts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 })
    fc.assert(fc.property(fc.string({ unit, maxLength: 20 }), cuts, (content, sizes) => {
      const bytes = Buffer.from(content)
      const counter = new LineCounter()
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        expect(counter.push(bytes.subarray(at, at + size))).toBe(true)
        at += size
      }
      expect(counter.end()).toBe(splitLines(content).lines.length)
    }), { numRuns: 500 })
  })

  it('sees what is not UTF-8, whatever the pieces cut through', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), fc.nat(12), (bytes, cut) => {
      const counter = new LineCounter()
      const isText = counter.push(bytes.subarray(0, cut)) && counter.push(bytes.subarray(cut)) &&
        counter.end() !== undefined
      const decoded = new TextDecoder().decode(bytes)
      expect(isText).toBe(Buffer.from(bytes).equals(Buffer.from(decoded)) || isMarked(bytes))
    }), { numRuns: 1000 })
  })
})

/** The decoder takes away a byte order mark; what follows must be UTF-8 all the same. */
function isMarked(bytes: Uint8Array): boolean {
  const rest = Buffer.from(bytes.subarray(3))
  return Buffer.from('\ufeff').equals(bytes.subarray(0, 3)) && Buffer.from(rest.toString()).equals(rest)
}
