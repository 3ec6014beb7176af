/** Texts that a model is sent, for `tokens.bench.mjs` to count. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROMPT_DIALECTS, type ExecutionResult } from '../../comp/0-contracts/src/index.js'
import { shamBlock, TOOLSET_NAMES, VerbRegistry } from '../../comp/1-registry/src/registry/index.js'
import { PROMPT_FORMATS, selectPromptVerbs, writePrompt } from '../../comp/1-registry/src/prompt/index.js'
import { renderFeedback, renderReply } from '../../comp/1-reports/src/index.js'
import { execute, VERBS } from '../../comp/5-executor/src/index.js'
import { readConversation } from '../../comp/6-agent/test/agent/support/play-case.js'
import { readGoldens } from '../../test/support/goldens.js'
import { writeTree, type FileTree } from '../../test/support/file-tree.js'

export interface Counted {
  name: string
  text: string
}

/** As long as paths usually are. */
const ROOT = '/home/user/projects/example'

export async function prompts(): Promise<Counted[]> {
  const all = await new VerbRegistry(VERBS).loadAll()
  const choices = [[], ...TOOLSET_NAMES.map((name) => [name])]
  const ofFormats = PROMPT_FORMATS.flatMap((format) => choices.flatMap((toolsets) => {
    const verbs = selectPromptVerbs(all, format, toolsets)
    if (verbs.length === 0) return []
    const { text } = writePrompt({ format, verbs, root: ROOT, notes: toolsets.length > 0 })
    return [{ name: `${format}, ${toolsets[0] ?? 'by default'}`, text }]
  }))
  const ofDialects = PROMPT_DIALECTS.map((dialect) => {
    const verbs = selectPromptVerbs(all, 'tool_call', [], dialect)
    const { text } = writePrompt({ format: 'tool_call', dialect, verbs, root: ROOT })
    return { name: `dialect ${dialect}, by default`, text }
  })
  return [...ofFormats, ...ofDialects]
}

export interface Fault {
  name: string
  /** The answer, what is sent back by `--feedback` and by `--reply`, and the second answer, of the failed blocks. */
  answer: string
  feedback: string
  reply: string
  mended: string
}

/** Each class of fault of the repair corpus, its first answer run in what the case has before. */
export async function faults(corpus: URL): Promise<Fault[]> {
  const found: Fault[] = []
  for (const golden of readGoldens(corpus)) {
    const { before, exchanges } = readConversation(golden)
    const [answer, second] = exchanges[0]?.answers ?? []
    const text = answer?.text ?? ''
    const result = await inFresh(before, (root) => run(text, root))
    found.push({
      name: golden.name, answer: text, feedback: renderFeedback(result), reply: renderReply(result),
      mended: second?.text ?? '',
    })
  }
  return found
}

export interface Reading extends Counted {
  /** By the budget: what is sent back within it. */
  replies: Record<number, string>
}

/** Answers that mostly read the project itself. */
export async function readings(project: string, budgets: readonly number[]): Promise<Reading[]> {
  const place = (path: string): string => join(project, path)
  const read = (path: string): [string, Record<string, unknown>] => ['file_read', { path: place(path) }]
  const answers: Record<string, readonly (readonly [string, Record<string, unknown>])[]> = {
    'one source file': [read('proj/comp/1-reading/src/index.ts')],
    'three source files': ['scenario', 'write-prompt', 'formats'].map((name) => (
      read(`proj/comp/1-registry/src/prompt/${name}.ts`)
    )),
    'ten source files': TEN.map((path) => read(`proj/comp/1-registry/src/registry/${path}.ts`)),
    'a long page': [read('docs/verbs.md')],
    'some lines of a long page': [['file_read_numbered', { path: place('docs/verbs.md'), lines: '100-220' }]],
    'a file of data': [read('package-lock.json')],
    'a search with many matches': [['grep', { pattern: 'export', path: place('proj/comp/1-registry/src') }]],
    'files by a pattern': [['glob', { pattern: '**/*.ts', base_path: place('proj/comp') }]],
    'listings of directories': ['', 'proj', 'proj/comp', 'docs'].map((path) => ['ls', { path: place(path) }] as const),
    'a search, two files and a command': [
      ['grep', { pattern: 'tokens', path: place('proj/comp/1-reports/src/reply') }],
      read('proj/comp/1-reports/src/reply/share-room.ts'), read('README.md'),
      ['exec', { lang: 'bash', code: 'seq 1 4000' }],
    ],
  }
  const found: Reading[] = []
  for (const [name, calls] of Object.entries(answers)) {
    const text = calls.map(([verb, args], index) => shamBlock(`r${index}x`, verb, args)).join('\n\n')
    // What hermes keeps of a run is kept elsewhere.
    const result = await inFresh({}, (root) => run(text, root, [project]))
    if (!result.success) throw new Error(`${name}: ${JSON.stringify(result.results.find(({ success }) => !success))}`)
    found.push({
      name, text, replies: Object.fromEntries(budgets.map((tokens) => [tokens, renderReply(result, { tokens })])),
    })
  }
  return found
}

const TEN = [
  'call-error', 'idl', 'json-schema', 'parameters', 'path-format', 'tool-definitions', 'toolsets', 'type-words',
  'validate-call', 'verb-registry',
]

async function run(text: string, root: string, allow: string[] = []): Promise<ExecutionResult> {
  return execute(text, { root, allow, relativePaths: true, sandbox: 'none', policy: false, gitCommit: false })
}

async function inFresh<Result>(before: FileTree, act: (root: string) => Promise<Result>): Promise<Result> {
  const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
  try {
    writeTree(root, before)
    return await act(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
