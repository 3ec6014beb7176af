/**
 * Replays many transcripts on a queue while workers, the processes they replay in, and Redis itself are killed at
 * random: is each reported exactly once, and none mixed up? Prints the figures as JSON; `--write` keeps them.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { childrenOf } from './child-processes.mjs'
import { redisServer } from './redis-server.mjs'
import { transcript } from './replay-transcript.mjs'

const { values } = parseArgs({ options: {
  transcripts: { type: 'string', default: '2000' }, kills: { type: 'string', default: '100' },
  restarts: { type: 'string', default: '5' },
  workers: { type: 'string', default: '2' }, pause: { type: 'string', default: '500' },
  seed: { type: 'string', default: '1' }, write: { type: 'boolean', default: false },
} })
const [count, mostKills, restarts, workers, pause] =
  [values.transcripts, values.kills, values.restarts, values.workers, values.pause].map(Number)
const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'hermes-trial-'))
const environment = { ...process.env, TMPDIR: directory }
let state = Number(values.seed)

const redis = await redisServer()
try {
  const figures = await killed()
  console.log(JSON.stringify(figures, null, 2))
  if (values.write) {
    writeFileSync(new URL('results/replay-queue.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  }
} finally {
  await redis.stop()
  removeSync(directory)
}

function hermes(...args) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: environment })
  const told = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (told[name] += chunk))
  return { child, told, ended: new Promise((resolve) => child.on('close', (code) => resolve(code))) }
}

async function killed() {
  const file = join(directory, 't.jsonl')
  writeFileSync(file, Array.from({ length: count }, (_, index) => JSON.stringify(transcript(index))).join('\n'))
  const running = new Map()
  const startWorker = (index) => running.set(index, hermes('worker', '--queue', redis.url, '--concurrency', '2'))
  for (let index = 0; index < workers; index++) startWorker(index)
  const startedAt = Date.now()
  const producer = hermes('replay', file, '--queue', redis.url, '--run', 'r', '--output', directory, '--json')
  let isOver = false
  const ended = producer.ended.finally(() => (isOver = true))
  const kills = { workers: 0, processes: 0, redis: 0 }
  // A Redis that is away when it is first asked is wrong usage; what is tried is one that goes away.
  while (!isOver && !await redis.has('{hermes}:hermes-replay:id')) await sleep(20)
  while (!isOver && kills.workers + kills.processes < mostKills) {
    await Promise.race([ended, sleep(pause / 2 + random(pause))])
    if (isOver) break
    const index = random(workers)
    const { child, ended: gone } = running.get(index)
    const [victim] = random(3) === 0 ? [] : childrenOf(child.pid)
    if (victim === undefined) {
      child.kill('SIGKILL')
      await gone
      kills.workers++
      startWorker(index)
    } else if (kill(victim)) kills.processes++
    // In the middle, and so often that they are spread.
    if (kills.redis < restarts && kills.workers + kills.processes >= (kills.redis + 1) * mostKills / (restarts + 1)) {
      await redis.kill()
      kills.redis++
      await sleep(random(1000))
      await redis.start()
    }
  }
  const exitCode = await ended
  const seconds = (Date.now() - startedAt) / 1000
  const status = hermes('replay', '--queue', redis.url, '--queue-status', '--json')
  await status.ended
  for (const { child } of running.values()) child.kill('SIGINT')
  await Promise.all([...running.values()].map(({ ended: gone }) => gone))
  if (producer.told.stdout === '') throw new Error(`the replay ended with ${exitCode}: ${producer.told.stderr}`)
  const entries = readdirSync(join(directory, 'r', 'parts')).flatMap((name) => (
    readFileSync(join(directory, 'r', 'parts', name), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  ))
  const ids = new Set(entries.map(({ id }) => id))
  const { transcripts, drifted, errors, counts } = JSON.parse(producer.told.stdout)
  const { waiting, retrying, failed } = JSON.parse(status.told.stdout)
  return {
    transcripts: count, kills, seconds: Math.round(seconds * 10) / 10, exitCode, reported: entries.length,
    reportedTwice: entries.length - ids.size, lost: count - ids.size, errors, mixedUp: drifted - errors,
    summed: transcripts, same: counts.same, leftOnQueue: waiting + retrying, deadLetters: failed,
    leftBehind: readdirSync(directory).filter((name) => name.startsWith('hermes-')).length,
  }
}

function kill(pid) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
    return false
  }
}

function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return below === 0 ? 0 : Math.floor(state / 2 ** 32 * below)
}
