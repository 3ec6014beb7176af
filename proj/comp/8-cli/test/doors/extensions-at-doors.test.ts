import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/index.js'
import type { ReviewState } from '../../../6-review/src/index.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

const pointer = fileURLToPath(new URL('../../../../../test-data/extensions/pointer.mjs', import.meta.url))
const driver = fileURLToPath(new URL('../drive-terminal.py', import.meta.url))
const cli = useCli()
const server = useModelServer()

/** A directory whose user has the extension `pointer`: it makes `/w/` of `/old/`, and each start adds a line. */
function place(more = ''): { cwd: string; env: Record<string, string>; starts: () => number } {
  const cwd = tempDir()
  const log = join(cwd, 'starts.txt')
  mkdirSync(join(cwd, '.hermes'))
  mkdirSync(join(cwd, 'project'))
  writeFileSync(join(cwd, '.hermes', 'config.yaml'), [
    'extensions:', '  pointer:', '    command: sh',
    `    args: ${JSON.stringify(['-c', 'echo started >> "$1"; exec "$2" "$3"', 'sh', log, process.execPath, pointer])}`, more, '',
  ].join('\n'))
  return {
    cwd, env: { HOME: cwd }, starts: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0),
  }
}

const FLAGS = ['--root', 'project', '--root-alias', '/w', '--no-git']
const EXTENSION = ['--extension', 'pointer:point']
const answer = (name: string): string => shamBlock(name, 'file_write', { path: `/old/${name}.txt`, content: name })
const written = (cwd: string, name: string): string => readFileSync(join(cwd, 'project', `${name}.txt`), 'utf8')

