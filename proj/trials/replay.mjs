/**
 * Replays many transcripts with workers that are killed at random: is each reported exactly once, and none mixed up?
 * Prints the figures as JSON; `--write` keeps them. Also the rate of one and of two workers, where `--rate` is given.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { childrenOf } from './child-processes.mjs'
import { transcript } from './replay-transcript.mjs'

const { values } = parseArgs({ options: {
  transcripts: { type: 'string', default: '2000' }, kills: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  rate: { type: 'string', default: '0' }, write: { type: 'boolean', default: false },
} })
const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'hermes-trial-'))
let state = Number(values.seed)

try {
  const figures = {
    ...await killed(Number(values.transcripts), Number(values.kills)),
    ...(values.rate === '0' ? {} : { rates: rates(Number(values.rate)) }),
  }
  console.log(JSON.stringify(figures, null, 2))
  if (values.write) {
    writeFileSync(new URL('results/replay.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  }
} finally {
  removeSync(directory)
}

async function killed(count, most) {
  const file = join(directory, 't.jsonl')
  writeFileSync(file, Array.from({ length: count }, (_, index) => JSON.stringify(transcript(index))).join('\n'))
  const child = spawn(
    process.execPath, [cli, 'replay', file, '--workers', '2', '--run', 'r', '--output', directory, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TMPDIR: directory } },
  )
  let stdout = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  let isOver = false
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code))).finally(() => (isOver = true))
  let kills = 0
  while (!isOver && kills < most) {
    await sleep(100 + random(400))
    const workers = childrenOf(child.pid)
    const victim = workers[random(workers.length)]
    if (victim === undefined) continue
    try {
      process.kill(victim, 'SIGKILL')
      kills++
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
  }
  const exitCode = await ended
  if (stdout === '') throw new Error(`the replay ended with ${exitCode}`)
  const entries = readdirSync(join(directory, 'r', 'parts')).flatMap((name) => (
    readFileSync(join(directory, 'r', 'parts', name), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line))
  ))
  const ids = new Set(entries.map(({ id }) => id))
  const { transcripts, drifted, errors, counts } = JSON.parse(stdout)
  return {
    transcripts: count, kills, exitCode, reported: entries.length, reportedTwice: entries.length - ids.size,
    lost: count - ids.size, errors, mixedUp: drifted - errors, summed: transcripts, same: counts.same,
    leftBehind: readdirSync(directory).filter((name) => name.startsWith('hermes-')).length,
  }
}

/**
 * Transcripts a second: a bare loop of execute() in one process, no workers, one, and two;
 * small ones and such of 50 ms.
 */
function rates(count) {
  const one = (name, lines, flags) => {
    const file = join(directory, `${name}.jsonl`)
    writeFileSync(file, lines.join('\n'))
    const { durationMs, transcripts } = JSON.parse(execFileSync(
      process.execPath, [cli, 'replay', file, '--json', '--sandbox', 'none', ...flags],
      { maxBuffer: 2 ** 28, encoding: 'utf8' },
    ))
    return Math.round(transcripts / durationMs * 1e5) / 100
  }
  const small = Array.from({ length: count }, (_, index) => JSON.stringify(transcript(index)))
  const burn = 'const end = Date.now() + 50; while (Date.now() < end);'
  const busy = Array.from({ length: Math.ceil(count / 10) }, (_, index) => JSON.stringify({ conversations: [
    { from: 'gpt', value: `<tool_call>${JSON.stringify({
      name: 'exec', arguments: { lang: 'javascript', code: `${burn} console.log(${index})` },
    })}</tool_call>` },
    { from: 'tool', value: `<tool_response>${JSON.stringify({
      success: true, data: { stdout: `${index}\n`, stderr: '', exit_code: 0 },
    })}</tool_response>` },
  ] }))
  return {
    bareLoop: bareLoop(count),
    small: {
      here: one('s', small, []), oneWorker: one('s', small, ['--workers', '1']),
      twoWorkers: one('s', small, ['--workers', '2']),
    },
    busy: { oneWorker: one('b', busy, ['--workers', '1']), twoWorkers: one('b', busy, ['--workers', '2']) },
  }
}

function bareLoop(count) {
  const root = join(directory, 'bare')
  mkdirSync(root)
  const program = `
    import { execute } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)}
    const texts = JSON.parse(process.argv[1])
    const startedAt = performance.now()
    for (const text of texts) await execute(text, { root: ${JSON.stringify(root)} })
    console.log(performance.now() - startedAt)`
  const texts = Array.from({ length: count }, (_, index) => transcript(index).conversations[0].value)
  const shown = execFileSync(
    process.execPath, ['--input-type=module', '-e', program, JSON.stringify(texts.slice(0, 100))], { encoding: 'utf8' },
  )
  return Math.round(Math.min(100, count) / Number(shown) * 1e5) / 100
}

function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return below === 0 ? 0 : Math.floor(state / 2 ** 32 * below)
}
