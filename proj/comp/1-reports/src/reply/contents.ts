import type { ActionResult } from '../../../0-contracts/src/index.js'
import { linesOf } from '../safe-text.js'
import { readOn, type CallMade } from './read-on.js'
import type { Keeps } from './reply-lines.js'
import { isClipped, isTexts, rowsOf, scalarsOf } from './result-rows.js'

/** One part of a call's result: a file's text, an output stream, a listing. */
export interface Content {
  /** Title, if the call does not make it obvious: `src/a.ts`, `stderr`, `exit code: 1`. */
  title?: string
  /** Raw lines; they are escaped when rendered. */
  lines: readonly string[]
  keeps: Keeps
  /** Lines in place of omitted ones (1-based, inclusive): how many of how many, and the call to read on. */
  omission(from: number, to: number): readonly string[]
  /** Some of its lines are already shortened. */
  isClipped?: true
  /** For file content: path and first line, by which a session tracks what the model has seen. */
  seenAs?: string
}

type Called = Pick<ActionResult, 'action' | 'params' | 'ranAs' | 'data'>

/**
 * The result of a call, ready to be shown within a token bound, in a reply or alone by `renderCall`. Recognised by the
 * shape of the data, so that verbs of extensions work too.
 *
 * @param wholeIn file with the complete result
 */
export function contentsOf({ action, params, ranAs, data }: Called, wholeIn?: string): Content[] {
  const [ran] = ranAs ?? []
  const call: CallMade = {
    action: ran?.action ?? action, params: ran?.params ?? params, isMapped: ran !== undefined, wholeIn,
  }
  if (data === undefined || data === null) return []
  if (typeof data === 'string') return [textOf(call, data)]
  if (Array.isArray(data)) return [listOf(call, undefined, data)]
  if (typeof data !== 'object') return [linesContent([String(data)], 'ends')]
  return partsOf(call, data as Record<string, unknown>)
}

/** Fields whose text of several lines is the actual result. */
const TEXTS: readonly string[] = ['content', 'output', 'stdout', 'stderr', 'diff', 'text']
/** Fields that need no title. */
const UNTITLED: readonly string[] = ['content', 'output', 'diff', 'text']
const STREAMS: readonly string[] = ['stdout', 'stderr', 'output']

function partsOf(call: CallMade, data: Record<string, unknown>): Content[] {
  const { paths, content } = data
  if (isTexts(paths) && isTexts(content)) {
    return paths.map((path, index) => ({ ...fileOf(call, path, content[index] ?? ''), title: path }))
  }
  const fields = Object.entries(data).filter(([, value]) => value !== undefined)
  const texts = fields.filter((field): field is [string, string] => (
    typeof field[1] === 'string' && (TEXTS.includes(field[0]) || isText(field[1], call))
  ))
  const lists = fields.filter((field): field is [string, unknown[]] => Array.isArray(field[1]) && field[1].length > 0)
  const rest = fields.filter((field) => !texts.some(([name]) => name === field[0]) && !Array.isArray(field[1]))
  const scalars = scalarsOf(Object.fromEntries(rest), call.params)
  const isOne = texts.length + lists.length === 1
  const shown = [
    ...texts.filter(([name, text]) => text !== '' || !STREAMS.includes(name)).map(([name, text]) => {
      const shownText = STREAMS.includes(name) ? streamOf(call, text)
        : name === 'content' ? fileOf(call, pathOf(data, call), text, data) : textOf(call, text)
      return UNTITLED.includes(name) ? shownText : { ...shownText, title: name }
    }),
    ...lists.map(([name, items]) => listOf(call, isOne ? undefined : name, items, name)),
  ]
  const isEmpty = shown.length === 0 && fields.some(([, value]) => Array.isArray(value))
  return [
    ...(scalars === '' ? [] : [{ ...linesContent([], 'ends'), title: scalars }]),
    ...(isEmpty ? [{ ...linesContent([], 'ends'), title: 'nothing found' }] : []),
    ...shown,
  ]
}

