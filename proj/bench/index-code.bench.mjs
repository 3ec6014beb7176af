/**
 * `find_symbol` over the index of code against `ctags -R`, which makes the same for definitions, and `rg -w`, which
 * finds the name as a word: on Python's standard library and on a synthetic tree of 20,000 files.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { rgPath } from '@vscode/ripgrep'
import { randomFrom } from '../trials/random.mjs'
import { Tree } from '../trials/index/tree.mjs'
import { VerbExecutor } from '../../dist/index.js'

const QUERY = fileURLToPath(new URL('../trials/index/query.mjs', import.meta.url))
const RUNS = 7
const PYTHON_FILES = 1400

export default async function run() {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')))
  try {
    return [...await python(work), ...await synthetic(work)]
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function python(work) {
  const library = outputOf('python3', ['-c', 'import os; print(os.path.dirname(os.__file__))'])?.trim()
  if (library === undefined) return skipped('Python files: there is no python3 here')
  const root = join(work, 'python')
  mkdirSync(root)
  const found = readdirSync(library, { recursive: true })
    .filter((path) => path.endsWith('.py') && !/site-packages|dist-packages/.test(path)).sort()
  // Its tests are as much again; taken are those that come first.
  const own = [...found.filter((path) => !/(?:^|\/)tests?\//.test(path)), ...found.filter((path) => /(?:^|\/)tests?\//.test(path))]
  let bytes = 0
  for (const path of own.slice(0, PYTHON_FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    // Their times as they are: what was written just now has to be read again.
    cpSync(realpathSync(join(library, path)), join(root, path), { preserveTimestamps: true })
    bytes += statSync(join(root, path)).size
  }
  const what = `${Math.min(own.length, PYTHON_FILES)} files of Python, ${Math.round(bytes / 1e6)} MB`
  return measured(root, what, 'Python', ['Thread', 'result'], {
    cold: '≤ 6 s', session: '< 50 ms', process: '< 300 ms',
  })
}

async function synthetic(work) {
  const root = join(work, 'synthetic')
  new Tree(root, randomFrom(7)).plant(20_000)
  return measured(root, '20,000 files', 'Python,TypeScript', ['server_token'], {
    session: '< 300 ms', process: '< 1 s',
  })
}

async function measured(root, what, languages, names, promise) {
  const [name] = names
  const ctags = await ctagsTime(root, languages)
  const cold = await timed(() => query(root, '--definitions', name))
  const { maxRssKb } = JSON.parse(cold.output)
  const warm = await medianOf(() => query(root, '--definitions', name))
  const uses = await medianOf(() => query(root, name))
  const figures = [
    { name: `${what}: built, and asked for a name`, value: cold.ms, unit: 'ms', ...against(ctags), target: promise.cold },
    { name: `${what}: memory of that process`, value: maxRssKb / 1024, unit: 'MB' },
    { name: `${what}: index on disk`, value: sizeOf(join(root, '.hermes', 'index')) / 1e6, unit: 'MB' },
    {
      name: `${what}: another process`, value: warm, unit: 'ms', against: await medianOf(() => ripgrep(root, name)),
      target: promise.process,
    },
    { name: `${what}: another process, with uses`, value: uses, unit: 'ms' },
  ]
  const executor = new VerbExecutor({ root })
  for (const asked of names) {
    const ask = () => executor.execute({ verb: 'find_symbol', arguments: { symbol_name: asked } })
    await ask()
    figures.push({
      name: `${what}: one session, ${asked}`, value: await medianOf(ask), unit: 'ms',
      against: await medianOf(() => ripgrep(root, asked)), target: promise.session,
    })
  }
  const ask = () => executor.execute({ verb: 'find_symbol', arguments: { symbol_name: 'pars', match: 'substring' } })
  await ask()
  figures.push({ name: `${what}: one session, names that hold pars`, value: await medianOf(ask), unit: 'ms' })
  return figures
}

function against(value) {
  return value === undefined ? {} : { against: value }
}

async function ctagsTime(root, languages) {
  if (!outputOf('ctags', ['--version'])?.includes('Universal Ctags')) {
    skipped('ctags: universal-ctags is not installed')
    return undefined
  }
  const { ms } = await timed(() => output('ctags', ['-R', `--languages=${languages}`, '--fields=+ne', '-f', '-', root]))
  return ms
}

function skipped(why) {
  process.stderr.write(`Left out: ${why}\n`)
  return []
}

async function ripgrep(root, name) {
  return output(rgPath, ['--no-config', '-w', '-n', name, root])
}

async function query(root, ...words) {
  return output(process.execPath, [QUERY, root, ...words])
}

async function output(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return text(child.stdout)
}

function outputOf(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    if (error.code === 'ENOENT' || error.status !== undefined) return undefined
    throw error
  }
}

function sizeOf(directory) {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
}

async function timed(task) {
  const start = performance.now()
  const result = await task()
  return { ms: performance.now() - start, output: result }
}

async function medianOf(task) {
  const times = []
  for (let round = 0; round < RUNS; round++) times.push((await timed(task)).ms)
  return times.sort((a, b) => a - b)[RUNS >> 1]
}
