/**
 * How well `semantic_search` finds what people look for: recall and mean reciprocal rank over the labelled queries of
 * proj/comp/4-verb-find/test-data/semantic/relevance.cases.json, in a copy of this repository's proj/, against counting
 * the query's words in each file. Writes proj/trials/results/semantic.json.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { cases } = JSON.parse(read('proj/comp/4-verb-find/test-data/semantic/relevance.cases.json'))
/** They hold the queries themselves; packages would only take time. */
const LEFT_OUT = /^proj\/(?:trials|node_modules|comp\/4-verb-find\/(?:test|test-data)\/semantic)(?:\/|$)/
const STOP_WORDS = new Set(
  [
    'a all an and are at by from how in into is it its like no not',
    'of on or that the to was what when where which with without',
  ].flatMap((words) => words.split(' ')),
)

const bundled = mkdtempSync(join(root, 'node_modules', '.trial-'))
const copy = mkdtempSync(join(tmpdir(), 'hermes-trial-'))
try {
  const keep = (source) => !LEFT_OUT.test(relative(root, source).replaceAll('\\', '/'))
  cpSync(join(root, 'proj'), join(copy, 'proj'), { recursive: true, preserveTimestamps: true, filter: keep })
  const { Hermes } = await bundle()
  const session = new Hermes({ root: copy, gitCommit: false })
  const report = await measure(session)
  writeFileSync(join(root, 'proj', 'trials', 'results', 'semantic.json'), `${JSON.stringify(report, null, 2)}\n`)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
} finally {
  removeSync(bundled)
  removeSync(copy)
}

async function measure(session) {
  const files = filesBelow(copy)
  const startedAt = performance.now()
  const first = await ask(session, cases[0].query)
  const indexMs = performance.now() - startedAt
  const searchedAt = performance.now()
  const found = []
  for (const item of cases) found.push({ ...item, passages: (await ask(session, item.query)).results })
  const searchMs = (performance.now() - searchedAt) / cases.length
  return {
    queries: cases.length,
    files: first.indexed_files,
    first_search_ms: Math.round(indexMs),
    next_search_ms: Math.round(searchMs),
    ...Object.fromEntries(
      ['tune', 'report'].map((set) => [
        set,
        figures(
          found.filter((item) => item.set === set),
          files,
        ),
      ]),
    ),
    missed: found.filter((item) => placeOf(item, filesOf(item.passages)) > 5).map((item) => item.query),
  }
}

function figures(found, files) {
  const symbols = found.filter(({ symbol }) => symbol !== undefined)
  return {
    queries: found.length,
    semantic_search: scores(found.map((item) => placeOf(item, filesOf(item.passages)))),
    semantic_search_symbols: scores(symbols.map((item) => placeOfSymbol(item))),
    word_count: scores(found.map((item) => placeOf(item, byCount(item.query, files, false)))),
    words_then_count: scores(found.map((item) => placeOf(item, byCount(item.query, files, true)))),
  }
}

function scores(places) {
  const mean = (values) => Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3))
  return {
    recall_at_1: mean(places.map((place) => Number(place <= 1))),
    recall_at_5: mean(places.map((place) => Number(place <= 5))),
    mrr: mean(places.map((place) => 1 / place)),
  }
}

/** From 1; Infinity where it is not among them. */
function placeOf({ path, also = [] }, paths) {
  const at = paths.findIndex((candidate) => candidate === path || also.includes(candidate))
  return at === -1 ? Infinity : at + 1
}

function placeOfSymbol({ path, symbol, passages }) {
  const at = passages.findIndex(
    (passage) => passage.path === path && (passage.symbol ?? '').split('.').includes(symbol),
  )
  return at === -1 ? Infinity : at + 1
}

function filesOf(passages) {
  return [...new Set(passages.map(({ path }) => path))]
}

/** What one would do with grep: files by how often the words of the query stand in them. */
function byCount(query, files, distinctFirst) {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
  return files
    .map(({ path, text }) => ({ path, counts: words.map((word) => text.split(word).length - 1) }))
    .map(({ path, counts }) => ({
      path,
      distinct: distinctFirst ? counts.filter((count) => count > 0).length : 0,
      total: counts.reduce((sum, count) => sum + count, 0),
    }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.distinct - a.distinct || b.total - a.total || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path)
}

function filesBelow(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.hermes'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .map((path) => ({ path, text: readFileSync(join(directory, path), 'utf8').toLowerCase() }))
}

async function ask(session, query) {
  const call = { name: 'semantic_search', arguments: { query, max_results: 100 } }
  const {
    results: [result],
  } = await session.execute(`<tool_call>${JSON.stringify(call)}</tool_call>`)
  if (!result?.success) throw new Error(result?.error ?? 'the call did not run')
  return result.data
}

/** The sources as one can import them, packages left where they are. */
async function bundle() {
  const build = await rolldown({
    input: join(root, 'proj', 'src', 'index.ts'),
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'silent',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  })
  await build.write({ dir: bundled, format: 'esm', entryFileNames: 'index.js' })
  await build.close()
  // The grammars are looked for beside the code.
  symlinkSync(join(root, 'dist', 'grammars'), join(bundled, 'grammars'), 'junction')
  return import(pathToFileURL(join(bundled, 'index.js')).href)
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}
