/**
 * Coverage-guided fuzzing of scanner, parsers, executor (dry run), path gate, policy files and the recogniser of
 * dangerous commands. Texts that reach new code are kept and changed further. Every text has to keep the promises of
 * fuzz-entry.ts; one that takes over 10 s counts as a hang, one over 2 s as slow.
 *
 * Usage: node proj/trials/fuzz.mjs [--seconds N] [--seed N] [--write]
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'
import { WORDS } from './fuzz-words.mjs'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const RESULTS = new URL('./results/fuzz.json', import.meta.url)
const TARGETS = ['parse', 'envelope', 'execute', 'gate', 'config', 'command']
const HANG_MS = 10_000
const MOST_REPORTED = 20

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const MOST_MORE_MS = 60_000
const deadline = performance.now() + Number(values.seconds) * 1000
const figures = {
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  texts: Object.fromEntries(TARGETS.map((name) => [name, 0])),
  keptTexts: {},
  coveredPlaces: 0,
  crashes: 0,
  hangs: 0,
  broken: 0,
  slow: 0,
}
const found = []

const cache = join(PROJECT, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const out = mkdtempSync(join(cache, 'trial-'))
const work = mkdtempSync(join(tmpdir(), 'hermes-fuzz-'))
try {
  const entry = await bundle()
  for (let round = 0; !isOver(); round++) await fuzz(entry, round)
} finally {
  removeSync(out)
  removeSync(work)
}
console.log(JSON.stringify(figures, null, 2))
for (const one of found) console.error(JSON.stringify(one))
if (values.write) writeFileSync(RESULTS, `${JSON.stringify(figures, null, 2)}\n`)
process.exitCode = figures.crashes + figures.hangs + figures.broken + figures.slow === 0 ? 0 : 1

/** A busy machine gets more time, until each target had some texts. */
function isOver() {
  if (performance.now() < deadline) return false
  return Object.values(figures.texts).every((texts) => texts > 0) || performance.now() >= deadline + MOST_MORE_MS
}

async function bundle() {
  const built = await rolldown({
    cwd: PROJECT,
    input: join(PROJECT, 'proj', 'trials', 'fuzz-entry.ts'),
    platform: 'node',
    external: [/^node:/, 'typescript', /ripgrep/],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] },
    logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return pathToFileURL(join(out, 'entry.mjs')).href
}

/** Until the time is over, or a text hangs; then the next round begins with another seed. */
async function fuzz(entry, round) {
  const shared = new SharedArrayBuffer(8 + 2 * 20_100)
  const worker = new Worker(new URL('./fuzz-worker.mjs', import.meta.url), {
    workerData: {
      entry,
      directory: join(work, `round-${round}`),
      seed: Number(values.seed) + round * 7919,
      seeds: seedTexts(),
      words: WORDS,
      shared,
    },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  worker.on('message', ({ done, texts, places, kept, kind, name, text, message, took }) => {
    if (done !== undefined) {
      figures.texts[done] += texts
      figures.coveredPlaces += places
      figures.keptTexts[done] = kept
      return
    }
    count(kind, { name, message, took, text })
  })
  const beat = new Int32Array(shared, 0, 2)
  const died = new Promise((resolve) => {
    worker.on('error', (error) => resolve(error))
    worker.on('exit', () => resolve(undefined))
  })
  let last = -1
  let since = performance.now()
  for (;;) {
    const end = await Promise.race([
      died.then((error) => ({ error })),
      new Promise((resolve) => setTimeout(resolve, 200)),
    ])
    if (end) return count('crash', { name: TARGETS[beat[1]], message: String(end.error), text: textIn(shared) })
    if (isOver()) break
    if (Atomics.load(beat, 0) !== last) {
      last = Atomics.load(beat, 0)
      since = performance.now()
    } else if (last > 0 && performance.now() - since > HANG_MS) {
      count('hang', { name: TARGETS[beat[1]], text: textIn(shared) })
      break
    }
  }
  await worker.terminate()
}

function count(kind, one) {
  figures[{ crash: 'crashes', hang: 'hangs', broken: 'broken', slow: 'slow' }[kind]]++
  if (found.length < MOST_REPORTED) found.push({ kind, ...one })
}

function textIn(shared) {
  const units = new Uint16Array(shared, 8)
  return String.fromCharCode(...units.slice(1, 1 + units[0]))
}

/** Of every component's test data, in pieces. */
function seedTexts() {
  const files = readdirSync(join(PROJECT, 'proj', 'comp'), { recursive: true })
    .map(String)
    .filter((name) => /[\\/]test-data[\\/]/.test(name) && ['.md', '.json', '.jsonl', '.yaml'].includes(extname(name)))
    .sort()
  const pieces = files.flatMap((name) => {
    const text = readFileSync(join(PROJECT, 'proj', 'comp', name), 'utf8').slice(0, 200_000)
    return (text.match(/[^]{1,3000}(?:\n|$)/g) ?? []).slice(0, 8).map((piece) => ({ name, piece }))
  })
  const commands = files
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) =>
      readFileSync(join(PROJECT, 'proj', 'comp', name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).run ?? line),
    )
  const of = (pattern) =>
    pieces
      .filter(({ name }) => pattern.test(name))
      .map(({ piece }) => piece)
      .slice(0, 150)
  return {
    parse: of(/reading|executor|cli/),
    execute: of(/executor|verb-files|cli/),
    envelope: of(/reading|registry/),
    gate: WORDS.gate,
    config: [...of(/config/), 'sandbox: auto\nverbs: {exec: ask}\nlimits: {file_size: 10MB}\ndeny: ["*.pem"]\n'],
    command: commands,
  }
}
