import { charactersOf } from './text-width.js'

/** A key as Node's readline names it. */
export interface Key {
  name?: string | undefined
  ctrl?: boolean
  meta?: boolean
  shift?: boolean
  sequence?: string
}

/** What is being typed, and the lines typed before. Never changed: each key makes another. */
export interface Line {
  text: string
  /** Where the cursor stands, in UTF-16 units. */
  cursor: number
  history: readonly string[]
  /** The line of the history that is shown, counted from the end; 0 is the one being typed. */
  back: number
  /** What was being typed before the history was gone through. */
  draft: string
}

export function emptyLine(history: readonly string[]): Line {
  return { text: '', cursor: 0, history, back: 0, draft: '' }
}

/** The same line with a text put in at the cursor, line breaks and all; other control characters are left out. */
export function insert(line: Line, text: string): Line {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ')
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
  return {
    ...line, text: line.text.slice(0, line.cursor) + clean + line.text.slice(line.cursor),
    cursor: line.cursor + clean.length,
  }
}

/** What a key makes of the line, by the usual names of readline; the same one for a key that means nothing here. */
export function edit(line: Line, typed: string | undefined, key: Key): Line {
  const action = key.ctrl === true ? CONTROLS[key.name ?? '']
    : key.meta === true ? METAS[key.name ?? ''] : KEYS[key.name ?? '']
  if (action) return action(line)
  if (typed === undefined || key.ctrl === true || key.meta === true || typed.startsWith('\u001b')) return line
  return insert(line, typed)
}

type Edit = (line: Line) => Line

/** So far around the cursor is looked for a character or a word, in UTF-16 units: what was pasted may be long. */
const NEAR = 1000

const left: Edit = (line) => at(line, before(line.text, line.cursor))
const right: Edit = (line) => at(line, after(line.text, line.cursor))
const start: Edit = (line) => at(line, line.text.lastIndexOf('\n', line.cursor - 1) + 1)
const end: Edit = (line) => at(line, endOf(line))
const wordLeft: Edit = (line) => at(line, wordBefore(line))
const wordRight: Edit = (line) =>
  at(line, line.cursor + (/^\W*\w+/.exec(line.text.slice(line.cursor))?.[0].length ?? line.text.length - line.cursor))
const rubOut: Edit = (line) => cut(line, before(line.text, line.cursor), line.cursor)
const erase: Edit = (line) => cut(line, line.cursor, after(line.text, line.cursor))
const rubOutWord: Edit = (line) => cut(line, wordBefore(line), line.cursor)
const rubOutLine: Edit = (line) => cut(line, line.text.lastIndexOf('\n', line.cursor - 1) + 1, line.cursor)
const eraseToEnd: Edit = (line) => cut(line, line.cursor, endOf(line))
const newLine: Edit = (line) => insert(line, '\n')
const older: Edit = (line) => recall(line, 1)
const newer: Edit = (line) => recall(line, -1)
const up: Edit = (line) => vertical(line, -1) ?? older(line)
const down: Edit = (line) => vertical(line, 1) ?? newer(line)

const KEYS: Readonly<Record<string, Edit>> = {
  left, right, home: start, end, up, down, backspace: rubOut, delete: erase, enter: newLine,
}
const CONTROLS: Readonly<Record<string, Edit>> = {
  a: start, e: end, b: left, f: right, h: rubOut, d: erase, w: rubOutWord, u: rubOutLine, k: eraseToEnd, p: older,
  n: newer, left: wordLeft, right: wordRight, backspace: rubOutWord, j: newLine,
}
const METAS: Readonly<Record<string, Edit>> = {
  b: wordLeft, f: wordRight, backspace: rubOutWord, return: newLine, enter: newLine,
}

function at(line: Line, cursor: number): Line {
  return { ...line, cursor }
}

function cut(line: Line, from: number, to: number): Line {
  return { ...line, text: line.text.slice(0, from) + line.text.slice(to), cursor: from }
}

function before(text: string, cursor: number): number {
  return cursor - (charactersOf(text.slice(Math.max(0, cursor - NEAR), cursor)).at(-1)?.length ?? 0)
}

function after(text: string, cursor: number): number {
  return cursor + (charactersOf(text.slice(cursor, cursor + NEAR))[0]?.length ?? 0)
}

function wordBefore({ text, cursor }: Line): number {
  const near = text.slice(Math.max(0, cursor - NEAR), cursor)
  return cursor - (/\S+\s*$/.exec(near)?.[0].length ?? near.length)
}

function endOf({ text, cursor }: Line): number {
  const found = text.indexOf('\n', cursor)
  return found === -1 ? text.length : found
}

/** To the same place of the line above or below; `undefined` where there is none. */
function vertical(line: Line, by: 1 | -1): Line | undefined {
  const lines = line.text.split('\n')
  const passed = line.text.slice(0, line.cursor).split('\n')
  const target = lines[passed.length - 1 + by]
  if (target === undefined) return undefined
  const column = Math.min(passed.at(-1)?.length ?? 0, target.length)
  const above = lines.slice(0, passed.length - 1 + by)
  return at(line, above.reduce((sum, one) => sum + one.length + 1, 0) + column)
}

function recall(line: Line, by: 1 | -1): Line {
  const back = line.back + by
  if (back < 0 || back > line.history.length) return line
  const draft = line.back === 0 ? line.text : line.draft
  const text = back === 0 ? draft : line.history[line.history.length - back] ?? ''
  return { ...line, text, cursor: text.length, back, draft }
}
