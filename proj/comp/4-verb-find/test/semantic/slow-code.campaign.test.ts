import { expect, it } from 'vitest'
import { contextFor } from '../../../5-executor/test/verbs/golden-harness.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { pathsFor, plantOld, search } from './run-search.js'

it('finds what lies beside code that takes long to parse or is nested deeply, and is cancelled', async () => {
  const root = tempDir()
  plantOld(root, {
    'src/config.ts': 'export function parseConfigFile(text: string) {\n  return text\n}\n',
    'a.py': `needle ${'['.repeat(40_000)}`, 'a.rb': `needle ${'['.repeat(40_000)}`,
    'deep.java': `${'class A {\n'.repeat(20_000)}${'}\n'.repeat(20_000)}`,
  })
  const large = contextFor(root, 'disk', { maxFileBytes: 1_000_000 })
  const controller = new AbortController()
  setImmediate(() => setTimeout(() => controller.abort(), 1))
  await expect(search({ ...large, signal: controller.signal }, { query: 'config file' }))
    .rejects.toMatchObject({ code: 'CANCELLED' })
  expect((await pathsFor(large, 'where is the config file parsed?'))[0]).toBe('src/config.ts')
  expect(await pathsFor(large, 'needle')).toEqual(['a.py', 'a.rb'])
})
