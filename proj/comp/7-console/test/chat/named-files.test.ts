import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { namedFiles } from '../../src/chat/named-files.js'

/** What Tab offers in a root with these files. */
async function offered(typed: string, names: readonly string[]): Promise<readonly string[] | undefined> {
  const root = tempDir()
  mkdirSync(join(root, 'src'))
  for (const name of names) writeFileSync(join(root, 'src', name), '')
  await using hermes = new Hermes({ root, policy: false, relativePaths: true })
  return (await namedFiles(typed, () => hermes.gate()))?.hits
}

it('offers no name that would turn or hide text on the terminal', async () => {
  const names = ['a\u001b[2Jx', 'a\u202ex', 'a\u0085x', 'a\rx', 'plain', 'käse', 'e@f']
  expect(await offered('@src/', names)).toEqual(['src/e@f', 'src/käse', 'src/plain'])
  expect(await offered('@src/a', names)).toEqual([])
})

it('finds a name among more than it would list', async () => {
  const names = Array.from({ length: 6000 }, (_, index) => `f${index}`)
  expect(await offered('look at @src/f599', names)).toEqual([
    'src/f599', ...Array.from({ length: 10 }, (_, index) => `src/f599${index}`),
  ])
})
