/** Valid answers for the reading trial: live blocks of all formats, quotes of all kinds, prose between. */

export type Random = () => number

/** What a line is to the segment it stands in; the reach of a slip depends on it. */
export type Role =
  | 'prose' | 'blank' | 'header' | 'body' | 'heredoc' | 'content' | 'terminator' | 'end' | 'fence' | 'call' | 'yaml'
  | 'delimiter' | 'quoted'

export interface AnswerLine {
  text: string
  role: Role
}

/** A stretch of an answer: prose, live blocks, or a quote with examples in it. */
export interface Segment {
  kind: string
  lines: AnswerLine[]
  /** Paths of the blocks that must run. */
  live: string[]
  /** Paths of the examples that must not. */
  quoted: string[]
  /** A heredoc's content names the block's own header or end marker. */
  quotesItself?: boolean
}

export interface Answer {
  segments: Segment[]
  editFormats: boolean
}

/** Names that no two blocks of an answer share. */
interface Names {
  random: Random
  count: number
  id: string | undefined
}

const IDS = ['abc', 'k3f', 'Zz9', 'mno12', 'q7']
const PROSE = [
  'Let me look at the file first.', 'Here is what I changed, and why:', 'a < b && c > d', '- a list item',
  '1. first, then',
  'It returns `undefined` where the list is empty.', '## What is left', '| a | b |', 'The value = 3 was wrong.',
  'See <https://example.com/a?b=c> for more.', '**Done.**', 'He said: "it works".',
]
export const SECTIONS: readonly (readonly [open: string, close: string])[] = [
  ['<think>', '</think>'], ['<thinking>', '</thinking>'], ['<reasoning>', '</reasoning>'], ['<thought>', '</thought>'],
  ['<antThinking>', '</antThinking>'], ['<scratchpad>', '</scratchpad>'], ['<scratch_pad>', '</scratch_pad>'],
  ['<seed:think>', '</seed:think>'], ['[THINK]', '[/THINK]'], ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['◁think▷', '◁/think▷'], ['<tool_response>', '</tool_response>'], ['<function_results>', '</function_results>'],
  ['<tool_result>', '</tool_result>'], ['<document>', '</document>'], ['<documents>', '</documents>'],
  ['<document index="1">', '</document>'],
]

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

export function makeAnswer(random: Random): Answer {
  const names: Names = { random, count: 0, id: random() < 0.4 ? pick(random, IDS) : undefined }
  const editFormats = random() < 0.2
  const segments: Segment[] = []
  const wanted = 2 + Math.floor(random() * 5)
  for (let index = 0; index < wanted; index++) {
    if (random() < 0.7) segments.push(prose(random))
    const make = random() < 0.62 ? pick(random, LIVE) : random() < 0.15 && editFormats ? searchReplace
      : pick(random, QUOTES)
    segments.push(make(names))
    segments.push({ kind: 'blank', lines: [line('', 'blank')], live: [], quoted: [] })
  }
  if (random() < 0.5) segments.push(prose(random))
  return { segments, editFormats }
}

function line(text: string, role: Role): AnswerLine {
  return { text, role }
}

function prose(random: Random): Segment {
  const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () => line(pick(random, PROSE), 'prose'))
  return { kind: 'prose', lines: [...lines, line('', 'blank')], live: [], quoted: [] }
}

function freshPath(names: Names, what: 'live' | 'quoted'): string {
  names.count++
  return `/${what}-${names.count}.txt`
}

type Make = (names: Names) => Segment

const LIVE: readonly Make[] = [sham, sham, shamHeredoc, shamHeredoc, fencedSham, envelope, envelope, call, call,
  listEnvelope]
const QUOTES: readonly Make[] = [fenceQuote, longFenceQuote, blockquote, comment, section, section, indented]

interface Spelling {
  header: string
  delimiter: string
  end: string
}

