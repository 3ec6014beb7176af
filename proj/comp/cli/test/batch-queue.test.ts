import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { useProcesses, type Started } from '../../../test/support/cli-processes.js'
import { useCli } from '../../../test/support/cli.js'
import { writeTree } from '../../../test/support/file-tree.js'
import { describeWithRedis } from '../../../test/support/redis.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import type { ModelRequest } from '../../agent/test/support/model-server.js'
import { say, type ScriptedAnswer } from '../../agent/test/support/script.js'
import { useModelServer } from '../../agent/test/support/use-model-server.js'
import { PROMPT_JOBS, type PromptJob } from '../../batch-queue/src/index.js'
import { queueStatus } from '../../job-queue/src/index.js'

const cli = useCli()
const server = useModelServer()
const KEY = 'sk-a-key-that-nobody-else-gets'
const asked = ({ messages }: ModelRequest): string => String(messages.find(({ role }) => role === 'user')?.content)
const linesOf = (file: string): Record<string, unknown>[] => (
  readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>)
)

describeWithRedis('hermes batch --queue', (redis) => {
  const start = useProcesses(cli)
  const worker = async (flags: readonly string[] = [], env: Record<string, string> = {}): Promise<Started> => {
    const cwd = tempDir()
    const started = start(['worker', '--prompts', '--queue', redis.url, '--concurrency', '1', ...flags], cwd, {
      TMPDIR: cwd, HOME: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: KEY, ...env,
    })
    await started.until('Takes prompts')
    return started
  }
  const end = async ({ child, ended }: Started): Promise<number | null> => {
    child.kill('SIGINT')
    return ended
  }
  const prompts = (...given: object[]): string => {
    const cwd = tempDir()
    writeTree(cwd, { 'prompts.jsonl': given.map((one) => JSON.stringify(one)).join('\n') })
    return cwd
  }
  const flags = ['batch', 'prompts.jsonl', '--out', 'out', '--model', 'm', '--no-git', '--json']
  const env = (cwd: string) => ({ HOME: cwd, TMPDIR: cwd, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'sk-of-whoever-asks' })
  const run = async (cwd: string, ...more: string[]): Promise<{ code: number | null; told: Record<string, unknown>; stderr: string }> => {
    const { exitCode, stdout, stderr } = await cli.run([...flags, '--queue', redis.url, ...more], { cwd, env: env(cwd) })
    return { code: exitCode, told: stdout === '' ? {} : JSON.parse(stdout) as Record<string, unknown>, stderr }
  }
  const put = async (data: object): Promise<void> => {
    const queue = new Queue(PROMPT_JOBS.queue, { prefix: '{hermes}', connection: { host: '127.0.0.1', port: redis.port } })
    await queue.add(PROMPT_JOBS.job, data, { removeOnComplete: true })
    await queue.close()
  }
  const status = async () => (await queueStatus(redis.url, [PROMPT_JOBS.queue])).statuses[0]

  it('does what a batch on this machine does: a killed worker, a restart of Redis and a deadly prompt cost nothing but time', async () => {
    const cwd = prompts(
      { prompt: 'hang', id: 'first', source: 'book' }, { prompt: 'deadly', id: 'the deadly one', toolsets: ['execute'] },
      { prompt: 'one', system_prompt: 'Be brief.', toolsets: ['read-only', 'edit'] }, { prompt: 'two', max_turns: 1 }, { prompt: 'two', model: 'other' },
    )
    const store = tempDir()
    writeTree(cwd, { 'fixture/a.txt': 'from the fixture\n' })
    let [hangs, isDeadly] = [true, true]
    const hung = new Promise<void>((resolve) => {
      const answer = (request: ModelRequest): ScriptedAnswer => {
        if (asked(request) === 'hang' && hangs) {
          resolve()
          return { ...say('And so'), fault: 'hang' }
        }
        if (request.messages.at(-1)?.role !== 'user') return say(`Done: ${asked(request)}`)
        return asked(request) === 'deadly' ? say('', ['exec', { lang: 'bash', code: isDeadly ? 'kill -9 $PPID' : 'echo $OPENAI_API_KEY' }])
          : say('', ['read_file', { path: 'a.txt' }], ['write_file', { path: 'b', content: 'b' }])
      }
      server.improvise('m', answer)
      server.improvise('other', answer)
    })
    const execution = ['--fixture', 'fixture', '--sandbox', 'none']
    const queue = ['--queue', redis.url, '--store', store]
    const doomed = await worker(['--store', store, '--sandbox', 'none'])
    const batch = start([...flags, ...execution, ...queue], cwd, env(cwd))
    await hung
    const seen = await dump(redis.url)
    expect(seen).toContain('hermes-batch')
    for (const secret of [KEY, 'sk-of-whoever-asks', cwd, doomed.cwd, 'book']) expect(seen).not.toContain(secret)
    await redis.kill()
    await redis.start()
    doomed.child.kill('SIGKILL')
    hangs = false
    const before = server.requests('m').length
    const able = await worker(['--store', store, '--sandbox', 'none'])
    expect(await batch.ended).toBe(1)
    expect(JSON.parse(batch.said().slice(batch.said().indexOf('{\n'), batch.said().lastIndexOf('}') + 1))).toMatchObject({
      prompts: 5, answered: 3, stopped: 1, failures: [
        { name: 'the deadly one', code: 'INTERNAL', message: 'It failed on the queue for good: 1 worker died at it (SIGKILL)' },
      ],
    })
    const again = server.requests('m').slice(before).map(asked)
    expect(['hang', 'deadly'].map((prompt) => again.filter((one) => one === prompt).length)).toEqual([2, 4])
    const shown = await cli.run(['batch', '--queue', redis.url, '--queue-status'], { cwd })
    expect(shown.stdout.replace(/, last at .*/, '')).toBe([
      redis.url, 'transcripts  0 workers · 0 waiting · 0 active · 0 to be tried again · 0 done · 0 failed',
      'prompts      1 worker · 0 waiting · 0 active · 0 to be tried again · 0 done · 1 failed', '',
      'Dead letters:', '✗  the deadly one  1 worker died at it (SIGKILL)', '    4 attempts', '',
    ].join('\n'))
    isDeadly = false
    const there = await run(cwd, ...execution, '--store', store, '--resume')
    expect(there).toMatchObject({ code: 0, told: { takenOver: 4 } })
    expect(await status()).toMatchObject({ waiting: 0, active: 0, done: 0, failed: 0 })
    expect(await end(able)).toBe(130)
    expect(readdirSync(able.cwd)).toEqual([])

    const here = await cli.run([...flags.with(3, 'here'), ...execution], { cwd, env: { ...env(cwd), OPENAI_API_KEY: KEY } })
    const settled = (told: object): object => ({ ...told, takenOver: 0, trajectories: 0 })
    expect(settled(there.told)).toEqual(settled(JSON.parse(here.stdout) as object))
    const kept = (directory: string) => linesOf(join(cwd, directory, 'trajectories.jsonl')).map((line) => JSON.stringify(line)).sort()
    expect(kept('out')).toEqual(kept('here'))
    expect(kept('out').join('')).toContain('"metadata":{"source":"book"}')
    expect(kept('out').join('')).not.toContain(KEY)
    for (const headers of server.headers('m')) expect(headers['authorization']).toBe(`Bearer ${KEY}`)
  }, 120_000)

  it('is refused by workers of another server and beyond what they may, which is no result', async () => {
    const cwd = prompts({ prompt: 'one' }, { prompt: 'two' })
    server.improvise('m', () => say('done'))
    const [before, ours] = [server.requests('m').length, server.url]
    const other = await worker(['--base-url', 'http://127.0.0.1:9/v1'])
    const refused = await run(cwd, '--yes')
    expect(refused).toMatchObject({ code: 1, told: { failed: 2, failures: [{ code: 'OTHER_SERVER' }, { code: 'OTHER_SERVER' }] } })
    const why = `The worker asks http://127.0.0.1:9/v1, and the prompt is for ${ours}`
    expect(JSON.stringify(refused.told)).toContain(why)
    expect(other.said().split(why).length).toBe(2)
    // What a job says is no command for the terminal of whoever refuses it.
    const hostile = { ...job('hostile'), settings: { ...job('hostile').settings, server: `\u001b[2Jno address\n${'x'.repeat(2000)}` } }
    await put(hostile)
    await other.until('\\x1b[2Jno address\\nxxx')
    expect(other.said()).not.toMatch(/\u001b|x{1000}/)
    // Another one is there: it gets them all.
    const able = await worker(['--yes'])
    expect(await run(cwd, '--yes', '--resume')).toMatchObject({ code: 0, told: { answered: 2, takenOver: 0 } })
    await Promise.all([other, able].map(end))
    await worker()
    for (const [flag, value] of [['--sandbox', 'none'], ['--network'], ['--yes']]) {
      const place = prompts({ prompt: 'x' })
      const beyond = await run(place, ...[flag, value].filter((one) => one !== undefined))
      expect(beyond).toMatchObject({ code: 1, told: { failures: [{ code: 'POLICY_DENIED', message: expect.stringContaining(flag ?? '') }] } })
      expect(readdirSync(join(place, 'out', 'parts'))).toEqual([])
    }
    expect(server.requests('m').length - before).toBe(2)
  }, 120_000)

  it('loses no prompt to a worker whose key is refused: that one ends and says what to do', async () => {
    const cwd = prompts(...Array.from({ length: 6 }, (_, index) => ({ prompt: `p${index}` })))
    server.improvise('m', () => ({ ...say('Incorrect API key provided'), status: 401 }))
    const wrong = await worker()
    const batch = start([...flags, '--queue', redis.url], cwd, env(cwd))
    expect(await wrong.ended).toBe(2)
    expect(wrong.said()).toContain("The model's server failed: 401 Incorrect API key provided, after 0 prompts. What was under way is on the queue again; "
      + `check the API key, and that it belongs to ${server.url}, then start the worker anew.`)
    expect(await status()).toMatchObject({ active: 0, failed: 0, done: 0, workers: 0 })
    server.improvise('m', () => say('done'))
    await worker()
    expect(await batch.ended).toBe(0)
    expect(batch.said()).toContain('"answered": 6')
  }, 120_000)

  it('takes back at Ctrl-C what nobody has begun, and takes what was begun when it goes on', async () => {
    const cwd = prompts(...Array.from({ length: 5 }, (_, index) => ({ prompt: `p${index}` })))
    const isBegun = new Promise<void>((resolve) => server.improvise('m', () => {
      resolve()
      return { ...say('an answer that takes a while'), chunk: 1, pauseMs: 40 }
    }))
    await worker()
    const batch = start([...flags, '--queue', redis.url], cwd, env(cwd))
    await isBegun
    batch.child.kill('SIGINT')
    expect(await batch.ended).toBe(130)
    expect(batch.said()).toContain('1 prompt stays on the queue; --resume takes its result.')
    expect(existsSync(join(cwd, 'out', 'trajectories.jsonl'))).toBe(false)
    while ((await status())?.done !== 1);
    server.improvise('m', () => say('done'))
    const before = server.requests('m').length
    expect(await run(cwd, '--resume')).toMatchObject({ code: 0, told: { prompts: 5, answered: 5 } })
    expect(server.requests('m').length - before).toBe(4)
  }, 120_000)

  it('says at the start what is wrong with the flags', async () => {
    const cwd = prompts({ prompt: 'x' })
    writeTree(cwd, { 'fixture/a': 'x' })
    const failures: [string[], string][] = [
      [[...flags, '--workers', '2'], '--workers and --queue cannot be given together'],
      [[...flags, '--git', 'HEAD'], '--git does not go by a queue'],
      [[...flags, '--fixture', 'fixture'], 'The fixture goes by a store, and none is given'],
      [['worker', '--base-url', server.url], '--base-url is for --prompts'],
      [['worker', '--prompts', '--base-url', 'https://openrouter.ai/api/v1'], 'No API key for openrouter.ai'],
    ]
    const ended = await Promise.all(failures.map(([args]) => cli.run([...args, '--queue', redis.url], { cwd, env: env(cwd) })))
    for (const [index, { exitCode, stderr }] of ended.entries()) {
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(failures[index]?.[1] ?? '')])
    }
    expect(existsSync(join(cwd, 'out'))).toBe(false)
  })
})

/** A prompt as the queue has it. */
function job(name: string): PromptJob {
  return {
    version: 1, name, prompt: { kind: 'here', text: '{"prompt":"x"}' },
    settings: { workspace: { kind: 'empty' }, server: 'http://127.0.0.1:9/v1', agent: { model: 'm', style: 'native' }, execution: {} },
  }
}

/** All that the database has of the queues, as text. */
async function dump(url: string): Promise<string> {
  const client = new Redis(url)
  const told: string[] = []
  for (const key of await client.keys('*')) {
    const type = await client.type(key)
    told.push(key, JSON.stringify(type === 'hash' ? await client.hgetall(key) : type === 'stream' ? await client.xrange(key, '-', '+') : ''))
  }
  client.disconnect()
  return told.join('\n')
}
