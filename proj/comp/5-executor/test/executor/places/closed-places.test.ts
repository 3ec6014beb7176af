import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needing } from '../../../../../test/support/needs.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { Hermes } from '../../../src/executor/index.js'

function tool(name: string, args: Record<string, unknown>): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}

function repository(...settings: string[][]): string {
  const root = tempDir()
  mkdirSync(join(root, 'store'))
  execFileSync('git', ['init', '-q', '--separate-git-dir=store/git', '.'], { cwd: root })
  for (const setting of settings) execFileSync('git', ['config', ...setting], { cwd: root })
  mkdirSync(join(root, 'tools', 'hooks'), { recursive: true })
  writeFileSync(join(root, 'tools', 'hooks', 'pre-commit'), '#!/bin/sh\n')
  writeFileSync(join(root, 'tools', 'git.conf'), '[alias]\n')
  return root
}

describe('what decides which programs hermes or git run', () => {
  it.each([
    ['a hook', 'write_file', { path: 'tools/hooks/pre-push', content: 'x' }],
    ['the directory that holds the hooks, moved', 'move_file', { source: 'tools', destination: 'old' }],
    ['an included file of settings', 'write_file', { path: 'tools/git.conf', content: 'x' }],
    ['an included file of settings that is not there yet', 'write_file', { path: 'own.conf', content: 'x' }],
    ["the repository's own directory", 'write_file', { path: 'store/git/config', content: 'x' }],
    ["the repository's own directory, read", 'read_file', { path: 'store/git/config' }],
    ["the repository's own directory, moved with what holds it", 'move_file', { source: 'store', destination: 'old' }],
  ])('%s is closed to verbs, wherever it is', async (_, name, args) => {
    const root = repository(['core.hooksPath', 'tools/hooks'], ['include.path', '../../tools/git.conf'], ['--add', 'include.path', '../../own.conf'])
    const { results: [result] } = await new Hermes({ root, policy: false, gitCommit: false }).execute(tool(name, args))
    expect(result).toMatchObject({ success: false, code: 'POLICY_DENIED' })
  })

  it('leaves the rest of those directories open', async () => {
    const root = repository(['core.hooksPath', 'tools/hooks'])
    const { success } = await new Hermes({ root, policy: false, gitCommit: false })
      .execute(tool('write_file', { path: 'tools/a.txt', content: 'x' }) + tool('read_file', { path: 'tools/hooks/pre-commit' }))
    expect(success).toBe(true)
  })

  for (const [sandbox, changes, needs] of [['none', true, []], ['bwrap', false, ['bubblewrap']]] as const) needing(...needs).it(`a policy file in the root: verbs never change it, commands with sandbox ${sandbox}: ${changes}`, async () => {
    const root = tempDir()
    const policy = join(root, 'config', 'mine.yaml')
    mkdirSync(join(root, 'config'))
    writeFileSync(policy, `sandbox: ${sandbox}\n`)
    const hermes = new Hermes({ root, policy, approve: () => 'once' })
    const { results } = await hermes.execute([
      tool('write_file', { path: 'config/mine.yaml', content: 'sandbox: none' }), tool('read_file', { path: 'config/mine.yaml' }),
      tool('move_file', { source: 'config', destination: 'old' }),
    ].join(''))
    expect(results.map(({ code }) => code)).toEqual(['POLICY_DENIED', 'POLICY_DENIED', 'POLICY_DENIED'])
    await hermes.execute(tool('execute_command', { command: 'mv config old; mkdir -p config; echo changed > config/mine.yaml; true' }))
    expect(readFileSync(policy, 'utf8') === 'changed\n').toBe(changes)
  })
})
