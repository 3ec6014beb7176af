import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../src/store/decode-utf8.js'
import { formatNodeError, getByteLength, getParentDirectory } from '../../src/store/index.js'

interface Case<Input extends unknown[], Expected> {
  name: string
  input: Input
  expected: Expected
}
const path = new URL('../../test-data/store/pure-functions.cases.json', import.meta.url)
const goldens = JSON.parse(readFileSync(path, 'utf8')) as {
  getByteLength: Case<[string], number>[]
  getParentDirectory: Case<[string], string>[]
  formatNodeError: Case<[unknown, string, string], string>[]
}

describe('getByteLength', () => {
  it.each(goldens.getByteLength)('$name', ({ input, expected }) => {
    expect(getByteLength(...input)).toBe(expected)
  })
})
describe('getParentDirectory', () => {
  it.each(goldens.getParentDirectory)('$name', ({ input, expected }) => {
    expect(getParentDirectory(...input)).toBe(expected)
  })
})
describe('formatNodeError', () => {
  it.each(goldens.formatNodeError)('$name', ({ input, expected }) => {
    expect(formatNodeError(...input)).toBe(expected)
  })
})

describe('decodeUtf8', () => {
  it('gives back every text byte for byte, byte order marks and NUL included', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeUtf8(Buffer.from(`\ufeff${text}\0`))).toBe(`\ufeff${text}\0`)
    }))
  })
  it('never gives a text that would be written back as other bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => {
      const text = decodeUtf8(bytes)
      if (text !== undefined) expect(Buffer.from(text)).toEqual(Buffer.from(bytes))
    }), { numRuns: 2000 })
  })
})
