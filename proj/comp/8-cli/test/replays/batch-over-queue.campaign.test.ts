import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { describeWithRedis } from '../../../../test/support/redis.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'
import type { PromptJob } from '../../../7-queue/src/batch-queue/index.js'
import { flags, useBatchQueue } from './batch-queue.js'

const cli = useCli()
const server = useModelServer()

describeWithRedis('hermes batch --queue', (redis) => {
  const { start, worker, end, prompts, env, run, put, status } = useBatchQueue(cli, server, redis)

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
  })

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
  })

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
    while ((await status())?.done !== 1) await sleep(20)
    server.improvise('m', () => say('done'))
    const before = server.requests('m').length
    expect(await run(cwd, '--resume')).toMatchObject({ code: 0, told: { prompts: 5, answered: 5 } })
    expect(server.requests('m').length - before).toBe(4)
  })

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
