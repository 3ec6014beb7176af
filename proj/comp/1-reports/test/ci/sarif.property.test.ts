import fc from 'fast-check'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { renderSarif } from '../../src/ci/index.js'
import { CI_ITEM } from './ci-items.js'

const LINE = v.pipe(v.number(), v.integer(), v.minValue(1))
/** The part of SARIF 2.1.0 (OASIS standard, section 3) that a report of ours uses; anything else would be refused. */
const SARIF = v.strictObject({
  $schema: v.string(),
  version: v.literal('2.1.0'),
  runs: v.tuple([v.strictObject({
    columnKind: v.literal('utf16CodeUnits'),
    tool: v.strictObject({ driver: v.strictObject({
      name: v.literal('hermes'), rules: v.array(v.strictObject({ id: v.pipe(v.string(), v.minLength(1)), shortDescription: v.strictObject({ text: v.pipe(v.string(), v.minLength(1)) }) })),
    }) }),
    results: v.array(v.strictObject({
      ruleId: v.string(), level: v.picklist(['error', 'warning']), message: v.strictObject({ text: v.string() }),
      locations: v.array(v.strictObject({ physicalLocation: v.strictObject({
        artifactLocation: v.strictObject({ uri: v.string() }),
        region: v.pipe(
          v.strictObject({ startLine: LINE, endLine: LINE }), v.check(({ startLine, endLine }) => endLine >= startLine),
        ),
      }) })),
    })),
  })]),
})
const readSarif = (text: string) => v.parse(SARIF, JSON.parse(text))

it('is SARIF, whatever is in the texts', () => {
  fc.assert(fc.property(fc.array(CI_ITEM, { maxLength: 12 }), (items) => {
    const { runs: [{ results, tool: { driver } }] } = readSarif(renderSarif(items))
    const bad = items.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length
    expect(results).toHaveLength(bad + items.flatMap((item) => item.notes ?? []).length)
    expect(new Set(results.map(({ ruleId }) => ruleId))).toEqual(new Set(driver.rules.map(({ id }) => id)))
    for (const { locations } of results) {
      for (const { physicalLocation: { artifactLocation: { uri } } } of locations) {
        expect(URL.canParse(uri, 'file:///w/')).toBe(true)
      }
    }
  }))
})

it.each([
  ['a b/ü.md', 'a%20b/%C3%BC.md'], ['a:b.md', './a:b.md'], ['what?#1.md', 'what%3F%231.md'],
  ['/w/a.md', 'file:///w/a.md'], ['a\\b.md', 'a/b.md'],
])('writes the file %s as an address', (file, uri) => {
  const { runs: [{ results }] } = readSarif(renderSarif([
    { outcome: 'failed', name: 'a', file, line: 2, endLine: 4, durationMs: 1, code: 'ENOENT', message: 'gone' },
  ]))
  expect(results).toEqual([{
    ruleId: 'ENOENT', level: 'error', message: { text: 'a: ENOENT: gone' },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 2, endLine: 4 } } }],
  }])
})
