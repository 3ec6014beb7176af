/**
 * `semantic_search` on questions that were not written here: comments and changelogs of packages against the function
 * that they describe, beside plain BM25 over the same passages and over files, and ripgrep by words. The comments that
 * became questions are taken out of what is searched.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { Hermes } from '../../dist/index.js'
import { fetchPackage } from './semantic/fetch-package.mjs'
import { makeQuestions } from './semantic/make-questions.mjs'
import { plainBm25 } from './semantic/plain-bm25.mjs'
import { ripgrepByWords } from './semantic/ripgrep-by-words.mjs'
import { inRoot } from './support/in-root.mjs'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const { packages } = JSON.parse(readFileSync(new URL('semantic/semantic-packages.json', import.meta.url), 'utf8'))
const VARIANTS = [
  { key: 'bare', words: "without the name's words", target: '≥ 1.05× plain BM25' },
  { key: 'question', words: 'as written', target: '≥ 1.15× plain BM25' },
]
const OTHERS = {
  passages: ['plain BM25 over the same passages', 'the same with stems', 'ripgrep, lines by words'],
  files: ['plain BM25 over the same passages', 'plain BM25 over files', 'ripgrep, files by words'],
}
/** Passages that are looked at. */
const MOST = 100

export default async function run() {
  const directories = new Map()
  try {
    for (const item of packages) directories.set(item, fetchPackage(item))
  } catch (error) {
    console.log(`semantic: passed over, since a package cannot be had: ${error.message}`)
    return []
  }
  const source = await bundle()
  try {
    const asked = []
    for (const item of packages) {
      asked.push(...await inRoot(root => ask(item, directories.get(item), root, source)))
    }
    return ['held-out', 'tuning'].flatMap(set => figures(set, asked.filter(question => question.set === set)))
  } finally {
    source.remove()
  }
}

/** @returns of each question of a package and variant the place of the answer in each ranking; Infinity without one */
async function ask({ name, set, sources }, directory, root, { passagesOf, stem }) {
  const { files, questions } = makeQuestions(directory, new RegExp(sources))
  const passages = []
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    const lines = text.split(/\r?\n/)
    for (const { startLine, endLine } of await passagesOf(path, text)) {
      passages.push({ path, startLine, endLine, text: lines.slice(startLine - 1, endLine).join('\n') })
    }
  }
  const paths = [...files.keys()]
  const texts = passages.map(({ text }) => text)
  const [plain, stemmed] = [plainBm25(texts), plainBm25(texts, stem)]
  const ofFiles = plainBm25([...files.values()])
  const session = new Hermes({ root, gitCommit: false, policy: false })
  const asked = []
  for (const question of questions) {
    for (const { key } of VARIANTS) {
      const text = question[key]
      const ours = await search(session, text)
      const theirs = plain(text).map(at => passages[at])
      const grep = ripgrepByWords(root, text)
      asked.push({
        package: name, set, variant: key,
        passages: [ours, theirs, stemmed(text).map(at => passages[at]), grep.lines.map(asPassage)]
          .map(found => placeOfPassage(question, found)),
        files: [pathsOf(ours), pathsOf(theirs), ofFiles(text).map(at => paths[at]), grep.files]
          .map(found => placeOf(found.indexOf(question.path))),
      })
    }
  }
  await session[Symbol.asyncDispose]?.()
  return asked
}

function asPassage({ path, line }) {
  return { path, startLine: line, endLine: line }
}

function pathsOf(found) {
  return [...new Set(found.map(({ path }) => path))]
}

/** The first passage that holds a line of the function. */
function placeOfPassage({ path, startLine, endLine }, found) {
  return placeOf(found.slice(0, MOST).findIndex(passage => (
    passage.path === path && passage.startLine <= endLine && passage.endLine >= startLine
  )))
}

function placeOf(index) {
  return index === -1 ? Infinity : index + 1
}

async function search(session, query) {
  const call = { name: 'semantic_search', arguments: { query, max_results: MOST } }
  const { results: [result] } = await session.execute(`<tool_call>${JSON.stringify(call)}</tool_call>`)
  if (!result?.success) throw new Error(result?.error ?? 'the call did not run')
  return result.data.results.map(({ path, start_line: startLine, end_line: endLine }) => ({ path, startLine, endLine }))
}

function figures(set, asked) {
  return VARIANTS.flatMap(({ key, words, target }) => {
    const ofVariant = asked.filter(({ variant }) => variant === key)
    return Object.entries(OTHERS).flatMap(([unit, names]) => {
      const rankings = ['ours', ...names].map((_, at) => ofVariant.map(question => question[unit][at]))
      return ['MRR', 'recall@5'].flatMap(measure => names.map((name, at) => ({
        name: `${set}, ${ofVariant.length} questions ${words}, ${unit}: against ${name}`,
        value: mean(rankings[0], measure), unit: measure, against: mean(rankings[at + 1], measure),
        ...set === 'held-out' && measure === 'MRR' && at === 0 && { target },
      })))
    })
  })
}

function mean(places, measure) {
  const values = places.map(place => (measure === 'MRR' ? 1 / place : Number(place <= 5)))
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

async function bundle() {
  const cache = join(PROJECT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const out = mkdtempSync(join(cache, 'bench-'))
  const built = await rolldown({
    cwd: PROJECT, input: fileURLToPath(new URL('semantic/chunks-entry.ts', import.meta.url)), platform: 'node',
    external: [/^node:/, 'typescript', /tree-sitter/],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  // The grammars are looked for beside the code.
  symlinkSync(join(PROJECT, 'dist', 'grammars'), join(out, 'grammars'), 'junction')
  return {
    ...await import(pathToFileURL(join(out, 'entry.mjs')).href),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}
