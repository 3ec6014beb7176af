import { EDIT_FORMAT_SPECS, NAMED_DIALECTS, type EditFormat } from '../../comp/0-contracts/src/index.js'
import { DIALECTS, type Dialect } from '../../comp/1-reading/src/dialects/index.js'
import { OPENERS } from '../../comp/1-reading/src/scanner/radar/openers.js'
import type { Action, Way } from './actions.js'

const HEAD = `# Dialects

<!-- Derived from the rows that read them and from the actions in test-data/actions; a test runs each and fails when this page is stale (npm run design writes it). Do not edit. -->

What models and harnesses write to call tools, and what becomes of it. How calls are read, and where, is in
[formats](formats.md), whose tools they call in [mappings](mappings.md). Each has its cases in the tests.`

/** docs/dialects.md: the rows of the reader, and the figures of a run over the corpus of actions. */
export function dialectsPage(actions: readonly Action[]): string {
  const byRule = DIALECTS.filter(({ named }) => named === undefined)
  return [
    HEAD,
    '## Read by rule',
    'What opens them stands in no prose: they are read without `--dialect`, which takes their names all the same. A call runs as the tool that it names: a verb, or with `--mapping auto` a tool '
      + 'of another harness.',
    table(['dialect', 'a call', 'source'], byRule.map(({ name, title, shape, source }) => [
      `\`${name}\`: ${title}`, code(shape), source,
    ])),
    '## Read where they are named',
    'With `--dialect NAME,…`; unread they are errors (`NOT_READ`) or listed. `auto` takes what names a path and holds '
      + 'no command.',
    table(['name', 'a call', 'becomes', 'by `auto`', 'source'], [
      ...NAMED_DIALECTS.map((name) => namedRow(name, DIALECTS.find(({ named }) => named === name))),
      ...Object.entries(EDIT_FORMAT_SPECS).map(([name, { called, verbs }]) => [
        `\`${name}\``, `${called}, an [edit format](formats.md#edit-formats)`, verbs.map(code).join(', '), 'yes',
        EDIT_SOURCES[name as EditFormat],
      ]),
    ]),
    '## Never read',
    `Named where they stand, as errors or as skipped, each in a line of its own: ${neverRead().join(', ')}. Plain code and shell fences run `
      + 'nothing, and are counted where nothing else was found.',
    '## Of real answers',
    figures(actions),
    table(['written in', 'actions', 'done by default', 'done with `auto`', 'told of with `auto`, not done'],
      [...new Set(actions.map(({ family }) => family))].map((family) => {
        const own = actions.filter((action) => action.family === family)
        const done = own.filter(({ found }) => isDone(found.auto)).length
        return [family, `${own.length}`, count(own, 'default'), count(own, 'auto'), `${own.length - done}`]
      })),
    '## What `auto` leaves out',
    'Of these actions, with what is said of each. *Not to be done* are those that ask for what no verb does, or quote.',
    table(['written in', 'action', 'outcome', 'what is said'], actions.filter(({ found }) => !isDone(found.auto))
      .map(({ family, name, task, found, why }) => [
        family, cell(name), `${code(found.auto)}${task === 'none' ? ', not to be done' : ''}`, plain(short(why)),
      ])),
  ].join('\n\n') + '\n'
}

const EDIT_SOURCES: Readonly<Record<EditFormat, string>> = {
  'search-replace': "aider's diff and diff-fenced", v4a: "Codex's apply_patch; aider's patch",
  unified: "git and diff; aider's udiff", whole: "aider's whole; chat answers",
}

function figures(actions: readonly Action[]): string {
  const all = actions.length
  const unread = actions.filter(({ found }) => !isDone(found.auto))
  const meant = actions.filter(({ task }) => task !== 'none')
  const silent = (way: Way): number => actions.filter(({ found }) => found[way] === 'silent').length
  return `${all} answers that ask for one thing each (\`test-data/actions\`), ${meant.length} of them for something that `
    + `a verb does, were run in a directory of their own. By default ${count(actions, 'default')} did what they ask for, `
    + `and with \`--dialect auto --mapping auto\` ${count(actions, 'auto')}; ${unread.length - silent('auto')} were then refused, named, `
    + `listed or counted, and none did anything else. Passed over in silence: ${silent('default')} by default, `
    + `${silent('auto')} with \`auto\`.`
}

function count(actions: readonly Action[], way: Way): string {
  return `${actions.filter(({ found }) => isDone(found[way])).length}`
}

function isDone(outcome: string): boolean {
  return outcome.startsWith('right')
}

function namedRow(name: string, dialect: Dialect | undefined): string[] {
  if (!dialect) return [`\`${name}\``, '[formats](formats.md#calls-as-harnesses-write-them)', '', '', '']
  const { forms, fences = [], shape, source } = dialect
  const verbs = [
    ...forms.flatMap((form) => form.kind === 'tag' ? [form.verb] : []),
    ...fences.flatMap(({ calls, runsAs = [] }) => calls ? [calls.name, ...runsAs] : []),
  ]
  const becomes = verbs.length > 0 ? [...new Set(verbs)].map(code).join(', ') : 'the tool that it names'
  const ways = [...forms, ...fences]
  const commands = ways.filter(({ isCommand }) => isCommand).length
  const auto = commands === 0 ? 'yes' : commands === ways.length ? 'no' : 'all but commands'
  return [`\`${name}\``, code(shape), becomes, auto, source]
}

/** Formats that the radar knows and nothing reads. */
function neverRead(): string[] {
  const rows = OPENERS.filter(({ kind, isRead, isOdd, dialect }) => kind === 'foreign' && !isRead && !isOdd && !dialect)
  return [...new Map(rows.map(({ name, find }) => [name, `${name} (${code(find)})`])).values()]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** As code in a cell of a table. */
function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  return `${fence}${cell(text.startsWith('`') ? ` ${text} ` : text)}${fence}`
}

function cell(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('|', '\\|')
}

/** Not as code: a tag in it is text. */
function plain(text: string): string {
  return cell(text).replaceAll('<', '\\<')
}

/** The first sentence of a hint. */
function short(text: string): string {
  const line = text.split('\n')[0] ?? ''
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`
}
