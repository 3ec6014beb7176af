import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import { WorkerPool } from '../../src/replay/processes/worker-pool.js'

/** A worker that answers with the name, and dies at one called `poison`, or at its start where it is told to. */
const WORKER = `
if (process.argv[2] === 'broken') process.exit(7)
let isStopped = false
process.on('message', ({ type, job, item }) => {
  if (type === 'stop') isStopped = true
  if (type !== 'run') return
  if (item.name === 'poison') process.kill(process.pid, 'SIGKILL')
  else process.send({ type: 'done', job, made: { report: { name: isStopped ? 'stopped' : item.name } } })
})
process.on('disconnect', () => process.exit())
process.send({ type: 'ready' }, () => undefined)
`
const named = (name: string): Transcript => ({ file: 'f', line: 1, name, format: 'sharegpt', turns: [] })

function pool(count: number, batch: number, ...args: string[]): { pool: WorkerPool; started: () => number } {
  const script = join(tempDir(), 'worker.cjs')
  writeFileSync(script, WORKER)
  let started = 0
  return { started: () => started, pool: new WorkerPool(count, batch, () => {
    started++
    return fork(script, args)
  }) }
}

describe('WorkerPool', () => {
  it('answers each once, and a transcript that kills its workers with an error', async () => {
    const { pool: workers, started } = pool(2, 3)
    const names = [...Array.from({ length: 10 }, (_, index) => `t${index}`), 'poison', ...Array.from({ length: 10 }, (_, index) => `u${index}`)]
    const done = await Promise.all(names.map((name) => workers.run(0, named(name))))
    expect(done.map(({ replayed }) => replayed.report.name)).toEqual(names)
    expect(done.flatMap(({ replayed }) => replayed.report.error ?? [])).toEqual([
      expect.objectContaining({ code: 'INTERNAL', message: '4 workers died at it (SIGKILL)' }),
    ])
    // One more where a worker died before it said at what.
    expect(started()).toBeLessThanOrEqual(2 + 4 + 1)
    await workers.close()
  })

  it('answers what cannot be sent with an error, and goes on', async () => {
    const { pool: workers } = pool(1, 1)
    let deep: unknown = 'x'
    for (let level = 0; level < 20_000; level++) deep = [deep]
    const [unsendable, next] = await Promise.all([workers.run(0, { ...named('deep'), tools: deep }), workers.run(0, named('next'))])
    expect(unsendable).toMatchObject({ replayed: { report: { name: 'deep', error: { code: 'INTERNAL', message: expect.stringContaining('cannot be sent') } } } })
    expect(next?.replayed.report.name).toBe('next')
    await workers.close()
  })

  it('tells to stop also those that are not ready yet', async () => {
    const { pool: workers } = pool(1, 1)
    workers.stop()
    expect((await workers.run(0, named('a'))).replayed.report.name).toBe('stopped')
    await workers.close()
  })

  it('gives up where no worker can be started, and says so for each', async () => {
    const { pool: workers } = pool(2, 1, 'broken')
    const [first, second] = await Promise.all([workers.run(0, named('a')), workers.run(0, named('b'))])
    const third = await workers.run(0, named('c'))
    for (const each of [first, second, third]) expect(each?.replayed.report.error?.message).toContain('(exit code 7)')
    await workers.close()
  })
})
