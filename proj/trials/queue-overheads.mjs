/**
 * What a transcript costs on the queue besides running it: round trips, memory and traffic of Redis,
 * workspaces and results.
 * Prints the figures that docs/scale.md calculates with; `--write` keeps them.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'
import { Redis } from 'ioredis'
import { redisServer } from './redis-server.mjs'

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '5000' }, write: { type: 'boolean', default: false } },
})
const jobs = Number(values.jobs)
const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, 'trial-'))
const directory = mkdtempSync(join(tmpdir(), 'hermes-trial-'))
const redis = await redisServer()
const client = new Redis(redis.url)
try {
  const hermes = await bundle()
  const figures = {
    processors: cpus()[0]?.model, node: process.version, jobs,
    queue: await queue(hermes), store: await store(hermes), transcript: await transcripts(hermes),
  }
  console.log(JSON.stringify(figures, null, 2))
  if (values.write) {
    writeFileSync(new URL('results/queue-overheads.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  }
} finally {
  client.disconnect()
  await redis.stop()
  for (const each of [out, directory]) removeSync(each)
}

async function bundle() {
  const built = await rolldown({
    cwd: root, input: join(root, 'proj', 'trials', 'queue-overheads-entry.ts'), platform: 'node',
    external: [/^node:/, 'bullmq', 'ioredis', 'execa'],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return import(pathToFileURL(join(out, 'entry.mjs')).href)
}

function transcript(index) {
  const content = `transcript ${index} ${'x'.repeat(500)}`
  return {
    file: 't.jsonl', line: index + 1, name: `t.jsonl#${index + 1}`, format: 'sharegpt', turns: [
      { role: 'assistant', reasoning: '', text: '', calls: [
        { id: 'a', name: 'fs.writeFile', arguments: { path: 'a', content } },
        { id: 'b', name: 'fs.readFile', arguments: { path: 'a' } },
      ] },
      { role: 'results', results: [
        { callId: 'a', text: '{"success":true,"data":{}}', outcome: { success: true, data: {} } },
        {
          callId: 'b', text: JSON.stringify({ success: true, data: { content } }),
          outcome: { success: true, data: { content } },
        },
      ] },
    ],
  }
}

async function optionsFor(hermes, workspace) {
  // The calls name verbs: no rules are needed.
  const mapping = await hermes.loadMapping([], async () => undefined)
  return { workspace, mapping, execution: {}, directory, signal: new AbortController().signal }
}

async function redisFigures() {
  const info = Object.fromEntries((await client.info()).split('\r\n').map((line) => line.split(':')))
  const cpu = Number(info.used_cpu_user) + Number(info.used_cpu_sys)
  return {
    memory: Number(info.used_memory), cpu, commands: Number(info.total_commands_processed),
    bytes: Number(info.total_net_input_bytes) + Number(info.total_net_output_bytes), aof: Number(info.aof_current_size),
  }
}

/** Jobs whose work is nothing: what remains is the queue. */
async function queue(hermes) {
  const place = hermes.queuePlace(redis.url)
  const sender = new hermes.JobSender(undefined)
  const options = await optionsFor(hermes, { kind: 'empty' })
  const report = {
    id: '0'.repeat(64), name: 't.jsonl#1', file: 't.jsonl#1', line: 1, format: 'sharegpt',
    counts: {
      'same': 2, 'changed': 0, 'newly failing': 0, 'newly passing': 0, 'unrecorded': 0, 'unmapped': 0, 'skipped': 0,
    },
    blocks: [], drifted: false, durationMs: 1,
  }
  const answer = {
    kind: 'answer', answer: { version: 1, worker: 'w', replayed: { kind: 'here', text: JSON.stringify({ report }) } },
  }
  const producer = await hermes.QueueProducer.open(place, {
    kind: hermes.REPLAY_JOBS, run: 'r', isResumed: false, onNotice: () => undefined,
  })
  const made = await Promise.all(
    Array.from({ length: jobs }, (_, index) => sender.jobOf(transcript(index), options, { yes: false })),
  )
  const before = await redisFigures()
  const startedAt = performance.now()
  const asked = made.map((job, index) => producer.run(job, String(index)))
  while (await client.llen('{hermes}:hermes-replay:wait') < jobs) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const added = performance.now() - startedAt
  const waiting = await redisFigures()
  const worker = await hermes.QueueWorker.open(place, {
    kind: hermes.REPLAY_JOBS, concurrency: 50, name: 'w', run: async () => answer, onNotice: () => undefined,
    onConnected: () => undefined,
  })
  const workedAt = performance.now()
  const ends = await Promise.all(asked)
  const worked = performance.now() - workedAt
  const done = await redisFigures()
  await Promise.all(ends.map((end) => producer.settled(end)))
  const after = await redisFigures()
  const lone = []
  for (let index = 0; index < 200; index++) {
    const from = performance.now()
    await producer.settled(await producer.run(made[index], `lone ${index}`))
    lone.push(performance.now() - from)
  }
  await worker.close()
  await producer.close()
  return {
    jobBytes: JSON.stringify(made[0]).length, resultBytes: JSON.stringify(answer.answer).length,
    addsPerSecond: Math.round(jobs / added * 1000), roundTripsPerSecond: Math.round(jobs / worked * 1000),
    loneRoundTripMs: middle(lone), redisMicrosecondsPerJob: round((after.cpu - before.cpu) / jobs * 1e6),
    commandsPerJob: round((after.commands - before.commands) / jobs),
    networkBytesPerJob: Math.round((after.bytes - before.bytes) / jobs),
    memoryPerWaitingJob: Math.round((waiting.memory - before.memory) / jobs),
    memoryPerDoneJob: Math.round((done.memory - before.memory) / jobs),
    memoryLeftPerJob: Math.round((after.memory - before.memory) / jobs),
    aofBytesPerJob: Math.round((after.aof - before.aof) / jobs),
  }
}

