import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

it('says why references are told by name', async () => {
  const root = tempDir()
  plant(root, { 'a.ts': `export function f() {}\nf()\nconst a = ${'['.repeat(900)}${'!'.repeat(30_000)}1${']'.repeat(900)}\n` })
  const hints: string[] = []
  const context = { ...contextFor(root, 'disk'), advise: (text: string) => hints.push(text) }
  expect(await runVerb('find_symbol', { symbol_name: 'f', include_references: true }, context)).toMatchObject({
    data: { references: [{ line: 2, resolved: false }] },
  })
  expect(hints).toEqual(['References are only told by name: the code is nested too deeply for the TypeScript language service.'])
})
