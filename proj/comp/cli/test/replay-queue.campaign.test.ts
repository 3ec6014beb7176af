import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { writeTree } from '../../../test/support/file-tree.js'
import { describeWithRedis } from '../../../test/support/redis.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { command, useReplayQueue } from './replay-queue.js'

const cli = useCli()

describeWithRedis('hermes replay --queue', (redis) => {
  const { worker } = useReplayQueue(cli, redis)

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
  }, 120_000)
})
