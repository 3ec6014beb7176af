import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS, parsePolicy } from '../../src/config/index.js'
import { LIMIT_OF, namesAt } from '../../src/config/policy-schema.js'
import { bytesOf, millisecondsOf } from '../../src/config/units.js'

const page = readFileSync(new URL('../../../../../docs/policy.md', import.meta.url), 'utf8')
/** The first cells of the table rows below a heading. */
const rows = (heading: string): string[][] => (page.split(`## ${heading}\n`)[1] ?? '').split('\n## ')[0]!
  .split('\n').filter((line) => line.startsWith('| `')).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')))
const names = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

it('the examples of docs/policy.md are policies', async () => {
  const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text)
  expect(examples).not.toEqual([])
  for (const text of examples) expect(Object.keys((await parsePolicy(text, 'docs', '/docs')).values)).not.toEqual([])
})

it('docs/policy.md describes each field', () => {
  const described = rows('Fields').flatMap(([cell]) => names(cell)).map((name) => name.replace(/\..*/, '')).filter((name) => name !== '')
  expect([...new Set(described)].sort()).toEqual([...namesAt([])].sort())
})

it('docs/policy.md describes each limit, with the default that it has', () => {
  const described = rows('Limits').flatMap(([cell, , defaults = '']) => names(cell).map((name, i) => [name, defaults.split(', ')[i]?.replace(' |', '')]))
  expect(described.map(([name]) => name)).toEqual(Object.keys(LIMIT_OF))
  for (const [name = '', written = ''] of described) {
    const [limit] = LIMIT_OF[name as keyof typeof LIMIT_OF]
    const read = limit.endsWith('Ms') ? millisecondsOf : bytesOf
    expect([name, read(written)]).toEqual([name, DEFAULT_LIMITS[limit]])
  }
})
