import { expect, it } from 'vitest'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/support/temp-dir.js'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../../../test/support/cli.js'
import { say } from '../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../6-agent/test/agent/support/use-model-server.js'

const launcher = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url))
const server = useModelServer()

async function ask(cwd: string, args: readonly string[], input = '', env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [launcher, 'chat', '--no-git', ...args], {
    cwd, env: { ...plainEnvironment(), HOME: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x', ...env },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr: stderr.replaceAll(/\d\.\d s/g, '0.0 s'), exitCode }
}

it('answers one question: the answer on standard output, what is done on standard error', async () => {
  const cwd = tempDir()
  server.play('m', [say('I write it.', ['write_file', { path: 'a.txt', content: 'x\n' }]), say('It is\u0007 there.')])
  expect(await ask(cwd, ['-q', 'write', '--model', 'm'])).toEqual({
    exitCode: 0, stdout: 'It is\\x07 there.\n',
    stderr: '  I write it.\n✓ write_file  a.txt  written, 2 B · 0.0 s\n    +x\n1 call · 200 tokens in, 40 out · 0.0 s\n',
  })
  expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
})

it('prints events as JSON lines, and goes on with the conversation they name', async () => {
  const cwd = tempDir()
  server.play('json', [say('First.'), say('Second.')])
  const first = await ask(cwd, ['--json', '--model', 'json'], 'a question\n')
  const events = first.stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { type: string; id: string })
  expect({ ...first, stdout: events.map(({ type }) => type) }).toEqual({
    exitCode: 0, stderr: '', stdout: ['session', 'turn_start', 'text', 'usage', 'end'],
  })
  const next = await ask(cwd, ['--resume', events[0]?.id ?? '', '-q', 'and?', '--model', 'json'])
  expect(next.stdout).toBe('Second.\n')
  expect(server.requests('json').at(-1)?.messages.filter(({ role }) => role !== 'system').map(({ content }) => content))
    .toEqual(['a question', 'First.', 'and?'])
})

it('says by its exit code why there is no answer', async () => {
  const cwd = tempDir()
  server.play('refused', [{ ...say('no such model'), status: 404 }])
  expect(await ask(cwd, ['-q', 'x'])).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('No model is configured') })
  expect(await ask(cwd, ['--model', 'm'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is nothing to ask') })
  expect(await ask(cwd, ['-q', 'x', '--model', 'refused'])).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('no such model') })
  const asJson = await ask(cwd, ['-q', 'x', '--json', '--model', 'refused'])
  expect(JSON.parse(asJson.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'error', code: 'MODEL_FAILED' })
})
