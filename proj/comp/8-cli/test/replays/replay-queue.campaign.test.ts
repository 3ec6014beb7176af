import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { content, conversation, reads } from '../../../../test/support/conversations.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { describeWithRedis } from '../../../../test/support/redis.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { command, settled, useReplayQueue } from './replay-queue.js'

const cli = useCli()

describeWithRedis('hermes replay --queue', (redis) => {
  const { start, worker, status } = useReplayQueue(cli, redis)

  it('tries a transcript that kills its process elsewhere, and then lists it; others are not affected', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': [command('kill -9 $PPID'), command('true'), command('true')].join('\n') })
    const at = await worker('--sandbox', 'none')
    const { stdout, exitCode } = await cli.run(['replay', 't.jsonl', '--sandbox', 'none', '--queue', redis.url], { cwd })
    expect(stdout).toContain('It failed on the queue for good: 1 worker died at it (SIGKILL)  INTERNAL')
    expect(stdout).toContain('3 transcripts · 1 drifted')
    expect(exitCode).toBe(1)
    const shown = (await cli.run(['replay', '--queue', redis.url, '--queue-status'], { cwd })).stdout
    expect(shown.replace(/, last at .*/, '')).toBe([
      redis.url, 'transcripts  1 worker · 0 waiting · 0 active · 0 to be tried again · 0 done · 1 failed',
      'prompts      0 workers · 0 waiting · 0 active · 0 to be tried again · 0 done · 0 failed', '', 'Dead letters:',
      '✗  t.jsonl  1 worker died at it (SIGKILL)', '    4 attempts', '',
    ].join('\n'))
    at.child.kill('SIGINT')
    expect(await at.ended).toBe(130)
    expect(at.said()).toContain('Interrupted, after 2 transcripts.')
    expect(readdirSync(at.cwd)).toEqual([])
  })

  it('interrupted, says how to go on without the password, and takes what was done meanwhile', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 't.jsonl': Array.from({ length: 20 }, (_, index) => reads(`f${index}`, content('x'))).join('\n') })
    const url = redis.url.replace('redis://', 'redis://default:geheim@')
    const args = ['replay', 't.jsonl', '--queue', url, '--run', 'r']
    const first = start(args, cwd)
    while ((await status()).waiting !== 20) await sleep(20)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    expect(first.said()).toContain(`Interrupted. To go on: hermes replay t.jsonl --queue 'redis://default:***@127.0.0.1:${redis.port}/0' --run r --resume\n`)
    expect(first.said()).toContain('20 transcripts stay on the queue')
    expect(first.said()).not.toContain('geheim')
    const at = await worker()
    while ((await status()).done !== 20) await sleep(20)
    at.child.kill('SIGINT')
    await at.ended
    const { stdout, exitCode } = await cli.run([...args, '--resume', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ transcripts: 20, drifted: 20, errors: 0 })
    expect(exitCode).toBe(1)
    expect(await status()).toMatchObject({ done: 0 })
  })

  it('draws the same toolsets as on this machine', async () => {
    const cwd = tempDir()
    writeTree(cwd, {
      't/replay.yaml': 'toolset_distributions:\n  mine: { read-only: 50, edit: 50 }\n',
      't/t.jsonl': Array.from({ length: 12 }, (_, index) => conversation({ name: 'fs.writeFile', arguments: { path: `f${index}`, content: 'x' } }, { success: true, data: {} })).join('\n'),
    })
    const args = ['replay', 't', '--toolset-distribution', 'mine', '--json']
    const [here, again, other] = await Promise.all([['7'], ['7'], ['8']].map(([seed = '']) => cli.run([...args, '--seed', seed], { cwd })))
    await worker()
    const there = await cli.run([...args, '--seed', '7', '--queue', redis.url], { cwd })
    expect(settled(there.stdout)).toEqual(settled(here?.stdout ?? ''))
    expect(settled(again?.stdout ?? '')).toEqual(settled(here?.stdout ?? ''))
    expect(settled(other?.stdout ?? '')).not.toEqual(settled(here?.stdout ?? ''))
    const { reports } = JSON.parse(there.stdout) as { reports: { toolsets: string[]; blocks: { actual: string }[] }[] }
    expect(reports.length).toBeGreaterThan(0)
    for (const { toolsets, blocks } of reports) {
      expect(toolsets).toEqual(['read-only'])
      expect(blocks[0]?.actual).toContain('POLICY_DENIED')
    }
    expect((await cli.run(['replay', 't', '--toolset-distribution', 'meine'], { cwd })).stderr).toContain('Did you mean mine?')
  })
})
