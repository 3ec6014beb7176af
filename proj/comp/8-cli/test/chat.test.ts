import { once } from 'node:events'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { join } from 'node:path'
import { tempDir } from '../../../test/support/temp-dir.js'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../../../test/support/cli.js'
import { say } from '../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../6-agent/test/agent/support/use-model-server.js'

const launcher = fileURLToPath(new URL('../../../../dist/cli.cjs', import.meta.url))
const server = useModelServer()

/** @param stdin a pipe, or a descriptor, or none */
function start(cwd: string, args: readonly string[], stdin: 'pipe' | 'ignore' | number = 'pipe') {
  return spawn(process.execPath, [launcher, ...args], {
    cwd, env: { ...plainEnvironment(), HOME: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' },
    stdio: [stdin, 'pipe', 'pipe'],
  })
}

/** @param input a text, the descriptor of a file, or `ignore` for none */
async function ask(cwd: string, args: readonly string[], input: string | Buffer | number = '') {
  return run(cwd, ['chat', '--no-git', ...args], input)
}

async function run(cwd: string, args: readonly string[], input: string | Buffer | number = '') {
  const child = start(cwd, args, input === 'ignore' || typeof input === 'number' ? input : 'pipe')
  // A program that ends early does not read its input.
  child.stdin?.on('error', () => undefined)
  if (typeof input !== 'number') child.stdin?.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout as Readable), text(child.stderr as Readable), ended,
  ])
  return { stdout, stderr: stderr.replaceAll(/\d\.\d s/g, '0.0 s'), exitCode }
}

it('answers one question: the answer on standard output, what is done on standard error', async () => {
  const cwd = tempDir()
  server.play('m', [say('I write it.', ['write_file', { path: 'a.txt', content: 'x\n' }]), say('It is\u0007 there.')])
  expect(await ask(cwd, ['-q', 'write', '--model', 'm'])).toEqual({
    exitCode: 0, stdout: 'It is\u0007 there.\n',
    stderr: '  I write it.\n✓ write_file  a.txt  written, 2 B · 0.0 s\n    +x\n1 call · 200 tokens in, 40 out · 0.0 s\n',
  })
  expect(existsSync(join(cwd, 'a.txt'))).toBe(true)
})

it('prints events as JSON lines, and goes on with the conversation they name', async () => {
  const cwd = tempDir()
  server.play('json', [say('First.'), say('Second.')])
  const first = await ask(cwd, ['--json', '--keep', '--model', 'json'], 'a question\n')
  const events = first.stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as { type: string; id: string })
  expect({ ...first, stdout: events.map(({ type }) => type) }).toEqual({
    exitCode: 0, stderr: '', stdout: ['session', 'turn_start', 'text', 'usage', 'end'],
  })
  const next = await ask(cwd, ['--resume', events[0]?.id ?? '', '-q', 'and?', '--model', 'json'])
  expect(next.stdout).toBe('Second.\n')
  expect(server.requests('json').at(-1)?.messages.filter(({ role }) => role !== 'system').map(({ content }) => content))
    .toEqual(['a question', 'First.', 'and?'])
})