/** Whether a string needs lines of its own; not one that repeats a parameter. */
function isText(value: string, { params }: CallMade): boolean {
  return (value.includes('\n') || value.length > LONGEST_SCALAR) && !Object.values(params).includes(value)
}

const LONGEST_SCALAR = 160

function pathOf({ path }: Record<string, unknown>, { params }: CallMade): string | undefined {
  if (typeof path === 'string') return path
  return typeof params['path'] === 'string' ? params['path'] : undefined
}

/** Lines of which those left out are counted. @param more what is said behind their number, such as how to read on */
export function linesContent(lines: readonly string[], keeps: Keeps, more: () => string = () => ''): Content {
  return { lines, keeps, omission: (from, to) => [`${leftOut(from, to, lines.length, 'line')}${more()}`] }
}

function textOf(call: CallMade, text: string): Content {
  // An outline starts with the most important symbols.
  const keeps = call.action === 'symbol_outline' ? 'start' : 'ends'
  return linesContent(linesOf(text), keeps, () => readOn({ ...call, kind: 'text' }))
}

/** The text of a file, or a range of it. */
function fileOf(call: CallMade, path: string | undefined, text: string, data: Record<string, unknown> = {}): Content {
  const lines = linesOf(text)
  const first = firstLine(data['start_line'], call.params)
  const last = first + lines.length - 1
  const { total_lines: all } = data
  const total = typeof all === 'number' ? all : last
  // For a range, the verb may not report the file's line count.
  const ofTotal = typeof all === 'number' || !ENDS.some((name) => call.params[name] !== undefined) ? ` of ${total}` : ''
  const isRange = typeof all === 'number' && (first > 1 || last < total)
  const title = lines.length === 0 ? 'empty' : isRange ? `lines ${first}–${last} of ${total}` : undefined
  return {
    ...(title !== undefined && { title }),
    lines, keeps: 'ends',
    omission: (from, to) => {
      const range = { from: from + first - 1, to: to + first - 1 }
      const left = range.from === range.to ? `Line ${range.from}` : `Lines ${range.from}–${range.to}`
      const kind = path === undefined ? 'text' : 'file'
      return [`${left}${ofTotal} left out.${readOn({ ...call, kind, path, ...range })}`]
    },
    ...(path !== undefined && { seenAs: `${path}:${first}` }),
  }
}

/** Parameters for the end of a range. */
const ENDS = ['lines', 'end_line', 'endLine'] as const

/** Line in the file where the read text begins. */
function firstLine(given: unknown, params: Record<string, unknown>): number {
  const asked = given ?? params['start_line'] ?? params['startLine'] ?? params['lines']
  const line = Number(/^\s*(\d{1,15})/.exec(typeof asked === 'number' ? String(asked)
    : typeof asked === 'string' ? asked : '')?.[1] ?? 1)
  return Math.max(1, line)
}

/**
 * Output of a command, of which the end matters most. Of a line overwritten by carriage returns the last state counts.
 */
function streamOf(call: CallMade, text: string): Content {
  const lines = linesOf(text).map((line) => line.slice(line.lastIndexOf('\r') + 1))
  return linesContent(lines, 'end', () => readOn({ ...call, kind: 'stream' }))
}

/** A row for each item; multi-line texts go below their row. */
function listOf(
  call: CallMade, title: string | undefined, items: readonly unknown[], field?: string,
): Content {
  const rows = rowsOf(items)
  const lines = rows.flat()
  const ends: number[] = []
  for (const row of rows) ends.push((ends.at(-1) ?? 0) + row.length)
  return {
    ...(title !== undefined && { title: `${title}:` }), ...(items.length === 0 && { title: 'nothing found' }),
    lines, keeps: 'start', ...(lines.some(isClipped) && { isClipped: true }),
    omission: (from) => {
      const shown = ends.filter((end) => end < from).length
      const left = leftOut(shown + 1, items.length, items.length, 'item')
      return [`${left}${readOn({ ...call, kind: 'list', field, from: shown + 1, to: items.length })}`]
    },
  }
}

function leftOut(from: number, to: number, total: number, what: 'line' | 'item'): string {
  return `${to - from + 1} of ${total} ${what}s left out.`
}
