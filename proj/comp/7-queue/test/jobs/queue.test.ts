import { randomUUID } from 'node:crypto'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import { Queue } from 'bullmq'
import * as v from 'valibot'
import { afterEach, expect, it } from 'vitest'
import { describeWithRedis } from '../../../../test/support/redis.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import {
  queuePlace, QueueProducer, queueStatus as statusOf, QueueWorker, readForm, type Done, type JobEnd, type JobKind,
  type QueueStatus,
} from '../../src/jobs/index.js'

const JOB = v.strictObject({ name: v.string(), settings: v.strictObject({}) })
const ANSWER = v.strictObject({ text: v.string() })
type Job = v.InferOutput<typeof JOB>
type Answer = v.InferOutput<typeof ANSWER>
const KIND: JobKind<Job, Answer> = {
  queue: 'hermes-test', job: 'test', what: 'tests', workerCommand: 'none',
  readJob: (data) => readForm(JOB, data, 'A job'), readAnswer: (data) => readForm(ANSWER, data, 'An answer'),
}
const queueStatus = async (url: string): Promise<QueueStatus & { queue: string }> => {
  const { queue, statuses: [status] } = await statusOf(url, [KIND.queue])
  if (!status) throw new Error('no status')
  return { queue, ...status }
}
const named = (name: string): Job => ({ name, settings: {} })
const answered = (text: string): Done<Answer> => ({ kind: 'answer', answer: { text } })
/** A promise that is resolved from outside. */
function resolvable(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
const textOf = (end: JobEnd<Answer> | undefined): string | undefined => (end && 'answer' in end ? end.answer.text : undefined)

describeWithRedis('a queue', (redis) => {
  const open: { close(): Promise<unknown> }[] = []
  const notices: string[] = []
  const onNotice = (notice: string): void => void notices.push(notice)
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()))
    const client = new Redis(redis.url)
    await client.flushdb()
    client.disconnect()
    notices.length = 0
  })
  const producer = async (run: string = randomUUID(), isResumed = false, url = redis.url): Promise<QueueProducer<Job, Answer>> => {
    const made = await QueueProducer.open(queuePlace(url), { kind: KIND, run, isResumed, onNotice, retryMs: 20 })
    open.push(made)
    return made
  }
  const worker = async (run: (job: Job) => Promise<Done<Answer>>, concurrency = 2, name = 'w', url = redis.url): Promise<QueueWorker<Job, Answer>> => {
    const made = await QueueWorker.open(queuePlace(url), { kind: KIND, concurrency, name, run, onNotice, onConnected: () => undefined, restMs: 100 })
    open.push(made)
    return made
  }

  it('answers each once, equal ones too, and keeps nothing that was settled', async () => {
    const ran: string[] = []
    await worker(async ({ name }) => {
      ran.push(name)
      return answered(name)
    })
    const asks = await producer()
    const names = ['a', 'b', 'a', 'a', ...Array.from({ length: 20 }, (_, index) => `n${index}`)]
    const ends = await Promise.all(names.map((name) => asks.run(named(name), name)))
    expect(ends.map(textOf)).toEqual(names)
    expect(ran.toSorted()).toEqual(names.toSorted())
    expect(await queueStatus(redis.url)).toMatchObject({ workers: 1, done: names.length })
    for (const end of ends) if (end) await asks.settled(end)
    expect(await queueStatus(redis.url)).toMatchObject({ queue: redis.url, waiting: 0, active: 0, retrying: 0, done: 0, failed: 0, deadLetters: [] })
  })

  it('tries again what failed, and keeps as a dead letter what always does', async () => {
    const tries: Record<string, number> = {}
    await worker(async ({ name }) => {
      const tried = tries[name] = (tries[name] ?? 0) + 1
      if (name === 'always' || tried === 1) throw new Error(`died at ${name}`)
      return answered(name)
    })
    const asks = await producer()
    const [once, always] = await Promise.all(['once', 'always'].map((name) => asks.run(named(name), name)))
    expect(textOf(once)).toBe('once')
    expect(always).toMatchObject({ failed: 'died at always' })
    expect(tries).toEqual({ once: 2, always: 4 })
    if (always) await asks.settled(always)
    expect(await queueStatus(redis.url)).toMatchObject({ failed: 1, deadLetters: [{ name: 'always', attempts: 4, reason: 'died at always', worker: 'w' }] })
  })

  it('takes nothing that has another form, neither as a job nor as an answer', async () => {
    const ran: string[] = []
    await worker(async ({ name }) => {
      ran.push(name)
      return { kind: 'answer', answer: { path: '/etc/passwd' } } as unknown as Done<Answer>
    })
    const asks = await producer()
    expect(await asks.run(named('answer'), 'answer')).toMatchObject({ failed: expect.stringContaining('An answer of the queue has not the form') })
    expect(await asks.run({ ...named('job'), more: 1 } as Job, 'job')).toMatchObject({ failed: expect.stringContaining('A job of the queue has not the form') })
    expect(ran).toEqual(['answer'])
    expect((await queueStatus(redis.url)).deadLetters).toMatchObject([{ name: 'job', attempts: 1 }])
  })

  it('gives what an interrupted worker is at to the next one, at once', async () => {
    let stop: (done: Done<Answer>) => void = () => undefined
    const begun = resolvable()
    const first = await worker(() => new Promise((resolve) => {
      stop = resolve
      begun.resolve()
    }))
    const asks = await producer()
    const asked = asks.run(named('a'), 'a')
    await begun.promise
    const closed = first.close()
    stop({ kind: 'given back' })
    await closed
    expect(await queueStatus(redis.url)).toMatchObject({ waiting: 1, active: 0, failed: 0 })
    await worker(async () => answered('by another'))
    expect(textOf(await asked)).toBe('by another')
  })

  it('keeps what was asked for by a producer that went away, and gives it to the one that comes back', async () => {
    const [run, ran] = [randomUUID(), [] as string[]]
    const first = await producer(run)
    const abandoned = [first.run(named('a'), 'a'), first.run(named('b'), 'b')]
    while ((await queueStatus(redis.url)).waiting < 2);
    expect(await first.abandon('all')).toBe(2)
    expect(await Promise.all(abandoned)).toEqual([undefined, undefined])
    await first.close()
    await worker(async ({ name }) => {
      ran.push(name)
      return answered(name)
    })
    while ((await queueStatus(redis.url)).done < 2);
    const second = await producer(run, true)
    expect((await Promise.all(['b', 'a', 'c'].map((name) => second.run(named(name), name)))).map(textOf)).toEqual(['b', 'a', 'c'])
    expect(ran.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('runs again what failed for good in an earlier start', async () => {
    const [run, ran] = [randomUUID(), [] as string[]]
    let isMended = false
    await worker(async ({ name }) => {
      ran.push(name)
      if (!isMended) throw new HermesError('INVALID_JOB', 'no such store')
      return answered(name)
    })
    const first = await producer(run)
    expect(await first.run(named('a'), 'a')).toMatchObject({ failed: 'no such store' })
    await first.close()
    isMended = true
    const second = await producer(run, true)
    expect(textOf(await second.run(named('a'), 'a'))).toBe('a')
    expect(ran).toEqual(['a', 'a'])
    expect((await queueStatus(redis.url)).failed).toBe(0)
  })

  it('gives what one worker refuses to another, and back only what all refuse', async () => {
    const [run, refused] = [randomUUID(), [] as string[]]
    const refuses = (by: string) => async ({ name }: Job): Promise<Done<Answer>> => {
      if (name === 'slow') return answered(name)
      refused.push(by)
      return { kind: 'refused', answer: { text: `refused by ${by}` }, why: 'no' }
    }
    const names = Array.from({ length: 8 }, (_, index) => `n${index}`)
    await worker(refuses('b'), 2, 'b')
    const able = await worker(async ({ name }) => answered(name), 1, 'a')
    const asks = await producer(run)
    expect((await Promise.all(names.map((name) => asks.run(named(name), name)))).map(textOf)).toEqual(names)
    expect(refused.length).toBeLessThan(names.length)
    await able.close()
    await worker(refuses('c'), 2, 'c')
    const ends = await Promise.all(names.map((name) => asks.run(named(`${name} again`), `${name} again`)))
    expect(new Set(ends.map(textOf)).size).toBeLessThan(3)
    for (const end of ends) expect(textOf(end)).toContain('refused by')
    expect(await queueStatus(redis.url)).toMatchObject({ waiting: 0, active: 0, failed: 0 })
  })

  it('takes back what nobody has begun, and leaves the rest to whoever is at it', async () => {
    const run = randomUUID()
    const begun = resolvable()
    let finish: (done: Done<Answer>) => void = () => undefined
    await worker(() => new Promise((resolve) => {
      finish = resolve
      begun.resolve()
    }), 1)
    const first = await producer(run)
    const asked = ['a', 'b', 'c'].map((name) => first.run(named(name), name))
    await begun.promise
    while ((await queueStatus(redis.url)).waiting < 2);
    expect(await first.abandon('begun')).toBe(1)
    expect(await Promise.all(asked)).toEqual([undefined, undefined, undefined])
    expect(await queueStatus(redis.url)).toMatchObject({ waiting: 0, active: 1 })
    finish(answered('a'))
    while ((await queueStatus(redis.url)).done < 1);
    expect(textOf(await (await producer(run, true)).run(named('a'), 'a'))).toBe('a')
  })

  it('lets a worker end that is stuck, and says how much it left', async () => {
    const begun = resolvable()
    const stuck = await worker(() => {
      begun.resolve()
      return new Promise(() => undefined)
    })
    const asks = await producer()
    void asks.run(named('a'), 'a')
    await begun.promise
    open.splice(open.indexOf(stuck), 1)
    expect(await stuck.close(50)).toBe(1)
    await asks.abandon('none')
  })

  it('is left empty by a producer that does not come back', async () => {
    const asks = await producer()
    const asked = asks.run(named('a'), 'a')
    while ((await queueStatus(redis.url)).waiting < 1);
    await asks.abandon('none')
    expect([await asked, (await queueStatus(redis.url)).waiting]).toEqual([undefined, 0])
  })

  it('loses nothing when Redis is killed and comes back with its append-only file', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${index}`)
    let done = 0
    const half = resolvable()
    await worker(async ({ name }) => {
      if (++done === names.length / 2) half.resolve()
      return answered(name)
    })
    const asks = await producer()
    const asked = Promise.all(names.map((name) => asks.run(named(name), name)))
    await half.promise
    await redis.kill()
    await redis.start()
    expect((await asked).map(textOf)).toEqual(names)
    expect(notices.filter((notice) => notice.includes('is away')).length).toBeGreaterThan(0)
  })

  it('works also where the connection is lost at any moment of its start', async () => {
    // The first two are asked before the queue counts as reached.
    for (const lost of [3, 4, 5, 6]) {
      const [taken, asked] = await Promise.all([losingProxy(redis.port, lost), losingProxy(redis.port, lost)])
      const [asks, taker] = await Promise.all([
        producer(undefined, false, asked.url), worker(async ({ name }) => answered(name), 1, 'w', taken.url),
      ])
      expect(textOf(await asks.run(named('a'), 'a')), `lost at ${lost}`).toBe('a')
      await Promise.all([taker.close(), asks.close()])
      await Promise.all([taken.close(), asked.close()])
    }
  })

  it('asks for a user and a password, and tells neither', async () => {
    const client = new Redis(redis.url)
    await client.call('ACL', 'SETUSER', 'u', 'on', '>geheim', '~*', '&*', '+@all')
    const url = (password: string): string => `redis://u:${password}@127.0.0.1:${redis.port}/0`
    await expect(queueStatus(url('falsch'))).rejects.toMatchObject({
      code: 'UNREACHABLE', message: `The queue ${redis.url} cannot be used (WRONGPASS)`,
    })
    expect(await queueStatus(url('geheim'))).toMatchObject({ queue: redis.url, waiting: 0 })
    await client.call('ACL', 'DELUSER', 'u')
    client.disconnect()
  })

  it('has no database that the server does not have', async () => {
    await expect(queueStatus(`redis://127.0.0.1:${redis.port}/99`)).rejects.toMatchObject({
      code: 'UNREACHABLE', message: expect.stringContaining('DB index is out of range'),
    })
  })

  it('whose server may lose something is used with a warning in our words', async () => {
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru')
    try {
      await producer()
      expect(notices).toEqual([expect.stringContaining('maxmemory-policy allkeys-lru')])
    } finally {
      await client.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'noeviction')
      client.disconnect()
    }
  })

  it('that is not there is told at once', async () => {
    await expect(queueStatus('redis://127.0.0.1:1')).rejects.toMatchObject({
      code: 'UNREACHABLE', message: 'The queue redis://127.0.0.1:1/0 cannot be used (ECONNREFUSED)',
    })
  })

  it('survives what others put there', async () => {
    const queue = new Queue(KIND.queue, { prefix: '{hermes}', connection: { host: '127.0.0.1', port: redis.port } })
    await queue.add('x', 'no object', { removeOnFail: false })
    await queue.add('x', null)
    await worker(async ({ name }) => answered(name))
    const asks = await producer()
    expect(textOf(await asks.run(named('a'), 'a'))).toBe('a')
    while ((await queueStatus(redis.url)).failed < 2);
    expect((await queueStatus(redis.url)).deadLetters.map(({ name }) => name)).toEqual(['?', '?'])
    const [{ id = '' } = {}] = await queue.getFailed()
    const client = new Redis(redis.url)
    await client.hset(`{hermes}:${KIND.queue}:${id}`, { data: '{no json', finishedOn: '9e99', attemptsMade: 'x' })
    client.disconnect()
    expect((await queueStatus(redis.url)).deadLetters.find((one) => one.id === id)).toEqual({ id, name: '?', attempts: 1, reason: 'it is no job' })
    await queue.close()
  })
})

/** What is between a client and Redis, and breaks the connection once: when it is asked `INFO` for this time, from 1. */
async function losingProxy(port: number, lost: number): Promise<{ url: string; close(): Promise<void> }> {
  let asked = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const there = connect(port, '127.0.0.1')
    for (const [from, to] of [[client, there], [there, client]] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
    there.on('data', (data) => client.write(data))
    client.on('data', (data) => {
      const infos = data.toString('latin1').split(/\r\ninfo\r\n/i).length - 1
      const isLost = asked < lost && asked + infos >= lost
      asked += infos
      if (isLost) client.destroy()
      else there.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0`,
    close: () => new Promise((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    }),
  }
}
