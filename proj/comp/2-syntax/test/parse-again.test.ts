import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { type Facts, type LanguageId, parseDefinitions, parseFacts, parseSignatures, ParseTime } from '../src/index.js'

/** However busy the machine is. */
const patient = (): ParseTime => new ParseTime(Infinity, Infinity)

const cases = readGoldens(new URL('../test-data/broken/broken.cases.md', import.meta.url))

describe('broken code', () => {
  it.each(cases)('$group: $name', async ({ group, fences: [code, expected] }) => {
    const text = code?.body ?? ''
    const facts = await parseFacts(group as LanguageId, text, patient())
    expect(lines(facts)).toEqual(expected?.body.split('\n'))
    const names = facts.definitions.filter(({ parameter }) => !parameter).map(({ name }) => name)
    expect((await parseDefinitions(group as LanguageId, text, patient())).map(({ name }) => name)).toEqual(names)
    const { definitions, errorLine } = await parseSignatures(group as LanguageId, text, patient())
    expect(definitions.map(({ definition: { name } }) => name))
      .toEqual(facts.definitions.filter(({ shared }) => shared).map(({ name }) => name))
    expect(errorLine).toBeGreaterThan(0)
  })

  it('has each occurrence once, and those that define at the names of definitions', async () => {
    for (const { group, fences: [code] } of cases) {
      const { definitions, occurrences } = await parseFacts(group as LanguageId, code?.body ?? '', patient())
      const places = occurrences.map(({ line, column }) => `${line}:${column}`)
      expect(new Set(places).size).toBe(places.length)
      const defining = places.filter((_, index) => occurrences[index]?.kind === 'definition')
      expect(defining.sort()).toEqual(definitions.map(({ nameLine, nameColumn }) => `${nameLine}:${nameColumn}`).sort())
    }
  })
})

/** Imports, then definitions, then errors. */
function lines({ imports, definitions, errors }: Facts): string[] {
  return [
    ...imports.map(({ line, module }) => `import ${line} ${module}`),
    ...definitions.filter(({ parameter }) => !parameter).map(({ kind, container, name, startLine, endLine, shared }) => (
      `${kind} ${container === undefined ? '' : `${container}.`}${name} ${startLine}-${endLine}${shared ? '' : ' local'}`
    )),
    ...errors.map(([first, last]) => `error ${first}-${last}`),
  ]
}
