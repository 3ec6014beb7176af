/** `search_files` against ripgrep itself on 20,000 files, and patterns that hang backtracking engines on long lines. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { VerbExecutor } from '../../dist/index.js'

const DIRECTORIES = 400
const FILES_EACH = 50
const LINES_EACH = 60
const RUNS = 15
const WORDS = 'const value return await import path file name error result index length string number open close'
  .split(' ')
const QUERIES = [
  ['a word in 40 files', { query: 'needle' }],
  ['a regular expression', { query: 'needle\\w+ = \\d{3}', regex: true, case_sensitive: true }],
  ['a text that is nowhere', { query: 'nowhere to be found' }],
  ['a word in 150 files, of which 100 are wanted', { query: 'seldom' }],
  ['a word in every file, of which 100 are wanted (rg prints all)', { query: 'return await' }],
  ['in a subdirectory under a .gitignore', { query: 'needle', path: 'd1' }],
]
const HARD = ['(a+)+$', '(a|a)*b', '(.*a){25}', '(.*a){25}b', '(a?){25}a{25}', '^(([a-z])+.)+[A-Z]([a-z])+$']

export default async function run() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bench-')))
  try {
    plant(root)
    return [...await compare(root), ...await hardPatterns(root)]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function compare(root) {
  const executor = new VerbExecutor({ root })
  const figures = []
  for (const [name, args] of QUERIES) {
    const [ours, theirs] = [[], []]
    for (let round = 0; round <= RUNS; round++) {
      theirs.push(await timed(() => ripgrep(join(root, args.path ?? ''), args)))
      ours.push(await timed(() => search(executor, args)))
    }
    // The first of each warms up.
    const [value, against] = [median(ours.slice(1)), median(theirs.slice(1))]
    const files = DIRECTORIES * FILES_EACH
    figures.push({ name: `${files} files: ${name}`, value, unit: 'ms', against, target: '≤ 2× rg' })
  }
  return figures
}

async function hardPatterns(root) {
  const directory = join(root, 'long')
  mkdirSync(directory)
  writeFileSync(join(directory, 'as.txt'), 'a'.repeat(1_000_000))
  writeFileSync(join(directory, 'as-and-more.txt'), `${'a'.repeat(1_000_000)}!`)
  const figures = []
  for (const [engine, dryRun] of [['rg', false], ['re2js', true]]) {
    const executor = new VerbExecutor({ root, dryRun })
    const find = query => search(executor, { query, path: 'long', regex: true })
    await find('b')
    for (const query of HARD) {
      const value = await timed(() => find(query))
      figures.push({ name: `two lines of 1 MB, ${engine}: ${query}`, value, unit: 'ms' })
    }
  }
  return figures
}

async function search(executor, args) {
  const result = JSON.parse(await executor.execute({ verb: 'search_files', arguments: args }))
  if (!result.succeeded) throw new Error(result.errorMessage)
}

/** As a person would call it; its whole output is read. */
function ripgrep(directory, { query, regex = false, case_sensitive = false }) {
  const flags = ['--no-config', '--line-number', '--column', '--no-heading', '--hidden', '--glob=!.git']
  if (!regex) flags.push('--fixed-strings')
  if (!case_sensitive) flags.push('--ignore-case')
  const child = spawn(rgPath, [...flags, '-e', query, '.'], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
}

/** Directories of source-like files from a fixed seed; some more that `.gitignore` excludes. */
function plant(root) {
  const next = randomNumbers(20_251_122)
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.gitignore'), 'build/\n*.log\n')
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    const path = join(root, `d${directory % 20}`, `e${directory}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(path, `f${file}.ts`), source(next))
    mkdirSync(join(path, 'build'))
    writeFileSync(join(path, 'build/out.js'), source(next))
  }
}

function source(next) {
  const lines = Array.from({ length: LINES_EACH }, () => {
    const words = Array.from({ length: 8 }, () => WORDS[Math.floor(next() * WORDS.length)])
    return words.join(' ')
  })
  lines[3] = '  return await value'
  if (next() < 0.002) lines[10] = `const needle${Math.floor(next() * 1000)} = ${100 + Math.floor(next() * 900)}`
  if (next() < 0.0075) lines[20] = 'and seldom more'
  return lines.join('\n')
}

/** Mulberry32: the same numbers every time. */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

async function timed(task) {
  const start = performance.now()
  await task()
  return performance.now() - start
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