/** A fixture of 100 files of 4 KB: sent, fetched and copied, by a directory and by an S3 server on loopback. */
async function store(hermes) {
  const fixture = join(directory, 'fixture')
  for (let index = 0; index < 100; index++) {
    mkdirSync(join(fixture, `d${index % 10}`), { recursive: true })
    writeFileSync(join(fixture, `d${index % 10}`, `f${index}`), `${index}\n`.repeat(4096 / 3 | 0))
  }
  const S3rver = createRequire(import.meta.url)('s3rver')
  const s3 = new S3rver({
    address: '127.0.0.1', port: 0, silent: true, directory: join(directory, 's3'),
    configureBuckets: [{ name: 'bucket' }],
  })
  const { port } = await s3.run()
  const env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const of = async (place) => {
    const opened = await hermes.openContentStore(place, env)
    const [sendMs, address] = await timed(() => hermes.packTree(fixture, opened))
    const [againMs] = await timed(() => hermes.packTree(fixture, opened))
    const trees = mkdtempSync(join(directory, 'trees-'))
    const cached = new hermes.TreeCache(opened, trees)
    const [fetchMs] = await timed(() => cached.using(address, async () => undefined))
    return { sendMs, sendAgainMs: againMs, fetchMs, requestsPerFetch: 101 }
  }
  const figures = { files: 100, bytes: 100 * 4096, directory: await of(
    join(directory, 'store'),
  ), s3: await of('s3://bucket') }
  s3.httpServer.closeAllConnections()
  await s3.close()
  return figures
}

/** A transcript of two calls, in this process: in an empty workspace, and in a copy of the fixture. */
async function transcripts(hermes) {
  const of = async (workspace) => {
    const options = await optionsFor(hermes, workspace)
    const times = []
    for (let index = 0; index < 50; index++) times.push(
      (await timed(() => hermes.replayTranscript(transcript(index), options)))[0],
    )
    return middle(times)
  }
  return {
    emptyMs: await of({ kind: 'empty' }),
    fixtureMs: await of({ kind: 'fixture', directory: join(directory, 'fixture') }),
  }
}

async function timed(task) {
  const from = performance.now()
  const result = await task()
  return [round(performance.now() - from), result]
}

function middle(times) {
  return round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)])
}

function round(value) {
  return Math.round(value * 100) / 100
}
