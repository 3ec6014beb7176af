import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import type { ExecutorOptions } from '../../comp/5-executor/src/executor/index.js'
import { isState } from './file-tree.js'
import { type GoldenCase, readGoldens } from './goldens.js'
import { bigText } from './big-text.js'

/** A file with the mode that decides whether it can be executed. */
export interface CaseFile {
  text: string
  executable: boolean
}
export type CaseTree = Record<string, CaseFile>

/** One answer of a case of `test-data/edits`; its README says how they are written. */
export interface EditCase {
  /** With the format of the answer. */
  name: string
  group: string
  answer: string
  options: ExecutorOptions
  before: CaseTree
  /** The whole tree. */
  after: CaseTree
  /** Lines of the `results` fence. */
  results: string[]
}

export function readEditCases(file: URL): EditCase[] {
  return readGoldens(file).flatMap(casesOf)
}

interface Fence {
  /** First word of the info string. */
  language: string
  kind: string
  words: string[]
  body: string
}

function casesOf(golden: GoldenCase): EditCase[] {
  const fences = golden.fences.map(({ info, body }): Fence => {
    const [language = '', kind = '', ...words] = info.split(' ')
    return { language, kind, words, body }
  })
  const answers = fences.filter(({ kind }) => kind === 'answer')
  const before = treeOf(fences, 'before')
  const gone = fences.filter(({ kind }) => kind === 'deleted').flatMap(({ body }) => body.split('\n'))
  const kept = Object.entries(before).filter(([path]) => !gone.includes(path))
  const after = { ...Object.fromEntries(kept), ...treeOf(fences, 'after') }
  const [options] = fences.filter(({ kind }) => kind === 'options')
    .map(({ body }) => JSON.parse(body) as ExecutorOptions)
  return answers.map((fence) => {
    const lists = fences.filter(({ kind }) => kind === 'results')
    const own = lists.find(({ words }) => words.includes(fence.language))
      ?? lists.find(({ words }) => words.length === 0)
    if (!own) throw new Error(`${golden.name}: no results for ${fence.language}`)
    const name = `${golden.name} (${fence.language})`
    const results = own.body === '' ? [] : own.body.split('\n')
    return { name, group: golden.group, answer: textOf(fence), options: options ?? {}, before, after, results }
  })
}

function treeOf(fences: readonly Fence[], wanted: string): CaseTree {
  const files = fences.filter(({ kind }) => kind === wanted).map((fence): [string, CaseFile] => {
    const [path = '', ...words] = fence.words
    const text = fence.language === 'recipe' ? bigText(fence.body) : textOf(fence)
    return [path.replaceAll('\u2420', ' '), { text, executable: words.includes('executable') }]
  })
  return Object.fromEntries(files)
}

/** The marks of the README in place of what cannot be seen. */
function textOf({ body, words }: Fence): string {
  const isOpen = body.endsWith('⟨end⟩')
  const whole = body === '' || isOpen ? body.replace(/⟨end⟩$/, '') : `${body}\n`
  const text = words.includes('crlf') ? whole.replaceAll('\n', '\r\n') : whole
  return text
    .replaceAll('\u2420', ' ')
    .replaceAll('\u2409', '\t')
    .replaceAll('\u240d', '\r')
    .replace(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
}

export function plantCase(root: string, tree: CaseTree): void {
  mkdirSync(root, { recursive: true })
  for (const [path, { text, executable }] of Object.entries(tree)) {
    outputFileSync(join(root, path), text)
    if (executable) chmodSync(join(root, path), 0o755)
  }
}

export function foundCase(root: string): CaseTree {
  const tree: CaseTree = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(root, file).split(sep).join('/')
    if (isState(path) || !entry.isFile()) continue
    tree[path] = { text: readFileSync(file, 'utf8'), executable: (statSync(file).mode & 0o100) !== 0 }
  }
  return tree
}
