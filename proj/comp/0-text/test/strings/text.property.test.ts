import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesOfName, clip, clipUtf8, countBreaks, escapeControls, EscapedStream, isNeeded, isOddName, nameOfBytes, nameOfShown, nearest, printableJson,
  shownName, utf8Length,
} from '../../src/strings/index.js'

interface Case<Input> {
  name: string
  input: Input
  expected?: string | number
}
interface Tables {
  clip: Case<Parameters<typeof clip>>[]
  countBreaks: Case<Parameters<typeof countBreaks>>[]
  nearest: Case<Parameters<typeof nearest>>[]
  clipUtf8: Case<Parameters<typeof clipUtf8>>[]
  escapeControls: Case<Parameters<typeof escapeControls>>[]
}
const tables = JSON.parse(readFileSync(new URL('../../test-data/strings/text.cases.json', import.meta.url), 'utf8')) as Tables

/** Lone surrogates too. */
const anyText = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom('\ud800', '\udfff', 'é')),
})

describe('clip and countBreaks', () => {
  it.each(tables.clip)('clip: $name', ({ input, expected }) => expect(clip(...input)).toBe(expected))
  it.each(tables.countBreaks)('countBreaks: $name', ({ input, expected }) => expect(countBreaks(...input)).toBe(expected))
})

describe('nearest', () => {
  it.each(tables.nearest)('$name', ({ input, expected }) => expect(nearest(...input)).toBe(expected))

  it('finds a name among any others', () => {
    fc.assert(fc.property(fc.string(), fc.array(fc.string()), fc.array(fc.string()), (name, before, after) => {
      expect(nearest(name, [...before, name, ...after])?.toLowerCase()).toBe(name.toLowerCase())
    }))
  })
})

describe('clipUtf8', () => {
  it.each(tables.clipUtf8)('$name', ({ input, expected }) => expect(clipUtf8(...input)).toBe(expected))

  it('gives the longest start that fits, whole characters only', () => {
    fc.assert(fc.property(anyText, fc.nat(60), (text, most) => {
      const clipped = clipUtf8(text, most)
      const size = Buffer.byteLength(clipped)
      expect(text.startsWith(clipped)).toBe(true)
      expect(size).toBeLessThanOrEqual(most)
      const [next] = text.slice(clipped.length)
      if (next !== undefined) expect(size + Buffer.byteLength(next)).toBeGreaterThan(most)
    }))
  })
})

describe('escapeControls', () => {
  it.each(tables.escapeControls)('$name', ({ input, expected }) => expect(escapeControls(...input)).toBe(expected))

  it('printableJson is the same value, and holds no such character', () => {
    fc.assert(fc.property(fc.jsonValue(), anyText, (value, text) => {
      const json = printableJson({ value, [text]: text })
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, [text]: text })))
      expect(json).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/u)
    }))
  })

  it('leaves no control and no format character that hides or turns text', () => {
    fc.assert(fc.property(anyText, fc.boolean(), (text, keepNewlines) => {
      const shown = escapeControls(text, keepNewlines).replaceAll(keepNewlines ? /[\t\n]/g : '\t', '')
      const safe = shown.replaceAll(/[\u180e\u200b-\u200d]/g, (char, at: number) => (isNeeded(char, at, shown) ? '' : char))
      expect(safe).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029\u115f\u1160\u3164\uffa0]/u)
    }))
  })
})

describe('EscapedStream', () => {
  const pieces = fc.array(fc.oneof(anyText, fc.constantFrom(
    '\u200c', '\u200d', '\u06cc', '\u062e', '👨', '👩', '\ufe0f', '\r', '\n', '\u202e', '\ud83d', '\udc68', 'a', '🏴', '\u{e0067}',
    '\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '\u0d4d', '\u0d28',
  )), { maxLength: 12 })

  it('shows the same however a text is cut', () => {
    const family = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👨🏽\u200d👩\u200d👧 \u06cc\u200c\u062e \r\n\u200d'
    fc.assert(fc.property(pieces, (parts) => {
      const stream = new EscapedStream()
      const shown = parts.map((part) => stream.push(part)).join('') + stream.end()
      expect(shown).toBe(escapeControls(parts.join('').replaceAll('\r\n', '\n'), true))
    }), { numRuns: 2000, examples: [[family.split('')], [['🏴', '\u200d', '🏴']]] })
  })
})

it('counts the bytes of UTF-8 as they are written', () => {
  fc.assert(fc.property(anyText, (text) => {
    expect(utf8Length(text)).toBe(Buffer.byteLength(text))
  }))
})

describe('names of files', () => {
  it('are read byte for byte: what is not UTF-8 stands as U+DC80 to U+DCFF, and is shown as \\xff', () => {
    const bytes = Uint8Array.from([0x61, 0xff, 0xc3, 0xa9, 0xe2, 0x80, 0xef, 0xbf, 0xbd])
    expect(nameOfBytes(bytes)).toBe('a\udcffé\udce2\udc80\ufffd')
    expect(shownName(nameOfBytes(bytes))).toBe(String.raw`a\xffé\xe2\x80` + '\ufffd')
    expect(escapeControls(nameOfBytes(bytes))).toContain(String.raw`a\xffé\xe2\x80`)
    expect(isOddName('é\ufffd😀')).toBe(false)
  })

  it('any bytes come back', () => {
    fc.assert(fc.property(fc.uint8Array(), bytes => {
      expect([...bytesOfName(nameOfBytes(bytes))]).toEqual([...bytes])
    }))
  })

  it('come back from what is shown of them, but for those that hold a backslash', () => {
    fc.assert(fc.property(fc.uint8Array(), bytes => {
      const name = nameOfBytes(bytes.filter((byte) => byte !== 0x5c))
      expect(nameOfShown(shownName(name))).toBe(name)
    }))
  })
})
