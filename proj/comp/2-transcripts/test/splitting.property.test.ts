import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitJson } from '../src/json-splitter.js'
import { readLines } from '../src/line-reader.js'

const MAX = 1000

async function* inPieces(bytes: Buffer, places: readonly number[]): AsyncGenerator<Buffer, void> {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  for (const [index, cut] of [...cuts, bytes.length].entries()) yield bytes.subarray(index === 0 ? 0 : cuts[index - 1], cut)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe('readLines', () => {
  it('gives the lines of the text however it comes in pieces', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '{', '"', '\r', ' '), maxLength: 30 })
    await fc.assert(fc.asyncProperty(fc.array(line), fc.boolean(), cuts, async (lines, isEnded, places) => {
      const text = lines.join('\n') + (isEnded ? '\n' : '')
      const read = await all(readLines(inPieces(Buffer.from(text), places), MAX))
      const expected = text.split('\n')
      // What follows the last line feed is a line only where there is something.
      if (expected.at(-1) === '') expected.pop()
      expect(read.map(({ bytes }) => bytes.toString())).toEqual(expected)
      expect(read.map((one) => one.line)).toEqual(expected.map((_, index) => index + 1))
    }))
  })

  it('keeps nothing of a line over the limit, and reads on', async () => {
    const text = `a\n${'x'.repeat(MAX + 1)}\n${'y'.repeat(MAX)}\nb`
    for (const places of [[], [1, 5, 400, 1004], [2, 1002, 1003]]) {
      const read = await all(readLines(inPieces(Buffer.from(text), places), MAX))
      expect(read.map(({ line, bytes, tooLong }) => [line, bytes.length, tooLong])).toEqual([
        [1, 1, undefined], [2, 0, MAX + 1], [3, MAX, undefined], [4, 1, undefined],
      ])
    }
  })
})

describe('splitJson', () => {
  const value = fc.jsonValue({ depthSize: 'small' })

  it('gives the elements of an array however it is written and cut', async () => {
    await fc.assert(fc.asyncProperty(fc.array(value), fc.constantFrom(0, 1, 2), cuts, async (list, indent, places) => {
      const read = await all(splitJson(inPieces(Buffer.from(JSON.stringify(list, null, indent)), places), 1e6))
      expect(read.map(({ bytes }) => JSON.parse(bytes.toString()) as unknown)).toEqual(JSON.parse(JSON.stringify(list)))
      expect(read.every(({ isElement, isCutOff }) => isElement && !isCutOff)).toBe(true)
    }))
  })

  it('gives values that stand one after the other', async () => {
    const record = fc.dictionary(fc.string(), value)
    await fc.assert(fc.asyncProperty(fc.array(record), fc.constantFrom(0, 2), cuts, async (records, indent, places) => {
      const text = records.map((one) => JSON.stringify(one, null, indent)).join('\n')
      const read = await all(splitJson(inPieces(Buffer.from(text), places), 1e6))
      expect(read.map(({ bytes }) => bytes.toString())).toEqual(records.map((one) => JSON.stringify(one, null, indent)))
    }))
  })

  it('says the same of any bytes however they are cut, and ends', async () => {
    const soup = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', ' ', '\n'), maxLength: 60 })
    await fc.assert(fc.asyncProperty(soup, cuts, async (text, places) => {
      const whole = await all(splitJson(inPieces(Buffer.from(text), []), 20))
      expect(await all(splitJson(inPieces(Buffer.from(text), places), 20))).toEqual(whole)
    }))
  })
})
