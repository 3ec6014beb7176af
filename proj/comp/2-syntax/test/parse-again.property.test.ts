import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { GRAMMAR_IDS, type LanguageId, parseFacts, ParseTime, type VisibleDefinition } from '../src/index.js'

/** However busy the machine is. */
const patient = (): ParseTime => new ParseTime(Infinity, Infinity)

interface Source {
  language: LanguageId
  text: string
  top: VisibleDefinition[]
}

/** What can be used from elsewhere, at the top of a text. */
async function topOf(language: LanguageId, text: string): Promise<VisibleDefinition[]> {
  const { definitions } = await parseFacts(language, text, patient())
  return definitions.filter(({ depth, shared }) => depth === 0 && shared)
}

/** Sources of hermes, and of each language the code of its goldens. */
const sources = await Promise.all([...sourceTexts()].map(async ([language, text]) => (
  { language, text, top: await topOf(language, text) }
)))

function* sourceTexts(): Generator<[LanguageId, string]> {
  const own = new URL('../src/', import.meta.url)
  for (const name of readdirSync(own)) {
    if (name.endsWith('.ts')) yield ['typescript', readFileSync(new URL(name, own), 'utf8')]
  }
  for (const language of GRAMMAR_IDS) {
    const goldens = readGoldens(new URL(`../test-data/${language}.cases.md`, import.meta.url))
    yield [language, goldens.map(({ fences }) => `${fences[0]?.body ?? ''}\n`).join('\n')]
  }
}

/** The share of changes that may cost more: no grammar tells where a quote or a bracket should have been. */
const MOST_MISSED = 0.004

/** Where in a text, as a share of it; `fc.double` would nearly always be next to 0. */
const place = fc.nat(999_999).map((millionths) => millionths / 1e6)

it('a character or a line that is missing nearly always costs the definition it was in, and at most the next one', async () => {
  const missed: string[] = []
  let tried = 0
  const change = fc.record({ source: fc.constantFrom<Source>(...sources), what: fc.constantFrom('line', 'character', 'mark'), at: place })
  await fc.assert(fc.asyncProperty(change, async ({ source: { language, text, top }, what, at }) => {
    const { broken, row } = without(text, what, at)
    // Without its tag PHP is text.
    fc.pre(!(language === 'php' && row === 0))
    // What one line defines is one: `[a, b] = f()`.
    const starts = [...new Set(top.map(({ startLine }) => startLine))]
    const hit = starts.findLastIndex((line) => line <= row + 1)
    const others = top.filter(({ startLine }) => startLine !== starts[hit] && startLine !== starts[hit + 1])
      .map(({ name }) => name)
    const found = new Set((await topOf(language, broken)).map(({ name }) => name))
    tried++
    const lost = others.filter((name) => !found.has(name))
    if (lost.length > 0) missed.push(`${language}, row ${row + 1} without a ${what}: ${lost.join(', ')}`)
  }), { numRuns: Number(process.env['HERMES_RUNS'] ?? 1000) })
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(2 + tried * MOST_MISSED)
})

function without(text: string, what: string, at: number): { broken: string; row: number } {
  const lines = text.split('\n')
  const marks = [...text.matchAll(/[[\](){}"'`]/g)].map(({ index }) => index)
  if (what === 'line') {
    const row = Math.floor(at * lines.length)
    return { broken: lines.toSpliced(row, 1).join('\n'), row }
  }
  const offset = what === 'mark' ? marks[Math.floor(at * marks.length)] ?? 0 : Math.floor(at * text.length)
  return { broken: text.slice(0, offset) + text.slice(offset + 1), row: text.slice(0, offset).split('\n').length - 1 }
}
