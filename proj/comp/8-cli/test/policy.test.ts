import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
const WRITE = '<tool_call>{"name": "fs.writeFile", "arguments": {"path": "a.txt", "content": "x"}}</tool_call>\n'
const COMMAND = '<tool_call>{"name": "execute_command", "arguments": {"command": "touch b.txt"}}</tool_call>\n'

/** Applies an answer where these policies count. */
async function apply(policies: { user?: string; project?: string }, args: readonly string[], input = `${WRITE}${COMMAND}`) {
  const [home, root] = [tempDir(), tempDir()]
  if (policies.user !== undefined) {
    mkdirSync(join(home, '.hermes'))
    writeFileSync(join(home, '.hermes', 'config.yaml'), policies.user)
  }
  if (policies.project !== undefined) writeFileSync(join(root, 'hermes.yaml'), policies.project)
  const outcome = await cli.run(['apply', '--no-git', ...args], { cwd: root, input, env: { HOME: home } })
  return { ...outcome, made: ['a.txt', 'b.txt'].filter((name) => existsSync(join(root, name))) }
}

describe('hermes apply and its policies', () => {
  it('what a policy switches off fails, the rest runs', async () => {
    const { stdout, exitCode, made } = await apply({ project: 'verbs:\n  exec: off\n' }, [])
    expect(stdout).toContain('execute_command is switched off: hermes.yaml:2 says exec: off  POLICY_DENIED')
    expect([exitCode, made]).toEqual([1, ['a.txt']])
  })

  it('what it asks for is refused without a user, and runs with --yes', async () => {
    const policies = { user: 'verbs: { write: ask }' }
    const refused = await apply(policies, [], WRITE)
    expect(refused.stdout).toContain('fs.writeFile needs an approval: ~/.hermes/config.yaml:1 asks')
    expect([refused.exitCode, refused.made]).toEqual([1, []])
    const approved = await apply(policies, ['--yes'], WRITE)
    expect([approved.exitCode, approved.made]).toEqual([0, ['a.txt']])
  })

  it('a policy that cannot be read stops the run', async () => {
    const { stdout, exitCode, made } = await apply({ project: 'verbs: { exec: off }\nlimits:\n  blocks: many\n' }, [])
    expect(stdout).toContain('hermes.yaml:3:11: limits.blocks: write a whole number from 1 up')
    expect([exitCode, made]).toEqual([2, []])
  })

  it('a flag cannot have what a policy refuses', async () => {
    const { stdout, exitCode, made } = await apply({ user: 'sandbox: bwrap' }, ['--sandbox', 'none'])
    expect(stdout).toContain('sandbox none is refused: ~/.hermes/config.yaml:1 says bwrap')
    expect([exitCode, made]).toEqual([2, []])
  })

  it('what a project wants and cannot have is said', async () => {
    const { stdout, exitCode } = await apply({ project: 'sandbox: none\n' }, [], WRITE)
    expect(stdout).toContain('note: hermes.yaml:1: sandbox: none has no effect')
    expect(exitCode).toBe(0)
  })

  it('a dry run keeps to it too', async () => {
    const { stdout, exitCode, made } = await apply({ project: 'deny: [a.txt]' }, ['--dry-run'])
    expect(stdout).toContain('Path is denied: a.txt (hermes.yaml:1)')
    expect([exitCode, made]).toEqual([1, []])
  })
})

it('hermes mcp says at its start that no call will run, and serves: who talks to it sees why', async () => {
  const root = tempDir()
  writeFileSync(join(root, 'hermes.yaml'), 'verbs:\n  wirte: off\n')
  const { stderr, exitCode } = await cli.run(['mcp'], { cwd: root, env: { HOME: tempDir() } })
  expect({ stderr, exitCode }).toEqual({
    exitCode: 0, stderr: 'hermes: no call will run: hermes.yaml:2:3: unknown name verbs.wirte; did you mean write?\nhermes: mend that, then start the server again\n',
  })
})
