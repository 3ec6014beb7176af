/**
 * Agents that are killed (SIGKILL) at random moments and taken up again, until their task is done: each of its steps
 * has to be there once, neither lost nor repeated.
 *
 * Usage: node proj/trials/agent-kills.mjs [--runs N] [--seed N] [--seconds N] [--steps N] [--kills N] [--write]
 *   --kills N   of each run, at most
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { copySync, removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'
import { randomFrom } from './random.mjs'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const WORKER = new URL('./agent-kills/agent-kills-worker.mjs', import.meta.url)
const RESULTS = new URL('./results/agent-kills.json', import.meta.url)
/** Times a task is taken up, at most. */
const MOST_LIVES = 12

const { values } = parseArgs({ options: {
  runs: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '600' },
  steps: { type: 'string', default: '8' }, kills: { type: 'string', default: '6' },
  write: { type: 'boolean', default: false },
} })
const steps = Number(values.steps)
const until = performance.now() + Number(values.seconds) * 1000
const cache = join(PROJECT, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, 'trial-'))
const worker = join(out, 'proj', 'trials', 'agent-kills', 'worker.mjs')
const random = randomFrom(Number(values.seed))
const figures = {
  runs: 0, kills: 0, killsBy: { native: 0, blocks: 0 }, finished: 0, missing: 0, repeated: 0, unknownOutcomes: 0,
}
let server
try {
  // A copy: a build in the meantime changes nothing of what is tried.
  copySync(join(PROJECT, 'dist'), join(out, 'dist'))
  cpSync(WORKER, worker)
  const { startModelServer, nextAnswer, seen } = await import(await bundle())
  server = await startModelServer()
  while (figures.runs < Number(values.runs) && performance.now() < until) {
    await runOne(figures.runs++ % 2 === 0 ? 'native' : 'blocks', nextAnswer)
  }
  figures.unknownOutcomes = seen.unknown
} finally {
  await server?.close()
  removeSync(out)
}
console.log(JSON.stringify(figures, null, 2))
if (values.write) {
  writeFileSync(RESULTS, `${JSON.stringify({ seed: Number(values.seed), steps, ...figures }, null, 2)}\n`)
}
process.exitCode = figures.missing + figures.repeated === 0 && figures.finished === figures.runs ? 0 : 1

async function runOne(style, nextAnswer) {
  const place = mkdtempSync(join(tmpdir(), 'hermes-trial-'))
  const root = join(place, 'root')
  mkdirSync(root)
  const model = `steps-${figures.runs}`
  server.improvise(model, request => nextAnswer(request, steps, style === 'native'))
  try {
    let code
    for (let life = 0; life < MOST_LIVES && code !== 42; life++) {
      const child = spawn(
        process.execPath, [worker, root, join(place, 'sessions'), server.url, model, style],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      )
      const ended = once(child, 'close')
      // Now and then while it starts, mostly within the first turns after it has; the last lives are left alone.
      if (life < Number(values.kills)) {
        const before = server.requests(model).length
        if (random() > 0.1) while (server.requests(model).length === before && child.exitCode === null) await sleep(5)
        await Promise.race([sleep(random() * 350), ended])
        if (child.exitCode === null && child.kill('SIGKILL')) {
          figures.kills++
          figures.killsBy[style]++
        }
      }
      const [exit] = await ended
      code = exit
    }
    if (code === 42) figures.finished++
    const lines = readLog(root)
    for (let step = 1; step <= steps; step++) {
      const count = lines.filter(line => line === `step-${step}`).length
      if (count === 0) figures.missing++
      if (count > 1) {
        figures.repeated += count - 1
        console.error(`${style}, run ${figures.runs}: step ${step} ${count} times`)
      }
    }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

function readLog(root) {
  try {
    return readFileSync(join(root, 'log'), 'utf8').split('\n')
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

async function bundle() {
  const built = await rolldown({
    cwd: PROJECT, input: join(PROJECT, 'proj', 'trials', 'agent-kills', 'agent-kills-entry.ts'), platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return pathToFileURL(join(out, 'entry.mjs')).href
}
