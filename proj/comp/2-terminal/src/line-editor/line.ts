import { charactersOf } from './text-width.js'

/** A key in the form of Node's readline. */
export interface Key {
  name?: string | undefined
  ctrl?: boolean
  meta?: boolean
  shift?: boolean
  sequence?: string
  /** More keys arrived at the same time, so nobody saw its effect. */
  isFollowed?: boolean
}

/** A text and the cursor's offset, in UTF-16 units. */
interface Typed {
  readonly text: string
  readonly cursor: number
}

/** The line being typed, with the history. Immutable: each key makes a new one. */
export interface Line extends Typed {
  /** Newest last. */
  history: readonly string[]
  recalls: Recall
  /** Position in the history, counted from the end; 0 is the line being typed. */
  back: number
  /** The line being typed before moving into the history. */
  draft: Typed
  /** The last cut text, for Ctrl-Y. */
  killed: string
  /** States for undo (Ctrl-_), latest last. */
  past: readonly Typed[]
}

/** History lines that Up visits; `beginning`: those that start with the text before the cursor. */
export type Recall = 'all' | 'beginning'

const NOTHING: Typed = { text: '', cursor: 0 }

export function emptyLine(history: readonly string[], recalls: Recall = 'all'): Line {
  return { ...NOTHING, history, recalls, back: 0, draft: NOTHING, killed: '', past: [] }
}

/** Inserts text at the cursor, with line breaks, without other control characters. */
export function insert(line: Line, text: string): Line {
  return insertTabs(line, text.replaceAll('\t', '    '))
}

/** As `insert`, keeping tabs. */
export function insertTabs(line: Line, text: string): Line {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  return splice(line, line.cursor, line.cursor, clean)
}

/** Replaces a range of the text; the cursor goes behind it. */
export function splice(line: Line, from: number, to: number, text: string): Line {
  const isLong = line.text.length > MOST_UNDONE_LENGTH
  return {
    ...line, text: line.text.slice(0, from) + text + line.text.slice(to), cursor: from + text.length,
    past: isLong ? [] : [...line.past, { text: line.text, cursor: line.cursor }].slice(-MOST_UNDONE),
  }
}

/** Applies a key by readline's usual bindings; returns the same object for a key without effect. */
export function edit(line: Line, typed: string | undefined, key: Key): Line {
  if (key.sequence === UNDO) return undo(line)
  const action = key.ctrl === true ? CONTROLS[key.name ?? '']
    : key.meta === true ? METAS[key.name ?? ''] : KEYS[key.name ?? '']
  if (action) return action(line)
  if (typed === undefined || key.ctrl === true || key.meta === true || typed.startsWith('\u001b')) return line
  return insert(line, typed)
}

type Edit = (line: Line) => Line

/**
 * Distance around the cursor in which to look for a character or word, in UTF-16 units, since pasted text may be long.
 */
const NEAR = 1000
/** Most undo steps, and longest text to keep for one, in UTF-16 units. */
const MOST_UNDONE = 200
const MOST_UNDONE_LENGTH = 10_000

const left: Edit = (line) => at(line, before(line.text, line.cursor))
const right: Edit = (line) => at(line, after(line.text, line.cursor))
const start: Edit = (line) => at(line, line.text.lastIndexOf('\n', line.cursor - 1) + 1)
const end: Edit = (line) => at(line, endOf(line))
const wordLeft: Edit = (line) => at(line, wordBefore(line))
const wordRight: Edit = (line) => at(line, wordAfter(line))
const rubOut: Edit = (line) => splice(line, before(line.text, line.cursor), line.cursor, '')
const erase: Edit = (line) => splice(line, line.cursor, after(line.text, line.cursor), '')
const eraseWord: Edit = (line) => cut(line, line.cursor, wordAfter(line))
const yank: Edit = (line) => splice(line, line.cursor, line.cursor, line.killed)
const undo: Edit = (line) => ({ ...line, ...line.past.at(-1), past: line.past.slice(0, -1) })
const rubOutWord: Edit = (line) => cut(line, wordBefore(line), line.cursor)
const rubOutLine: Edit = (line) => cut(line, line.text.lastIndexOf('\n', line.cursor - 1) + 1, line.cursor)
const eraseToEnd: Edit = (line) => cut(line, line.cursor, endOf(line))
const newLine: Edit = (line) => insert(line, '\n')
const older: Edit = (line) => recall(line, 1)
const newer: Edit = (line) => recall(line, -1)
const search: Edit = (line) => recall(line, 1, (recalled, { text }) => recalled.includes(text.trim()))
const up: Edit = (line) => vertical(line, -1) ?? older(line)
const down: Edit = (line) => vertical(line, 1) ?? newer(line)

const KEYS: Readonly<Record<string, Edit>> = {
  left, right, home: start, end, up, down, backspace: rubOut, delete: erase, enter: newLine,
}
const CONTROLS: Readonly<Record<string, Edit>> = {
  a: start, e: end, b: left, f: right, h: rubOut, d: erase, w: rubOutWord, u: rubOutLine, k: eraseToEnd, p: older,
  n: newer, r: search, y: yank, left: wordLeft, right: wordRight, backspace: rubOutWord, delete: eraseWord, j: newLine,
}
const METAS: Readonly<Record<string, Edit>> = {
  b: wordLeft, f: wordRight, d: eraseWord, backspace: rubOutWord, delete: eraseWord, return: newLine, enter: newLine,
}
/** Ctrl-_ and Ctrl-7, for which readline has no name. */
const UNDO = '\u001f'

function at(line: Line, cursor: number): Line {
  return { ...line, cursor }
}

function cut(line: Line, from: number, to: number): Line {
  return { ...splice(line, from, to, ''), killed: line.text.slice(from, to) }
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

function wordAfter({ text, cursor }: Line): number {
  return cursor + (/^\W*\w+/.exec(text.slice(cursor))?.[0].length ?? text.length - cursor)
}

function endOf({ text, cursor }: Line): number {
  const index = text.indexOf('\n', cursor)
  return index === -1 ? text.length : index
}

/** Moves to the same column of the line above or below; `undefined` where there is none. */
function vertical(line: Line, by: 1 | -1): Line | undefined {
  const lines = line.text.split('\n')
  const passed = line.text.slice(0, line.cursor).split('\n')
  const target = lines[passed.length - 1 + by]
  if (target === undefined) return undefined
  const column = Math.min(passed.at(-1)?.length ?? 0, target.length)
  const above = lines.slice(0, passed.length - 1 + by)
  return at(line, above.reduce((sum, row) => sum + row.length + 1, 0) + column)
}

/** @param fits whether to visit a history line, given the line being typed */
function recall(line: Line, by: 1 | -1, fits?: (recalled: string, draft: Typed) => boolean): Line {
  const { history, back, recalls, draft: kept, text, cursor } = line
  const draft = back === 0 ? { text, cursor } : kept
  const beginning = recalls === 'beginning' ? draft.text.slice(0, draft.cursor) : ''
  for (let next = back + by; next >= 0 && next <= history.length; next += by) {
    if (next === 0) return { ...line, ...draft, back: 0 }
    const recalled = history[history.length - next] ?? ''
    if (fits ? !fits(recalled, draft) || recalled === text
      : beginning !== '' && (!recalled.startsWith(beginning) || recalled === text)) continue
    return { ...line, text: recalled, cursor: recalled.length, back: next, draft }
  }
  return line
}
