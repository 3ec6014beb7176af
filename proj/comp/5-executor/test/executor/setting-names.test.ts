import { afterEach, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { nameSettingsBy } from '../../../0-contracts/src/index.js'
import { execute } from '../../src/executor/index.js'

const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
const ANSWER = call('read_file', { path: '/no/such' }) + call('file_read', { path: 'a.txt' }) + call('execute_command', { command: 'rm -rf x' })

async function hintsOf(): Promise<string[]> {
  const { results } = await execute(ANSWER, { root: tempDir(), policy: false, gitCommit: false, sandbox: 'none' })
  return results.map(({ hint = '' }) => hint)
}

// Other files of this process read what the command says.
afterEach(() => nameSettingsBy('flags'))

it('a program that calls the library is told of options', async () => {
  nameSettingsBy('options')
  const [outside, relative, consent] = await hintsOf()
  expect(outside).toContain("(option allow: ['DIR']) or let one stand for the root (option rootAliases: ['DIR'])")
  expect(relative).toContain('or run with option relativePaths: true.')
  expect(consent).toContain("(option approve: async () => 'once')")
  expect([outside, relative, consent].join('')).not.toMatch(/ --|\(--/)
})

it('the user of the command is told of flags', async () => {
  nameSettingsBy('flags')
  const [outside, relative, consent] = await hintsOf()
  expect(outside).toContain('(--allow DIR) or let one stand for the root (--root-alias DIR)')
  expect(relative).toContain('or run with --relative-paths.')
  expect(consent).toContain('(at a terminal, or with --yes)')
})
