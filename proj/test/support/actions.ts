import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionResult } from '../../comp/0-contracts/src/index.js'
import { CodeFences } from '../../comp/1-reading/src/index.js'
import { Hermes, type ExecutorOptions } from '../../comp/5-executor/src/executor/index.js'
import { foundTree, plantTree } from '../../comp/5-executor/test/executor/trees.js'
import { readGoldens } from './goldens.js'
import { tempDir } from './temp-dir.js'

/** What stands in the root that every action finds. */
const ROOT: Readonly<Record<string, string>> = {
  'src/app.ts': "const port = 3000\nconst host = 'localhost'\nexport { port, host }\n",
  'old.txt': 'old\n',
}
const NOTES = '# Notes\n\nShip "it" & rest <now>\n'
const APP = ROOT['src/app.ts'] ?? ''

/** What the actions ask for: files as they are then (`null`: none), or a text that the results must hold. */
const TASKS: Readonly<Record<string, { files?: Readonly<Record<string, string | null>>; says?: string }>> = {
  create: { files: { 'notes.md': NOTES } },
  edit: { files: { 'src/app.ts': APP.replace('3000', '8080') } },
  insert: { files: { 'src/app.ts': `// settings\n${APP}` } },
  delete: { files: { 'old.txt': null } },
  move: { files: { 'old.txt': null, 'new.txt': 'old\n' } },
  run: { files: { 'made.txt': 'made' } },
  read: { says: 'const port = 3000' },
  list: { says: 'app.ts' },
  search: { says: 'port = 3000' },
  none: {},
}

/** The ways in which each action is run. */
const WAYS = { default: {}, auto: { editFormats: ['auto'], mapping: 'auto' } } as const satisfies Record<
  string, Pick<ExecutorOptions, 'editFormats' | 'mapping'>
>
export type Way = keyof typeof WAYS

export interface Action {
  file: string
  family: string
  task: string
  name: string
  text: string
  found: Record<Way, string>
  /** What is told of it where it is not done with `auto`. */
  why: string
}

const DATA = new URL('../../../test-data/actions/', import.meta.url)

export function actionFiles(): URL[] {
  return readdirSync(DATA).filter((name) => name.endsWith('.cases.md')).map((name) => new URL(name, DATA))
}

/** Runs each action of the corpus in a directory of its own, in each way. */
export async function runActions(): Promise<Action[]> {
  const actions: Action[] = []
  for (const file of actionFiles()) {
    for (const { name: heading, group: family, fences } of readGoldens(file)) {
      const [task = '', name = ''] = heading.split(/: (.*)/s)
      const text = `${fences[0]?.body ?? ''}\n`
      const normal = await outcome(task, text, 'default')
      const auto = await outcome(task, text, 'auto')
      actions.push({
        file: file.pathname, family, task, name, text, why: auto.why,
        found: { default: normal.found, auto: auto.found },
      })
    }
  }
  return actions
}

async function outcome(task: string, text: string, way: Way): Promise<{ found: string; why: string }> {
  const wanted = TASKS[task]
  if (!wanted) throw new Error(`unknown task ${task}; known: ${Object.keys(TASKS).join(', ')}`)
  const root = join(tempDir(), 'project')
  plantTree(root, ROOT)
  await using hermes = new Hermes({
    root, rootAliases: ['/workspace'], relativePaths: true, policy: false, sandbox: 'none', gitCommit: false,
    ...WAYS[way],
  })
  const result = await hermes.execute(text)
  const change = isChange(foundTree(root), wanted.files ?? {})
  const told = accounts(result, text)
  const first = result.parseErrors[0]?.error.hint ?? result.results.find(({ success }) => !success)?.hint
    ?? result.skipped[0]?.reason ?? ''
  return { found: judged(result, told, change, wanted.says), why: first }
}

function judged(result: ExecutionResult, told: readonly string[], change: Change, says: string | undefined): string {
  const ran = result.results.filter(({ success }) => success)
  const verbs = ran.flatMap(({ action, ranAs, hint = '' }) => (
    hint.startsWith('Nothing to run:') ? ['nothing to run'] : (ranAs ?? [{ action }]).map((call) => call.action)))
  const isSaid = says === undefined || JSON.stringify(ran.map(({ data }) => data)).includes(says)
  const isRight = change === 'wanted' || (change === 'none wanted' && says !== undefined && isSaid)
  const deed = verbs.length === 0 ? [] : [`${isRight ? 'right' : 'wrong'}: ${[...new Set(verbs)].join(', ')}`]
  if (verbs.length === 0 && change !== 'none' && change !== 'none wanted') deed.push('wrong: changed with no verb')
  if (verbs.every((verb) => verb === 'nothing to run') && verbs.length > 0) deed.splice(0, 1, 'nothing to run')
  return [...deed, ...told].join('; ') || 'silent'
}

/** What the run tells of what it did not do; plain code fences are counted where nothing live was found. */
function accounts({ results, parseErrors, skipped, totalBlocks }: ExecutionResult, text: string): string[] {
  const told = [
    ...results.filter(({ success }) => !success).map(({ code = '' }) => `refused: ${code}`),
    ...parseErrors.map(({ error }) => `named: ${error.code}`),
    ...skipped.map(() => 'listed'),
  ]
  const isCounted = told.length === 0 && totalBlocks === 0 && new CodeFences().push(text).end().count > 0
  return isCounted ? ['counted'] : [...new Set(told)]
}

type Change = 'none' | 'none wanted' | 'wanted' | 'other'

/** A last line break more or less is none: some formats have none. */
function isChange(found: Record<string, string>, files: Readonly<Record<string, string | null>>): Change {
  const wanted = Object.entries({ ...ROOT, ...files }).filter(([, text]) => text !== null)
  const plain = (entries: [string, unknown][]): string => (
    JSON.stringify(entries.map(([path, text]) => [path, String(text).trimEnd()]).sort()))
  const is = plain(Object.entries(found))
  const isAsked = Object.keys(files).length > 0
  if (is === plain(wanted)) return isAsked ? 'wanted' : 'none wanted'
  return is === plain(Object.entries(ROOT)) ? 'none' : 'other'
}

/** A corpus file with the outcomes as they were found. */
export function withOutcomes(file: URL, actions: readonly Action[]): string {
  const own = actions.filter((action) => action.file === file.pathname)
  let index = 0
  return readFileSync(file, 'utf8').replace(/^```json\n[^`]*\n```$/gm, () => {
    const { found } = own[index++] ?? { found: {} }
    return `\`\`\`json\n${JSON.stringify(found, undefined, 1).replace(/\n\s*/g, ' ')}\n\`\`\``
  })
}
