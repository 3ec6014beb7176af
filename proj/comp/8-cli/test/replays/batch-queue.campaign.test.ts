import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { describeWithRedis } from '../../../../test/support/redis.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ModelRequest } from '../../../6-agent/test/agent/support/model-server.js'
import { say, type ScriptedAnswer } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'
import { flags, KEY, useBatchQueue } from './batch-queue.js'

const cli = useCli()
const server = useModelServer()
const asked = ({ messages }: ModelRequest): string => String(messages.find(({ role }) => role === 'user')?.content)
const linesOf = (file: string): Record<string, unknown>[] => (
  readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>)
)

describeWithRedis('hermes batch --queue', (redis) => {
  const { start, worker, end, prompts, env, run, status } = useBatchQueue(cli, server, redis)

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
    // Its home as well, where the key of its journals lies.
    expect(readdirSync(able.cwd, { recursive: true }).sort()).toEqual(['.hermes', join('.hermes', 'journal.key')])

    const here = await cli.run([...flags.with(3, 'here'), ...execution], { cwd, env: { ...env(cwd), OPENAI_API_KEY: KEY } })
    const settled = (told: object): object => ({ ...told, takenOver: 0, trajectories: 0 })
    expect(settled(there.told)).toEqual(settled(JSON.parse(here.stdout) as object))
    const kept = (directory: string) => linesOf(join(cwd, directory, 'trajectories.jsonl')).map((line) => JSON.stringify(line)).sort()
    expect(kept('out')).toEqual(kept('here'))
    expect(kept('out').join('')).toContain('"metadata":{"source":"book"}')
    expect(kept('out').join('')).not.toContain(KEY)
    for (const headers of server.headers('m')) expect(headers['authorization']).toBe(`Bearer ${KEY}`)
  })
})

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