function spelling(random: Random, id: string): Spelling {
  const label = pick(random, ['three-char-SHA-256', 'three-char-SHA-256', 'x'])
  const dialect = pick(random, ['SHAM', 'SHAM', 'NESL', 'nesl'])
  const [word, end] = dialect === 'nesl' ? [`EOT_${id}`, `#!end_${id}`]
    : [`EOT_${dialect}_${id}`, `#!END_${dialect}_${id}`]
  return { header: `#!${dialect} [@${label}: ${id}]`, delimiter: word, end }
}

function sham(names: Names): Segment {
  const path = freshPath(names, 'live')
  return { kind: 'sham', lines: shamLines(names, path), live: [path], quoted: [] }
}

function shamLines(names: Names, path: string): AnswerLine[] {
  const { header, end } = spelling(names.random, names.id ?? pick(names.random, IDS))
  return [line(header, 'header'), line('action = "file_read"', 'body'), line(`path = "${path}"`, 'body'),
    line(end, 'end')]
}

function shamHeredoc(names: Names): Segment {
  const { random } = names
  const path = freshPath(names, 'live')
  const { header, delimiter, end } = spelling(random, names.id ?? pick(random, IDS))
  const quotes = random() < 0.6 ? [example(names), example(names)].slice(0, 1 + Math.floor(random() * 2)) : []
  const itself = random() < 0.15 ? [end] : []
  const content = ['first line', ...quotes.flatMap((one) => one.lines), ...itself, 'last line', '']
  const quotedLines = quotes.flatMap(({ lines }) => lines)
  return {
    kind: 'heredoc',
    lines: [
      line(header, 'header'), line('action = "file_write"', 'body'), line(`path = "${path}"`, 'body'),
      line(`content = <<'${delimiter}'`, 'heredoc'),
      ...content.map((text) => line(text, 'content')),
      line(delimiter, 'terminator'), line(end, 'end'),
    ],
    live: [path],
    quoted: quotes.map((one) => one.path),
    quotesItself: itself.length > 0 || quotedLines.some((text) => namesId(text, header)),
  }
}

/** Whether a line is a header or an end marker with the same id, in any spelling. */
function namesId(text: string, header: string): boolean {
  const id = /: (\w+)\]/.exec(header)![1]!
  return text.startsWith('#!') && (text.endsWith(`: ${id}]`) || text.endsWith(`_${id}`))
}

/** A block as documentation would show it: whole, with what it opens closed. */
function example(names: Names): { path: string, lines: string[] } {
  const { random } = names
  const path = freshPath(names, 'quoted')
  const bare = shamLines(names, path).map(({ text }) => text)
  const json = JSON.stringify({ name: 'read_file', arguments: { path } })
  const lines = pick(random, [
    () => bare,
    () => ['```sh sham', ...bare, '```'],
    () => ['```yaml hermes', 'verb: read', 'arguments:', `  path: ${path}`, '```'],
    () => ['```json hermes', JSON.stringify({ verb: 'read', arguments: { path } }), '```'],
    () => [`<tool_call>${json}</tool_call>`],
    () => ['<tool_call>', json, '</tool_call>'],
  ])()
  return { path, lines }
}

function fencedSham(names: Names): Segment {
  const inner = names.random() < 0.5 ? sham(names) : shamHeredoc(names)
  // A heredoc that holds fences: the fence around it is longer.
  const fence = inner.lines.some(({ text }) => text.startsWith('```')) ? '````' : pick(names.random, ['```', '~~~'])
  const info = pick(names.random, ['sh sham', 'sh', 'sham', '', 'bash', 'nesl'])
  return { ...inner, kind: `fenced ${inner.kind}`,
    lines: [line(fence + info, 'fence'), ...inner.lines, line(fence, 'fence')] }
}

