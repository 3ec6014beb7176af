import { charactersOf } from './text-width.js'

/** A key as Node's readline names it. */
export interface Key {
  name?: string | undefined
  ctrl?: boolean
  meta?: boolean
  shift?: boolean
  sequence?: string
  /** More came with it at once: nobody looked at what it did. */
  isFollowed?: boolean
}

/** A text, and where the cursor stands in it, in UTF-16 units. */
interface Typed {
  readonly text: string
  readonly cursor: number
}

/** What is being typed, and the lines typed before. Never changed: each key makes another. */
export interface Line extends Typed {
  /** The newest last. */
  history: readonly string[]
  recalls: Recall
  /** The line of the history that is shown, counted from the end; 0 is the one being typed. */
  back: number
  /** What was being typed before the history was gone through. */
  draft: Typed
  /** What was cut last, for Ctrl-Y. */
  killed: string
  /** What Ctrl-_ goes back to, the last one last. */
  past: readonly Typed[]
}

/** Which lines of the history Up goes to: `beginning`: those that begin as what stands before the cursor. */
export type Recall = 'all' | 'beginning'

const NOTHING: Typed = { text: '', cursor: 0 }

export function emptyLine(history: readonly string[], recalls: Recall = 'all'): Line {
  return { ...NOTHING, history, recalls, back: 0, draft: NOTHING, killed: '', past: [] }
}

/** The same line with a text put in at the cursor, line breaks and all; other control characters are left out. */
export function insert(line: Line, text: string): Line {
  return insertTabs(line, text.replaceAll('\t', '    '))
}

/** The same, with tabs as they are. */
export function insertTabs(line: Line, text: string): Line {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
  return splice(line, line.cursor, line.cursor, clean)
}

/** The same line with other text from one place to another, and the cursor behind it. */
export function splice(line: Line, from: number, to: number, text: string): Line {
  const isLong = line.text.length > MOST_UNDONE_LENGTH
  return {
    ...line, text: line.text.slice(0, from) + text + line.text.slice(to), cursor: from + text.length,
    past: isLong ? [] : [...line.past, { text: line.text, cursor: line.cursor }].slice(-MOST_UNDONE),
  }
}

/** What a key makes of the line, by the usual names of readline; the same one for a key that means nothing here. */
export function edit(line: Line, typed: string | undefined, key: Key): Line {
  if (key.sequence === UNDO) return undo(line)
  const action = key.ctrl === true ? CONTROLS[key.name ?? '']
    : key.meta === true ? METAS[key.name ?? ''] : KEYS[key.name ?? '']
  if (action) return action(line)
  if (typed === undefined || key.ctrl === true || key.meta === true || typed.startsWith('\u001b')) return line
  return insert(line, typed)
}

type Edit = (line: Line) => Line

/** So far around the cursor is looked for a character or a word, in UTF-16 units: what was pasted may be long. */
const NEAR = 1000
/** Steps that can be taken back, each of a text no longer than this in UTF-16 units. */
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
const search: Edit = (line) => recall(line, 1, (found, { text }) => found.includes(text.trim()))
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
/** Ctrl-_ and Ctrl-7, of which readline knows no name. */
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

/** @param fits whether a line of the history is one, by what was being typed */
function recall(line: Line, by: 1 | -1, fits?: (found: string, draft: Typed) => boolean): Line {
  const { history, back, recalls, draft: kept, text, cursor } = line
  const draft = back === 0 ? { text, cursor } : kept
  const beginning = recalls === 'beginning' ? draft.text.slice(0, draft.cursor) : ''
  for (let next = back + by; next >= 0 && next <= history.length; next += by) {
    if (next === 0) return { ...line, ...draft, back: 0 }
    const found = history[history.length - next] ?? ''
    if (fits ? !fits(found, draft) || found === text
      : beginning !== '' && (!found.startsWith(beginning) || found === text)) continue
    return { ...line, text: found, cursor: found.length, back: next, draft }
  }
  return line
}