describe.skipIf(process.platform === 'win32')('every door lets extensions work on an answer', () => {
  it('interactive: one process for all answers of the session, also by the config alone', async () => {
    for (const [args, config] of [[EXTENSION, ''], [[], '    answers: point']] as const) {
      const { cwd, env, starts } = place(config)
      const { stdout, stderr, exitCode } = await cli.run(
        ['interactive', ...FLAGS, '--json', ...args], { cwd, env, input: `${answer('one')}\n\n${answer('two')}\n\n` },
      )
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect([written(cwd, 'one'), written(cwd, 'two'), starts()]).toEqual(['one', 'two', 1])
      const results = stdout.trim().split('\n').map((line) => JSON.parse(line) as { rewrites: { extension: string }[] })
      expect(results.map(({ rewrites }) => rewrites.map(({ extension }) => extension))).toEqual([['pointer'], ['pointer']])
    }
  })

  it('watch: one process for all answers; where it fails nothing of the answer runs, and the watch goes on', async () => {
    const { cwd, env, starts } = place()
    mkdirSync(join(cwd, 'inbox'))
    for (const name of ['one', 'two']) writeFileSync(join(cwd, 'inbox', `${name}.md`), answer(name))
    const watch = ['watch', 'inbox', ...FLAGS, '--existing', '--once', '--json']
    const ran = await cli.run([...watch, ...EXTENSION], { cwd, env })
    expect([ran.exitCode, written(cwd, 'one'), written(cwd, 'two'), starts()]).toEqual([0, 'one', 'two', 1])
    for (const name of ['three', 'four']) writeFileSync(join(cwd, 'inbox', `${name}.md`), answer(name))
    const failed = await cli.run([...watch, '--extension', 'pointer:fail'], { cwd, env })
    const lines = failed.stdout.trim().split('\n').map((line) => JSON.parse(line) as { result: { fatalError: string } })
    expect(lines.map(({ result }) => result.fatalError)).toEqual(Array.from({ length: 2 }, () => (
      expect.stringContaining("Extension 'pointer' failed at fail: no such thing")
    )))
    expect([failed.exitCode, existsSync(join(cwd, 'project', 'three.txt'))]).toEqual([1, false])
  })

  it('apply tells once what an extension did wrong though it works', async () => {
    const { cwd, env } = place()
    const config = join(cwd, '.hermes', 'config.yaml')
    writeFileSync(config, readFileSync(config, 'utf8').replace('exec', 'echo noise; exec'))
    writeFileSync(join(cwd, 'answer.md'), answer('one'))
    const { stdout, stderr, exitCode } = await cli.run(['apply', 'answer.md', ...FLAGS, ...EXTENSION], { cwd, env })
    expect([exitCode, `${stdout}${stderr}`.match(/wrote something to its standard output/g)]).toEqual([0, [expect.any(String)]])
  })

  it('--ext-quiet ends one that tells the end of no command, whatever the config says', async () => {
    const { cwd, env } = place('    quiet: 400h')
    const config = join(cwd, '.hermes', 'config.yaml')
    writeFileSync(config, readFileSync(config, 'utf8').replace('$3\\"', '$3\\" silent'))
    writeFileSync(join(cwd, 'answer.md'), answer('one'))
    const quiet = ['--ext-quiet', '0.2']
    const ran = await cli.run(['apply', 'answer.md', ...FLAGS, ...EXTENSION, ...quiet], { cwd, env })
    expect([ran.exitCode, written(cwd, 'one')]).toEqual([0, 'one'])
    const alone = await cli.run(['ext', 'run', 'pointer', '--command', 'point', '--message', 'answer.md', ...quiet], { cwd, env })
    expect([alone.exitCode, alone.stdout]).toEqual([0, expect.stringContaining('/w/one.txt')])
  })

  it('a plan: it holds what they leave, and carrying it out asks them nothing', async () => {
    for (const [args, config] of [[EXTENSION, ''], [[], '    answers: point']] as const) {
      const { cwd, env, starts } = place(config)
      writeFileSync(join(cwd, 'answer.md'), answer('one'))
      const rehearsed = await cli.run(['apply', 'answer.md', ...FLAGS, ...args, '--dry-run', '--plan', 'plan.json'], { cwd, env })
      expect([rehearsed.exitCode, starts()]).toEqual([0, 1])
      const ran = await cli.run(['apply', '--root', 'project', '--no-git', '--plan', 'plan.json'], { cwd, env })
      expect([ran.exitCode, written(cwd, 'one'), starts()]).toEqual([0, 'one', 1])
      // Who changed it is known of the run all the same.
      expect(ran.stdout).toContain('rewritten by pointer 1.2 (point): +1 −1')
      expect((await cli.run(['log', '--root', 'project'], { cwd, env })).stdout).toContain('rewritten by pointer 1.2 (point)')
    }
  })

  it('chat: answers in blocks; by function calling there is nothing to rewrite, which is said', async () => {
    const { cwd, env } = place()
    server.play('m', [say(answer('one')), say('Done.')])
    const model = ['--model', 'm', '--root', 'project', '--no-git', '-q', 'write']
    const settings = { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' }
    const told = await cli.run(['chat', ...model, '--style', 'blocks', ...EXTENSION], { cwd, env: settings })
    expect(told).toMatchObject({ exitCode: 0, stdout: 'Done.\n' })
    // What the extension left is what was run: `/w` is no root of a chat.
    expect(server.requests('m').at(-1)?.messages.at(-1)?.content).toContain('/w/one.txt')
    // Told once.
    expect(server.requests('m').at(-1)?.messages.at(-1)?.content?.match(/What ran is not quite .*: rewritten by pointer 1.2 \(point\): \+1 −1\./g)).toHaveLength(1)
    const native = await cli.run(['chat', ...model, '--style', 'native', ...EXTENSION], { cwd, env: settings })
    expect(native).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--extension needs --style blocks') })
  })

  it('chat: those of the config are told of with function calling, and work where the server has none', async () => {
    const { cwd, env, starts } = place('    answers: point')
    const settings = { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' }
    const ask = (model: string, ...more: string[]) => (
      cli.run(['chat', '--model', model, '--root', 'project', '--no-git', '-q', 'write', ...more], { cwd, env: settings })
    )
    const told = 'hermes: extensions of your config (pointer:point) see no calls of function calling, only answers in blocks'
    server.play('native', [say('', ['write_file', { path: '/old/none.txt', content: 'x' }]), say('Done.')])
    const native = await ask('native')
    expect(native).toMatchObject({ exitCode: 0, stdout: 'Done.\n', stderr: expect.stringContaining(told) })
    expect([server.requests('native').at(-1)?.messages.at(-1)?.content, starts()]).toEqual([expect.stringContaining('/old'), 0])
    server.play('toolless', [{ ...say('toolless does not support tools'), status: 400 }, say(answer('one')), say('Done.')])
    expect(await ask('toolless')).toMatchObject({ exitCode: 0, stdout: 'Done.\n' })
    expect([server.requests('toolless').at(-1)?.messages.at(-1)?.content, starts()]).toEqual([expect.stringContaining('/w/one.txt'), 1])
    server.play('blocks', [say('Nothing to do.')])
    expect((await ask('blocks', '--style', 'blocks')).stderr).not.toContain('see no calls')
  })

  it('mcp: apply_response', async () => {
    const { cwd, env, starts } = place()
    const child = spawn(process.execPath, [cli.path, 'mcp', ...FLAGS, ...EXTENSION], {
      cwd, env: { ...plainEnvironment(), ...env }, stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const ask = async (id: number, method: string, params: object): Promise<{ result: Record<string, unknown> }> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      for (;;) {
        const { value } = await lines.next() as { value: string }
        const message = JSON.parse(value) as { id?: number; result: Record<string, unknown> }
        if (message.id === id) return message
      }
    }
    await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } })
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    for (const [at, name] of ['one', 'two'].entries()) {
      const { result } = await ask(2 + at, 'tools/call', { name: 'apply_response', arguments: { text: answer(name) } })
      expect(result['isError']).not.toBe(true)
    }
    child.stdin.end()
    await once(child, 'close')
    expect([written(cwd, 'one'), written(cwd, 'two'), starts()]).toEqual(['one', 'two', 1])
  })

  it('review: what the page shows is what the extension left', async () => {
    const { cwd, env, starts } = place()
    writeFileSync(join(cwd, 'answer.md'), answer('one'))
    const child = spawn(process.execPath, [cli.path, 'review', 'answer.md', '--no-open', ...FLAGS, ...EXTENSION], {
      cwd, env: { ...plainEnvironment(), ...env }, stdio: ['ignore', 'ignore', 'pipe'],
    })
    let url: URL | undefined
    for await (const line of createInterface(child.stderr)) {
      const found = /review at (\S+)/.exec(line)
      if (found) url = new URL(found[1] ?? '')
      if (url) break
    }
    const response = await fetch(new URL('/api/events', url), { headers: { authorization: `Bearer ${url?.hash.slice(1)}` } })
    const reader = response.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    expect(first).toContain('/w/one.txt')
    // What it was before stands in the difference alone.
    const { state } = JSON.parse(first.split('\n')[0] ?? '') as { state: ReviewState }
    expect(JSON.stringify(state.items)).not.toContain('/old/one.txt')
    expect(state.rewrites).toMatchObject([{
      title: 'rewritten by pointer 1.2 (point): +1 −1',
      change: { hunks: [{ lines: expect.arrayContaining(['-path = "/old/one.txt"', '+path = "/w/one.txt"']) }] },
    }])
    await reader?.cancel()
    child.kill('SIGINT')
    await once(child, 'close')
    expect(starts()).toBe(1)
  })

  it.each([
    ['an answer opens the page', [['● No', 'y'], ['review at', '\u0003']], true], ['Ctrl-C ends it, and no page opens', [['● No', '\u0003']], false],
  ] as const)('review: a dialogue comes at the terminal, before the page: %s', async (_, steps, isOpened) => {
    const { cwd, env } = place()
    writeFileSync(join(cwd, 'answer.md'), answer('one'))
    const program = [process.execPath, cli.path, 'review', 'answer.md', '--no-open', ...FLAGS, '--extension', 'pointer:ask']
    const { stdout } = await promisify(execFile)('python3', [driver, JSON.stringify(steps), ...program], { cwd, env: { ...plainEnvironment(), ...env } })
    const { output, left, exit } = JSON.parse(stdout) as { output: string; left: object[]; exit: number }
    expect({ left, exit, opened: output.includes('review at') }).toEqual({ left: [], exit: 130, opened: isOpened })
    expect(output.includes('extension pointer: pointed')).toBe(isOpened)
    expect(existsSync(join(cwd, 'project', 'one.txt'))).toBe(false)
  })

  it('batch: answers in blocks, also in worker processes', async () => {
    for (const more of [[], ['--workers', '1']]) {
      const { cwd, env, starts } = place()
      server.improvise('b', ({ messages }) => say(messages.at(-1)?.role === 'user' && messages.length === 2 ? answer('one') : 'Done.'))
      writeFileSync(join(cwd, 'prompts.jsonl'), '{"prompt":"write one"}\n')
      const batch = ['batch', 'prompts.jsonl', '--out', 'out', '--model', 'b', '--no-git', '--style', 'blocks', ...EXTENSION, ...more]
      const settings = { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' }
      expect(await cli.run(batch, { cwd, env: settings })).toMatchObject({ exitCode: 0 })
      expect([readFileSync(join(cwd, 'out', 'trajectories.jsonl'), 'utf8').includes('/w/one.txt'), starts()]).toEqual([true, 1])
      const queued = await cli.run([...batch, '--queue', 'redis://127.0.0.1:1'], { cwd, env: settings })
      expect(queued).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--extension and --queue') })
    }
  })

  it('chat and batch: where one fails nothing of the answer runs, and the message has failed', async () => {
    for (const command of ['fail', 'die']) {
      const { cwd, env } = place()
      const model = `fails-${command}`
      server.improvise(model, () => say(answer('one')))
      const settings = { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' }
      const flags = ['--model', model, '--no-git', '--style', 'blocks', '--extension', `pointer:${command}`]
      const said = await cli.run(['chat', '--root', 'project', '-q', 'write', ...flags], { cwd, env: settings })
      expect(said).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Nothing of the answer ran: Extension 'pointer'") })
      expect(existsSync(join(cwd, 'project', 'one.txt'))).toBe(false)
      writeFileSync(join(cwd, 'prompts.jsonl'), '{"prompt":"write one"}\n')
      const batch = await cli.run(['batch', 'prompts.jsonl', '--out', 'out', ...flags], { cwd, env: settings })
      expect([batch.exitCode, `${batch.stdout}${batch.stderr}`]).toEqual([1, expect.stringContaining("Extension 'pointer'")])
    }
  })

  it('chat and batch tell what an extension asked for when all was over', async () => {
    const { cwd, env } = place()
    const config = join(cwd, '.hermes', 'config.yaml')
    writeFileSync(config, readFileSync(config, 'utf8').replace('$3\\"', '$3\\" late'))
    server.improvise('late', () => say(answer('one')))
    const settings = { ...env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' }
    const flags = ['--model', 'late', '--no-git', '--style', 'blocks', ...EXTENSION]
    const said = await cli.run(['chat', '--root', 'project', '-q', 'write', ...flags], { cwd, env: settings })
    expect(said.stderr).toContain("'pointer' changed the answer when its command had ended")
    writeFileSync(join(cwd, 'prompts.jsonl'), '{"prompt":"write one"}\n')
    const batch = await cli.run(['batch', 'prompts.jsonl', '--out', 'out', ...flags], { cwd, env: settings })
    expect(batch.stderr).toContain("'pointer' changed the answer when its command had ended")
  })

  it('replay: only those that are asked for, not those of the config', async () => {
    const { cwd, env, starts } = place('    answers: point')
    mkdirSync(join(cwd, 'expected'))
    writeFileSync(join(cwd, 'expected', 'one.txt'), 'one')
    const conversations = [{ from: 'human', value: 'write' }, { from: 'gpt', value: answer('one') }]
    writeFileSync(join(cwd, 'run.jsonl'), `${JSON.stringify({ conversations })}\n`)
    const replay = ['replay', 'run.jsonl', '--root-alias', '/w', '--expect', 'expected', '--no-git']
    expect([(await cli.run(replay, { cwd, env })).exitCode, starts()]).toEqual([1, 0])
    expect([(await cli.run([...replay, ...EXTENSION], { cwd, env })).exitCode, starts()]).toEqual([0, 1])
    const failed = await cli.run([...replay, '--extension', 'pointer:fail'], { cwd, env })
    expect([failed.exitCode, `${failed.stdout}${failed.stderr}`]).toEqual([1, expect.stringContaining('no such thing')])
  })
})
