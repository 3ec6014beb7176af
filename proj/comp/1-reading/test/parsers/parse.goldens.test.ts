import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GoldenCase, readGoldens } from '../../../../test/support/goldens.js'
import { cut } from '../../../../test/support/marker-soup.js'
import { parse, parseChunks } from '../../src/parsers/index.js'
import { decodeInput } from './golden-input.js'
import { expectOutcome } from './golden-outcome.js'

const DATA = new URL('../../test-data/parsers/', import.meta.url)
/** The page that explains how an answer is read: its examples are cases like others. */
const PAGE = new URL('../../../../doc/READING.md', import.meta.url)
const files = readdirSync(DATA).filter((name) => name.endsWith('.cases.md')).map((name) => new URL(name, DATA))

describe.each([...files, PAGE].map((file) => [basename(file.pathname), file] as const))('%s', (_, file) => {
  for (const golden of readGoldens(file)) {
    const name = golden.group === '' ? golden.name : `${golden.group}: ${golden.name}`
    describe(name, () => {
      const { text, ...options } = inputOf(golden)

      it('whole', () => expectOutcome(parse(text, options), expectedOf(golden)))

      it('in pieces', () => {
        const whole = parse(text, options)
        expect(parseChunks(text.split(''), options)).toEqual(whole)
        fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 6 }), (places) => {
          expect(parseChunks(cut(text, places), options)).toEqual(whole)
        }), { numRuns: 20 })
      })
    })
  }
})

function inputOf(golden: GoldenCase): ReturnType<typeof decodeInput> {
  const input = golden.fences[0]
  if (!input?.info.startsWith('text') || golden.fences.length !== 2) {
    throw new Error(`${golden.name}: one text fence and one json fence`)
  }
  return decodeInput(input.body, input.info.split(/\s+/).slice(1))
}

function expectedOf(golden: GoldenCase): Record<string, unknown> {
  return JSON.parse(golden.fences[1]?.body ?? '') as Record<string, unknown>
}