function envelope(names: Names): Segment {
  const { random } = names
  const paths = Array.from({ length: pick(random, [1, 1, 2, 3]) }, () => freshPath(names, 'live'))
  const fence = pick(random, ['```', '```', '~~~', '````'])
  if (random() < 0.35) {
    const values = paths.map((path) => ({ verb: 'read', arguments: { path } }))
    const value = JSON.stringify(values.length === 1 ? values[0] : values, null, random() < 0.5 ? 2 : 0)
    const lines = value.split('\n').map((text) => line(text, 'yaml'))
    return { kind: 'envelope', lines: [line(`${fence}json hermes`, 'fence'), ...lines, line(fence, 'fence')],
      live: paths, quoted: [] }
  }
  const asList = paths.length > 1 && random() < 0.5
  const documents = paths.map((path) => (asList
    ? ['- verb: read', '  arguments:', `    path: ${path}`] : ['verb: read', 'arguments:', `  path: ${path}`]))
  const lines = documents.flatMap((one, index) => (index > 0 && !asList ? ['---', ...one] : one))
    .map((text) => line(text, 'yaml'))
  return { kind: 'envelope', lines: [line(`${fence}yaml hermes`, 'fence'), ...lines, line(fence, 'fence')],
    live: paths, quoted: [] }
}

function listEnvelope(names: Names): Segment {
  const { lines, live, quoted } = envelope(names)
  return {
    kind: 'envelope in a list', live, quoted,
    lines: lines.map(({ text, role }, index) => line((index === 0 ? '- ' : '  ') + text, role)),
  }
}

function call(names: Names): Segment {
  const { random } = names
  const paths = Array.from({ length: pick(random, [1, 1, 2]) }, () => freshPath(names, 'live'))
  const jsons = paths.map((path) => JSON.stringify({ name: 'read_file', arguments: { path } }))
  const style = random()
  const texts = style < 0.4 ? jsons.map((json) => `<tool_call>${json}</tool_call>`)
    : style < 0.7 ? jsons.flatMap((json) => ['<tool_call>', json, '</tool_call>'])
      : style < 0.85 ? [jsons.map((json) => `<tool_call>${json}</tool_call>`).join('')]
        : jsons.flatMap((json) =>
          ['<tool_call>', ...JSON.stringify(JSON.parse(json), null, 2).split('\n'), '</tool_call>'])
  return { kind: 'call', lines: texts.map((text) => line(text, 'call')), live: paths, quoted: [] }
}

function searchReplace(names: Names): Segment {
  const path = freshPath(names, 'live').slice(1)
  const texts = [path, '```', '<<<<<<< SEARCH', 'old line', '=======', 'new line', '>>>>>>> REPLACE', '```']
  return {
    kind: 'search-replace', live: [path], quoted: [],
    lines: texts.map((text) => line(text, text === '```' ? 'fence' : 'body')),
  }
}

function inside(kind: string, names: Names, open: string, close: string, prefix = ''): Segment {
  const one = example(names)
  return {
    kind, live: [], quoted: [one.path],
    lines: [line(open, 'delimiter'), ...one.lines.map((text) => line(prefix + text, 'quoted')),
      line(close, 'delimiter')],
  }
}

function fenceQuote(names: Names): Segment {
  const fence = pick(names.random, ['````', '~~~~'])
  return inside('code fence', names, fence + pick(names.random, ['markdown', 'python', 'md', 'text', 'js']), fence)
}

function longFenceQuote(names: Names): Segment {
  return inside('longer fence', names, '`````markdown', '`````')
}

function blockquote(names: Names): Segment {
  const one = example(names)
  return { kind: 'blockquote', lines: one.lines.map((text) => line(`> ${text}`, 'quoted')), live: [],
    quoted: [one.path] }
}

function comment(names: Names): Segment {
  return inside('comment', names, '<!--', '-->')
}

function section(names: Names): Segment {
  const [open, close] = pick(names.random, SECTIONS)
  return inside('section', names, open, close)
}

function indented(names: Names): Segment {
  const one = example(names)
  return {
    kind: 'indented code', live: [], quoted: [one.path],
    lines: [line('', 'blank'), ...one.lines.map((text) => line(`        ${text}`, 'quoted'))],
  }
}