it('takes a text behind it for the question where there is no terminal, and several words alone for such a text', async () => {
  const cwd = tempDir()
  server.play('text', [say('First.'), say('Second.')])
  expect(await ask(cwd, ['what is this?', '--model', 'text'])).toMatchObject({ exitCode: 0, stdout: 'First.\n' })
  const alone = await run(cwd, ['what else?', '--model', 'text', '--no-git'])
  expect(alone).toMatchObject({ exitCode: 0, stdout: 'Second.\n' })
  expect(server.requests('text').map(({ messages }) => messages.at(-1)?.content)).toEqual(['what is this?', 'what else?'])
  expect(await run(cwd, ['what?'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Unknown command: what?') as string })
  expect(await ask(cwd, ['what?', '-q', 'and?', '--model', 'text'])).toMatchObject({
    exitCode: 2, stderr: expect.stringContaining('Unexpected argument: what?') as string,
  })
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

/** Persian and Devanagari with joiners, a family, marks, Hebrew, an override, spaces at the end. */
const WORDS = '\n  می\u200cخواهم क्\u200dष 👨\u200d👩\u200d👧 e\u0301 שָׁלוֹם \u202egnp\u202c \u001b[31m \t\n\n'

it('gives a pipe and a file the text of the model byte for byte', async () => {
  const cwd = tempDir()
  server.play('bytes', [{ ...say(WORDS), chunk: 1 }, say(WORDS.trimEnd())])
  expect(await ask(cwd, ['-q', 'x', '--model', 'bytes'])).toMatchObject({ exitCode: 0, stdout: WORDS })
  expect((await ask(cwd, ['-q', 'x', '--model', 'bytes'])).stdout).toBe(`${WORDS.trimEnd()}\n`)
})

it('shows on a terminal what text needs, and what would turn or hide it as escapes', async () => {
  const cwd = tempDir()
  server.play('shown', [{ ...say(WORDS), chunk: 1 }])
  const command = [process.execPath, launcher, 'chat', '--no-git', '--no-stdin', '-q', 'x', '--model', 'shown']
  const child = spawn('script', ['-qec', command.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    cwd, env: { ...plainEnvironment(), HOME: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' },
  })
  child.stdin.end()
  expect((await text(child.stdout)).replaceAll('\r\n', '\n')).toContain(
    '  می\u200cخواهم क्\u200dष 👨\u200d👩\u200d👧 e\u0301 שָׁלוֹם \\u202egnp\\u202c \\x1b[31m',
  )
})

it('goes on where another conversation was killed in a command: what that did stays, and can be taken back', async () => {
  const cwd = tempDir()
  const command = 'echo 1 > begun; sleep 600'
  server.play('killed', [say('', ['execute_command', { command }])])
  const killed = start(cwd, ['chat', '-q', 'work', '--model', 'killed', '--sandbox', 'none'], 'ignore')
  while (!existsSync(join(cwd, 'begun')) && killed.exitCode === null) await sleep(10)
  killed.kill('SIGKILL')
  await once(killed, 'close')
  server.play('next', [say('', ['write_file', { path: 'next.txt', content: 'x\n' }]), say('Written.')])
  const next = await run(cwd, ['chat', '-q', 'write', '--model', 'next', '--sandbox', 'none'])
  expect(next).toMatchObject({ exitCode: 0, stdout: 'Written.\n' })
  expect(next.stderr.replaceAll('\n', ' ')).toMatch(
    /^! Finished run (\S+) of another conversation, which was interrupted: hermes undo --run \1 takes it back /,
  )
  expect(existsSync(join(cwd, 'begun')) && existsSync(join(cwd, 'next.txt'))).toBe(true)
})

describe('standard input', () => {
  const asked = (model: string): unknown => server.requests(model).at(-1)?.messages.at(-1)?.content

  it.each(['pipe', 'file'])('that is a %s joins the question', async (kind) => {
    const cwd = tempDir()
    const model = `joins a ${kind}`
    server.play(model, [say('Yes.')])
    if (kind === 'pipe') await ask(cwd, ['-q', 'explain', '--model', model], ' line one\n\u200d two\n')
    else {
      writeFileSync(join(cwd, 'x'), ' line one\n\u200d two\n')
      await ask(cwd, ['-q', 'explain', '--model', model], openSync(join(cwd, 'x'), 'r'))
    }
    expect(asked(model)).toBe('explain\n\n line one\n\u200d two\n')
  })

  it('that is empty or none, and with --no-stdin any, is left alone', async () => {
    const cwd = tempDir()
    server.play('alone', [say('1'), say('2'), say('3')])
    for (const [args, input] of [[[], ' \n'], [[], 'ignore'], [['--no-stdin'], 'text']] as const) {
      expect((await ask(cwd, ['-q', 'x', '--model', 'alone', ...args], input)).exitCode).toBe(0)
      expect(asked('alone')).toBe('x')
    }
  })

  it('that says nothing for a second is told of, and waited for', async () => {
    const cwd = tempDir()
    server.play('waits', [say('Yes.')])
    const child = start(cwd, ['chat', '--no-git', '-q', 'x', '--model', 'waits'])
    const stderr: string[] = []
    const told = new Promise<void>((resolve) => child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      stderr.push(piece)
      if (piece.includes('--no-stdin')) resolve()
    }))
    await told
    child.stdin?.end('late')
    await once(child, 'close')
    expect(stderr[0]).toBe('hermes: waiting for the end of standard input; --no-stdin leaves it alone\n')
    expect(asked('waits')).toBe('x\n\nlate')
  })

  it('that is too long, or no text, is refused before the model is asked', async () => {
    const cwd = tempDir()
    expect(await ask(cwd, ['-q', 'x', '--model', 'never'], 'a'.repeat(1024 * 1024 + 1)))
      .toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Standard input is longer than 1024 KiB') })
    expect(await ask(cwd, ['-q', 'x', '--model', 'never'], Buffer.from([0xff, 0xfe, 0x00, 0x80]))).toMatchObject({ exitCode: 2, stdout: '' })
    expect(server.requests('never')).toEqual([])
  })
})

it('exits with 1 where the model makes the same call again and again, and says so', async () => {
  const cwd = tempDir()
  server.improvise('loop', () => say('', ['list_directory', { path: '.' }]))
  const { exitCode, stdout, stderr } = await ask(cwd, ['-q', 'look', '--model', 'loop'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain('! Stopped: the model made the same call with the same result five times.')
  expect(server.requests('loop')).toHaveLength(5)
})

it('says of input that is no text what to do with a question', async () => {
  const cwd = tempDir()
  for (const bytes of [[0x41, 0, 1], [0x41, 0xff]]) {
    expect(await ask(cwd, ['-q', 'what is this?', '--model', 'none'], Buffer.from(bytes))).toMatchObject({
      exitCode: 2, stdout: '', stderr: expect.stringContaining('A question takes text (UTF-8): name the file in it'),
    })
  }
})
