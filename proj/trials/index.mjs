/**
 * Whether answers from the index of code are those of a fresh build, whatever happens to it: processes that build it
 * are killed at any moment, two build at once, and files change in all ways between questions of one session.
 *
 * Usage: node proj/trials/index.mjs [--files N] [--kills N] [--pairs N] [--edits N] [--seed N] [--write]
 */
import { spawn } from 'node:child_process'
import {
  cpSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, statSync, utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { removeSync } from 'fs-extra/esm'
import { VerbExecutor } from '../../dist/index.js'
import { ask } from './index/ask.mjs'
import { Tree } from './index/tree.mjs'
import { randomFrom } from './random.mjs'

const { values } = parseArgs({ options: {
  files: { type: 'string', default: '600' },
  kills: { type: 'string', default: '30' },
  pairs: { type: 'string', default: '5' },
  edits: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  write: { type: 'boolean', default: false },
} })
const seed = Number(values.seed)
const next = randomFrom(seed)
const QUERY = fileURLToPath(new URL('./index/query.mjs', import.meta.url))
/** What may happen to a file. */
const EDITS = {
  change: (tree) => tree.write(tree.pick(tree.files)),
  'change just now': (tree) => tree.write(tree.pick(tree.files), true),
  'change, and change again at the same time and size': (tree, root) => {
    const path = join(root, tree.pick(tree.files))
    const source = readFileSync(path, 'utf8')
    const { mtime } = statSync(path)
    writeFileSync(path, source.replace('server', 'plan__').replace('client', 'server'))
    utimesSync(path, mtime, mtime)
  },
  add: (tree) => {
    tree.files.push(`p0/added${Math.floor(next() * 1e9)}.py`)
    tree.write(tree.files.at(-1))
  },
  remove: (tree, root) => {
    if (tree.files.length < 20) return
    const [path] = tree.files.splice(Math.floor(next() * tree.files.length), 1)
    rmSync(join(root, path))
  },
  rename: (tree, root) => {
    const at = Math.floor(next() * tree.files.length)
    const renamed = `p1/renamed${Math.floor(next() * 1e9)}${tree.files[at].slice(-3)}`
    renameSync(join(root, tree.files[at]), join(root, renamed))
    tree.files[at] = renamed
  },
  'ignore and no more': (tree, root) => writeFileSync(
    join(root, '.gitignore'), next() < 0.5 ? '' : `${tree.pick(tree.files)}\n`,
  ),
}

const work = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-trial-')))
try {
  const figures = { seed, files: Number(values.files), ...await kills(), ...await pairs(), ...await edits() }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
  if (values.write) {
    writeFileSync(new URL('./results/index.json', import.meta.url), `${JSON.stringify(figures, null, 2)}\n`)
  }
  if (figures.wrongAfterKill + figures.wrongInPairs + figures.wrongAfterEdit > 0) process.exitCode = 1
} finally {
  removeSync(work)
}

/** Of 30 processes that build the index each is killed; then another answers. */
async function kills() {
  const root = join(work, 'kills')
  const tree = new Tree(root, next)
  tree.plant(Number(values.files))
  const names = Array.from({ length: 5 }, () => tree.name())
  const wanted = await fresh(root, names)
  const start = performance.now()
  await query(root, names)
  const buildMs = performance.now() - start
  const figures = { kills: 0, ended: 0, wrongAfterKill: 0 }
  // Some have ended before their time comes.
  const wantedKills = Number(values.kills)
  for (let round = 0; figures.kills < wantedKills && round < 4 * wantedKills; round++) {
    removeSync(join(root, '.hermes'))
    const child = spawn(process.execPath, [QUERY, root, ...names], { stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    // Most of it is parsing; what is written comes at the end.
    await setTimeout(buildMs * (round % 2 === 0 ? next() : 0.7 + 0.4 * next()))
    child.kill('SIGKILL')
    if (await ended === 'SIGKILL') figures.kills++
    else figures.ended++
    const { answers } = JSON.parse(await query(root, names))
    if (JSON.stringify(answers) !== wanted) figures.wrongAfterKill++
  }
  return figures
}

/** Two build at once, and a third reads what they left. */
async function pairs() {
  const root = join(work, 'pairs')
  const tree = new Tree(root, next)
  tree.plant(Math.min(Number(values.files), 300))
  const figures = { pairs: Number(values.pairs), wrongInPairs: 0 }
  for (let round = 0; round < figures.pairs; round++) {
    const names = Array.from({ length: 3 }, () => tree.name())
    for (let change = 0; change < 40; change++) tree.write(tree.pick(tree.files))
    const wanted = await fresh(root, names)
    const both = await Promise.all([query(root, names), query(root, names)])
    for (const output of [...both, await query(root, names)]) {
      if (JSON.stringify(JSON.parse(output).answers) !== wanted) figures.wrongInPairs++
    }
  }
  return figures
}

/** Files change between the questions of one session. */
async function edits() {
  const root = join(work, 'edits')
  const tree = new Tree(root, next)
  tree.plant(60, 10)
  let session = new VerbExecutor({ root })
  const figures = { edits: Number(values.edits), wrongAfterEdit: 0, kinds: {} }
  for (let round = 0; round < figures.edits; round++) {
    const kind = tree.pick(Object.keys(EDITS))
    figures.kinds[kind] = (figures.kinds[kind] ?? 0) + 1
    EDITS[kind](tree, root)
    if (next() < 0.1) session = new VerbExecutor({ root })
    const name = tree.name()
    if (JSON.stringify([await ask(session, name)]) !== await fresh(root, [name])) figures.wrongAfterEdit++
  }
  return figures
}

/** What a build from nothing answers, in a copy that has never been asked. */
async function fresh(root, names) {
  const copy = mkdtempSync(join(work, 'fresh-'))
  cpSync(root, copy, { recursive: true, filter: (path) => !path.includes('.hermes') })
  const executor = new VerbExecutor({ root: copy })
  const answers = []
  for (const name of names) answers.push(await ask(executor, name))
  removeSync(copy)
  return JSON.stringify(answers)
}

async function query(root, names) {
  const child = spawn(process.execPath, [QUERY, root, ...names], { stdio: ['ignore', 'pipe', 'inherit'] })
  return text(child.stdout)
}
