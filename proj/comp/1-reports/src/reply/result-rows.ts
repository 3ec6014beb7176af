import { isRecord } from '../../../0-contracts/src/index.js'
import { wholeStart } from './reply-lines.js'

/** Longest row, in characters: enough of a match in a minified file. */
const LONGEST_ROW = 400
const CLIPPED = ' … the rest of the line is left out'

/** Rows of a list: for each item its line, followed by the lines of a multi-line text. */
export function rowsOf(items: readonly unknown[]): string[][] {
  return items.map((item) => {
    const row = isRecord(item) ? rowOf(item) : [typeof item === 'string' ? item : compactJson(item)]
    return row.map((line) => (
      line.length <= LONGEST_ROW ? line : `${wholeStart(line.slice(0, LONGEST_ROW))}${CLIPPED}`
    ))
  })
}

export function isClipped(row: string): boolean {
  return row.endsWith(CLIPPED)
}

/** Fields with the place of an item. */
const PLACES = ['path', 'file'] as const
const LINES = ['line', 'line_number', 'start_line', 'startLine'] as const
const ENDS = ['end_line', 'endLine'] as const
/** Fields with the text of an item. */
const TEXTS = ['text', 'line', 'body'] as const

function rowOf(item: Record<string, unknown>): string[] {
  const used = new Set<string>()
  const take = <T>(names: readonly string[], isIt: (value: unknown) => value is T): T | undefined => {
    const name = names.find((each) => isIt(item[each]))
    if (name === undefined) return undefined
    used.add(name)
    const value = item[name]
    return isIt(value) ? value : undefined
  }
  const path = take(PLACES, isText)
  const line = take(LINES, isNumber)
  const end = take(ENDS, isNumber)
  const column = line === undefined ? undefined : take(['column'], isNumber)
  const text = take(TEXTS, isText)
  const before = line === undefined ? [] : take(['before'], isTexts) ?? []
  const after = line === undefined ? [] : take(['after'], isTexts) ?? []
  const range = end !== undefined && end !== line ? `-${end}` : column === undefined ? '' : `:${column}`
  const position = line === undefined ? undefined : `${line}${range}`
  const place = [path, position].filter((part) => part !== undefined).join(':')
  const rest = Object.entries(item).filter(([name]) => !used.has(name)).flatMap(([name, value]) => cell(name, value))
  const head = [place, ...rest].filter((part) => part !== '').join('  ')
  if (text === undefined) return [head]
  const lines = text.replace(/\n$/, '').split('\n')
  const shown = lines.length > 1 ? [`${head}:`, ...lines.map((candidate) => `  ${candidate}`)]
    : [head === '' ? text : `${head}: ${text}`]
  const first = line ?? 0
  return [
    ...around(path, first - before.length, before), ...shown, ...around(path, (end ?? first) + 1, after),
  ]
}

/** Context lines of a match, in the format of grep and ripgrep: `a.ts-12- }`. */
function around(path: string | undefined, from: number, lines: readonly string[]): string[] {
  const prefix = path === undefined ? '' : `${path}-`
  return lines.map((line, index) => `${prefix}${from + index}-${line === '' ? '' : ` ${line}`}`)
}

function cell(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '' || value === false) return []
  if (value === true) return [name === 'isDirectory' ? 'directory' : name]
  if (isText(value) && !value.includes('\n')) return [value]
  // A bare number needs its name, except the size of a listed file.
  if (isNumber(value)) return [name === 'size' ? String(value) : `${name} ${value}`]
  return [`${name} ${compactJson(value)}`]
}

/** Fields to omit: known from the call or the hint, or of no use. */
const DULL = new Set([
  'sandbox', 'cwd', 'hardLinks', 'start_line', 'total_lines', 'end_line', 'startLine', 'endLine', 'bytesWritten',
  'bytes_written', 'replacements_made', 'lines_replaced', 'next_start_line', 'next_offset',
])

/** Scalar fields of a result on one line, without those that repeat a parameter. */
export function scalarsOf(data: Record<string, unknown>, params: Record<string, unknown>): string {
  return Object.entries(data)
    .filter(([name, value]) => !DULL.has(name) && value !== null && !(name === 'truncated' && value === false))
    .filter(([name, value]) => !(name === 'match' && value === 'exact'))
    .filter(([, value]) => !isText(value) || !Object.values(params).includes(value))
    .map(([name, value]) => `${NAMES[name] ?? name}: ${isText(value) ? value : compactJson(value)}`).join(', ')
}

const NAMES: Readonly<Record<string, string>> = { exit_code: 'exit code', exitCode: 'exit code' }

/** Compact JSON; data of an extension may have no JSON form. */
function compactJson(value: unknown): string {
  try {
    const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
    return text ?? String(value)
  } catch (error) {
    return `[${error instanceof Error ? error.message : String(error)}]`
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
