import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { type Facts, type Import, type LanguageId, parseFacts } from '../src/index.js'

const directory = new URL('../test-data/facts/', import.meta.url)

describe.each(readdirSync(directory))('%s', (file) => {
  it.each(readGoldens(new URL(file, directory)))('$name', async ({ group, fences }) => {
    const [code, expected] = fences
    expect(lines(await parseFacts(group as LanguageId, code?.body ?? ''))).toEqual(expected?.body.trimEnd().split('\n'))
  })
})

it('an occurrence that defines is at the name of a definition, and the other way round', async () => {
  const { definitions, occurrences } = await parseFacts('python', 'class A:\n  def f(self, x): return f(x)\n')
  const defining = occurrences.filter(({ kind }) => kind === 'definition')
  expect(defining.map(({ name, line, column }) => [name, line, column]))
    .toEqual(definitions.map(({ name, nameLine, nameColumn }) => [name, nameLine, nameColumn]))
})

/** Imports, then the identifiers of each line by kind, then errors. */
function lines({ imports, occurrences, errors }: Facts): string[] {
  const byLine = new Map<number, string[]>()
  for (const { name, line, kind } of occurrences) {
    byLine.set(line, [...byLine.get(line) ?? [], kind === 'other' ? name : `${name}:${kind}`])
  }
  return [
    ...imports.map(importLine),
    ...[...byLine].map(([line, names]) => `${line}: ${names.join(' ')}`),
    ...errors.map(([first, last]) => `error ${first}-${last}`),
  ]
}

function importLine({ module, name, alias, line }: Import): string {
  return `import ${line} ${module}${name === undefined ? '' : ` ${name}`}${alias === undefined ? '' : ` as ${alias}`}`
}
