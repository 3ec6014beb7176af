import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { isByPattern, LANGUAGE_IDS, type LanguageId, parseDefinitions } from '../src/index.js'

const directory = new URL('../test-data/', import.meta.url)
const files = readdirSync(directory).filter((name) => name.endsWith('.cases.md'))

it('there are cases for every language', () => {
  expect(files.map((name) => name.replace('.cases.md', '')).sort()).toEqual(
    ['by-pattern', ...LANGUAGE_IDS.filter((id) => !isByPattern(id))].sort(),
  )
})

describe.each(files)('%s', (name) => {
  it.each(readGoldens(new URL(name, directory)))('$name', async ({ group, fences }) => {
    const [code, expected] = fences
    const definitions = await parseDefinitions(group as LanguageId, code?.body ?? '')
    expect(definitions.map(({ kind, container, name: own, nameLine, nameColumn, endLine }) => (
      `${kind} ${container === undefined ? '' : `${container}.`}${own} ${nameLine}:${nameColumn}-${endLine}`
    ))).toEqual(JSON.parse(expected?.body ?? ''))
  })
})
