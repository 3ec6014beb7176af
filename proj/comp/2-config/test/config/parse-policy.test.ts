import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { parsePolicy } from '../../src/config/index.js'

const cases = readGoldens(new URL('../../test-data/config/parse.cases.md', import.meta.url))

describe('parsePolicy', () => {
  it.each(cases)('$group: $name', async ({ group, fences }) => {
    const [yaml, expected] = fences
    const outcome = await read(yaml?.body ?? '', group === 'project')
    expect(outcome).toEqual(expected?.info === 'json' ? JSON.parse(expected.body) : expected?.body.split('\n'))
  })

  it('knows the lines of what it read', async () => {
    const { place } = await parsePolicy('# first\nverbs:\n  exec: off\ndeny:\n  - a\n  - b\n', 'p.yaml', '/p')
    expect([place('verbs', 'exec'), place('deny', 1), place('deny'), place('limits')]).toEqual([
      'p.yaml:3', 'p.yaml:6', 'p.yaml:4', 'p.yaml:2',
    ])
  })

  it.each([
    ['sequences', '['.repeat(60_000)],
    ['closed sequences', `deny: ${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['mappings', '{a: '.repeat(15_000)],
    ['block sequences', '- '.repeat(30_000)],
    ['indented mappings', Array.from({ length: 340 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['anchors', Array.from({ length: 4000 }, (_, i) => `a${i}: &b${i} x`).join('\n')],
    ['aliases of aliases', Array.from({ length: 26 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`).join('\n')],
    ['stars', `deny: ['${'**/*a'.repeat(190)}']`],
    ['braces', `deny: ['${'{a,b}'.repeat(40)}']`],
    ['many entries', `deny: [${'a,'.repeat(30_000)}]`],
    ['many keys', Array.from({ length: 6000 }, (_, i) => `k${i}: 1`).join('\n')],
  ])('a bomb of %s is an error or read, before the test gives up', async (_, text) => {
    const outcome = await read(text, true)
    expect(Array.isArray(outcome) ? outcome.length : 0).toBeLessThan(8)
  })
})

async function read(text: string, isProject: boolean): Promise<object> {
  try {
    const { values } = await parsePolicy(text, 'p.yaml', isProject ? '/project' : undefined)
    return values
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    expect(error.code).toBe('INVALID_POLICY')
    expect(error.message).not.toContain('\n')
    return [error.message, ...(error.hint ?? '').split('\n').slice(2)]
  }
}
