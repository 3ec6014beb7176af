import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkApiDoc, listComponents, readSources, writeApiDoc } from '../../scripts/component-api.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const apiOf = readSources(root)

describe('doc/API.md', () => {
  it.each(listComponents(root))('%s declares what the code imports and exports', name => {
    const file = join(root, 'proj', 'comp', name, 'doc', 'API.md')
    const markdown = existsSync(file) ? readFileSync(file, 'utf8') : ''
    expect(checkApiDoc(markdown, apiOf(name)), `run: node proj/scripts/api-docs.mjs --write ${name}`).toEqual([])
    expect(markdown).toMatch(new RegExp(`^# Component: ${name.replace(/^\d-/, '')}\n`))
  })
})

describe('the comparison', () => {
  const actual = {
    dependencies: { 'external/valibot': '*' as const, 'node:fs': { functions: ['readFileSync'], types: ['Stats'] } },
    exports: { classes: ['Gate'], types: Array.from({ length: 40 }, (_, index) => `TypeNumber${index}`).sort() },
    signatures: [
      '// Throws `CLOSED`. Cases: test-data/gate.cases.md.', 'class Gate {', '  open(path: string): void', '}',
    ],
  }
  const empty = '# Component: x\n\n```yaml\ndependencies: {}\n```\n\n```yaml\nexports: {}\n```\n\nProse.\n'
  const written = writeApiDoc(empty, actual)

  it('accepts what the script writes, and keeps the prose', () => {
    expect(checkApiDoc(written, actual)).toEqual([])
    expect(written).toMatch(/^# Component: x\n\n```yaml\ndependencies:\n[^]*```\n\nProse\.\n\n## Signatures\n\n```ts\n/)
    expect(writeApiDoc(written, actual)).toBe(written)
    expect(Math.max(...written.split('\n').map(line => line.length))).toBeLessThanOrEqual(120)
  })

  it('names every difference', () => {
    expect(checkApiDoc(empty, { dependencies: { 'node:fs': '*' }, exports: { values: ['x'] } })).toEqual([
      'dependency node:fs is imported, but not declared', 'exports: values lack x',
    ])
    const wrong = written.replace('readFileSync', 'readFile').replace('valibot: "*"', 'valibot: {types: [A]}')
      .replace('  classes: [Gate]', '  classes: {Gate: {methods: [a]}, Other: {}}')
    expect(checkApiDoc(wrong, actual)).toEqual([
      'dependency external/valibot should be "*"',
      'dependency node:fs: functions lack readFileSync',
      'dependency node:fs: functions name readFile, which the code does not',
      'exports: classes name Other, which the code does not',
    ])
    expect(checkApiDoc(written.replace('open(path: string)', 'open()'), actual)).toEqual([
      'signatures lack: open(path: string): void', 'signatures have, and the code not: open(): void',
    ])
    expect(checkApiDoc('', actual)).toEqual(["no yaml fence that begins with 'dependencies:'"])
  })
})
