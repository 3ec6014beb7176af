/** Edits of the trial of line endings, each as one verb or format has it: always written with LF, as models do. */
import { type Ending, isBare, type LineEdit, type NewLine, type Slot } from './line-endings-model.js'

export type Random = () => number
type Args = Record<string, string | number>

/** What stands in the answer, by a verb or in a format of its own, and what it is to make of the lines. */
export interface WrittenEdit {
  name: string
  edit: LineEdit
  /** Of a verb. */
  args?: Args
  /** In a format of its own. */
  text?: string
  /** The lines it leaves are no declarations of one line each any more: nothing follows it. */
  isLast?: boolean
}

export interface Source {
  slots: readonly Slot[]
  path: string
  random: Random
  /** A line that is in no file yet. */
  fresh: () => string
}

type Make = (source: Source) => WrittenEdit

export const declaration = (number: number): string => `export const n${number} = ${number}`
const below = (random: Random, limit: number): number => Math.floor(random() * limit)
const withBreaks = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Some lines in the place of others, of which some may stay. */
function rangeEdit({ slots, random, fresh }: Source, mayDelete: boolean): LineEdit {
  const at = below(random, slots.length)
  const count = 1 + below(random, Math.min(3, slots.length - at))
  const lines: NewLine[] = []
  for (let index = 0; index < count; index++) {
    if (random() < 0.4) lines.push({ body: fresh() })
    if (random() < 0.4) lines.push({ kept: index })
  }
  const isEnd = at + count === slots.length
  if ((!mayDelete || isEnd) && !lines.some((line) => 'body' in line)) lines.push({ body: fresh() })
  // Whether a file without a final line break that loses its last line has one then is each verb's own affair.
  const last = lines.at(-1)
  if (isEnd && last && 'kept' in last) lines.push({ body: fresh() })
  if (lines.length === count && !lines.some((line) => 'body' in line)) lines.push({ body: fresh() })
  return { at, count, lines, end: 'as it was' }
}

/** Sometimes the lines have breaks that are meant. */
function asWritten(edit: LineEdit, random: Random): LineEdit {
  if (edit.lines.length === 0 || edit.lines.some((line) => 'kept' in line) || random() > 0.15) return edit
  const lines = edit.lines.map((line, index): NewLine => {
    const written: Ending = index === 0 || random() < 0.5 ? '\r\n' : '\n'
    return 'kept' in line ? line : { body: line.body, written }
  })
  return { ...edit, lines }
}

function bodiesOf(slots: readonly Slot[], { at, lines }: LineEdit): string[] {
  return lines.map((line) => ('kept' in line ? slots[at + line.kept]?.body ?? '' : line.body))
}

function writtenText(slots: readonly Slot[], edit: LineEdit): string {
  const bodies = bodiesOf(slots, edit)
  return edit.lines.map((line, index) => `${bodies[index]}${'body' in line ? line.written ?? '\n' : '\n'}`).join('')
}

function oldLines(slots: readonly Slot[], { at, count }: LineEdit): string[] {
  return slots.slice(at, at + count).map(({ body }) => body)
}

const editReplace: Make = (source) => {
  const { slots, path, random } = source
  const edit = asWritten(rangeEdit(source, true), random)
  const args = { path, old_text: withBreaks(oldLines(slots, edit)), new_text: writtenText(slots, edit) }
  return { name: 'edit_replace', edit, args }
}

const searchReplace: Make = (source) => {
  const { slots, path } = source
  const edit = rangeEdit(source, true)
  const [old, added] = [withBreaks(oldLines(slots, edit)), withBreaks(bodiesOf(slots, edit))]
  const text = `${path}\n<<<<<<< SEARCH\n${old}=======\n${added}>>>>>>> REPLACE\n`
  return { name: 'search-replace', edit, text }
}

/** Without the last line break of both, so that it fits a last line that has none; parts of lines, too. */
const replaceText: Make = (source) => {
  const { slots, path, random, fresh } = source
  const edit = rangeEdit(source, false)
  if (random() < 0.5) {
    const old = oldLines(slots, edit)
    const place = { ...edit, lines: [{ kept: 0 }, { body: fresh() }, { body: fresh() }, { kept: old.length - 1 }] }
    const [first = '', last = ''] = [old[0], old.at(-1)]
    const [head, tail] = [first.slice(first.indexOf('=')), last.slice(0, last.indexOf('='))]
    const added = bodiesOf(slots, place).slice(1, 3)
    if (old.length > 1) {
      const args = {
        path, old_text: [head, ...old.slice(1, -1), tail].join('\n'), new_text: [head, ...added, tail].join('\n'),
      }
      return { name: 'file_replace_text', edit: place, args }
    }
    const inserted = { ...edit, lines: [{ body: added[0] ?? '' }, { kept: 0 }] }
    const args = { path, old_text: tail, new_text: `${added[0]}\n${tail}` }
    return { name: 'file_replace_text', edit: inserted, args }
  }
  // The break behind the last line is not quoted: it stays, whichever line comes before it then.
  const last = edit.lines.at(-1)
  const isMoved = last && 'kept' in last && last.kept < edit.count - 1
  const whole = isMoved ? { ...edit, lines: [...edit.lines, { body: fresh() }] } : edit
  const [old, added] = [oldLines(slots, whole).join('\n'), bodiesOf(slots, whole).join('\n')]
  return { name: 'file_replace_text', edit: whole, args: { path, old_text: old, new_text: added } }
}

/** Of each line from the first a new one in front of it; the new lines are all the same. */
const replaceAllText: Make = ({ slots, path, fresh }) => {
  const body = `// before ${fresh()}`
  const lines = slots.flatMap((_slot, index): NewLine[] => [{ body }, { kept: index }])
  const args = { path, old_text: 'export const', new_text: `${body}\nexport const` }
  const edit: LineEdit = { at: 0, count: slots.length, lines, end: 'as it was' }
  return { name: 'file_replace_all_text', edit, args, isLast: true }
}

function withEnd(source: Source, edit: LineEdit): { edit: LineEdit; text: string } {
  const written = asWritten(edit, source.random)
  const text = writtenText(source.slots, written)
  // A text whose last line is without a break; one that is to have breaks as written keeps all of them.
  const isCut = written === edit && text !== '' && source.random() < 0.4
  return { edit: { ...written, end: isCut ? 'as it was' : 'broken' }, text: isCut ? text.slice(0, -1) : text }
}

const replaceLines: Make = (source) => {
  const { edit, text } = withEnd(source, rangeEdit(source, true))
  const args = { path: source.path, lines: `${edit.at + 1}-${edit.at + edit.count}`, new_content: text }
  return { name: 'file_replace_lines', edit, args }
}

function insertion({ slots, random, fresh }: Source): LineEdit {
  const lines = Array.from({ length: 1 + below(random, 3) }, (): NewLine => ({ body: fresh() }))
  return { at: below(random, slots.length + 1), count: 0, lines, end: 'as it was' }
}

const writeRange: Make = (source) => {
  const isInsertion = source.random() < 0.5
  const { edit, text } = withEnd(source, isInsertion ? insertion(source) : rangeEdit(source, true))
  const { at, count } = edit
  const args = {
    path: source.path, startLine: at + 1, ...(!isInsertion && { endLine: at + count }), content: text,
  }
  return { name: 'fs.writeRange', edit, args }
}

const append: Make = (source) => {
  const { slots, path, random } = source
  const edit = { ...insertion(source), at: slots.length }
  const isBehindBare = isBare(slots.at(-1))
  const bodies = bodiesOf(slots, edit)
  const isCut = random() < 0.3
  const lines = edit.lines.map((line, index): NewLine => (
    isCut && index === bodies.length - 1 && 'body' in line ? { body: line.body, written: '' } : line
  ))
  const content = (isBehindBare ? '\n' : '') + bodies.join('\n') + (isCut ? '' : '\n')
  return { name: 'file_append', edit: { ...edit, lines, end: 'broken' }, args: { path, content } }
}

const insert: Make = (source) => {
  const { slots, path, random } = source
  const edit = insertion(source)
  const sides = ['line', ...(edit.at > 0 ? ['after'] : []), ...(edit.at < slots.length ? ['before'] : [])]
  const side = sides[below(random, sides.length)] ?? 'line'
  const place = side === 'line' ? edit.at + 1 : `${slots[side === 'after' ? edit.at - 1 : edit.at]?.body}\n`
  return { name: 'file_insert', edit, args: { path, [side]: place, new_text: withBreaks(bodiesOf(slots, edit)) } }
}

const symbolReplace: Make = ({ slots, path, random, fresh }) => {
  const at = below(random, slots.length)
  const symbol = symbolOf(slots[at])
  const number = fresh().slice('export const n'.length).split(' ')[0]
  const isLong = random() < 0.5
  const bodies = isLong ? [`export const ${symbol} = [`, `  ${number},`, ']'] : [`export const ${symbol} = ${number}`]
  const lines = bodies.map((body): NewLine => ({ body }))
  const args = { path, symbol, new_text: withBreaks(bodies) }
  return { name: 'symbol_replace', edit: { at, count: 1, lines, end: 'as it was' }, args, isLast: true }
}

const symbolInsert: Make = (source) => {
  const { slots, path, random } = source
  const edit = { ...insertion(source), at: below(random, slots.length) }
  const isAfter = random() < 0.5
  const args = { path, symbol: symbolOf(slots[edit.at]), new_text: withBreaks(bodiesOf(slots, edit)) }
  const name = isAfter ? 'symbol_insert_after' : 'symbol_insert_before'
  return { name, edit: { ...edit, at: edit.at + (isAfter ? 1 : 0) }, args }
}

function symbolOf(slot: Slot | undefined): string {
  return /n\d+/.exec(slot?.body ?? '')?.[0] ?? ''
}

interface HunkLine {
  sign: ' ' | '-' | '+'
  body: string
  isBare: boolean
}

/** The lines of a hunk with a line around, where there is one. */
function hunkOf(slots: readonly Slot[], { at, count, lines }: LineEdit): { from: number; hunk: HunkLine[] } {
  const from = Math.max(0, at - 1)
  const rowOf = (index: number, sign: HunkLine['sign']): HunkLine => (
    { sign, body: slots[index]?.body ?? '', isBare: index === slots.length - 1 && isBare(slots[index]) }
  )
  const hunk: HunkLine[] = at > 0 ? [rowOf(at - 1, ' ')] : []
  let next = 0
  const wasBare = at + count === slots.length && isBare(slots.at(-1))
  for (const [index, line] of lines.entries()) {
    const isEnd = wasBare && index === lines.length - 1
    if ('body' in line) hunk.push({ sign: '+', body: line.body, isBare: isEnd })
    else {
      for (; next < line.kept; next++) hunk.push(rowOf(at + next, '-'))
      hunk.push(rowOf(at + next++, ' '))
    }
  }
  for (; next < count; next++) hunk.push(rowOf(at + next, '-'))
  if (at + count < slots.length) hunk.push(rowOf(at + count, ' '))
  return { from, hunk }
}

function v4aText(slots: readonly Slot[], edit: LineEdit, path: string): string {
  const rows = hunkOf(slots, edit).hunk.map(({ sign, body }) => `${sign}${body}\n`)
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n${rows.join('')}*** End Patch\n`
}

function unifiedText(slots: readonly Slot[], edit: LineEdit, path: string): string {
  const { from, hunk } = hunkOf(slots, edit)
  const size = (other: string): number => hunk.filter(({ sign }) => sign !== other).length
  const rows = hunk.map(({ sign, body, isBare: bare }) => (
    `${sign}${body}\n${bare ? '\\ No newline at end of file\n' : ''}`
  ))
  const start = (lines: number): number => (lines === 0 ? from : from + 1)
  const header = `@@ -${start(size('+'))},${size('+')} +${start(size('-'))},${size('-')} @@`
  return `--- a/${path}\n+++ b/${path}\n${header}\n${rows.join('')}`
}

/** A line that stays is context, and a bare last line that others follow is replaced by itself. */
function hunkEdit(source: Source): LineEdit {
  const edit = source.random() < 0.4 ? insertion(source) : rangeEdit(source, true)
  const isAtBareEnd = edit.at + edit.count === source.slots.length && isBare(source.slots.at(-1))
  if (!isAtBareEnd) return edit
  const lines = edit.lines.filter((line) => 'body' in line)
  return edit.count === 0 ? { ...edit, at: edit.at - 1, count: 1, lines } : { ...edit, lines }
}

/** What `diff -U0` has of lines at the end: the only hunk whose place nothing quoted tells. */
const unifiedAtEnd: Make = (source) => {
  const { slots, path } = source
  // Of a file of one line git does not take it.
  if (slots.length === 1) return editReplace(source)
  const edit: LineEdit = { ...insertion(source), at: slots.length, end: 'broken' }
  const bodies = bodiesOf(slots, edit)
  const header = `@@ -${slots.length},0 +${slots.length + 1},${bodies.length} @@`
  const text = `--- a/${path}\n+++ b/${path}\n${header}\n${bodies.map((body) => `+${body}\n`).join('')}`
  return { name: 'patch_unified', edit, args: { patch: text } }
}

const patch = (name: string, write: typeof v4aText, isVerb: boolean): Make => (source) => {
  const edit = hunkEdit(source)
  const text = write(source.slots, edit, source.path)
  if (isVerb) return { name, edit, args: { patch: text } }
  return { name, edit, text: name === 'unified' ? `\`\`\`diff\n${text}\`\`\`\n` : text }
}

export const MAKERS: readonly Make[] = [
  editReplace, searchReplace, replaceText, replaceText, replaceAllText, replaceLines, writeRange, writeRange, append,
  insert, symbolReplace, symbolInsert, patch('apply_patch', v4aText, true), patch('v4a', v4aText, false),
  patch('patch_unified', unifiedText, true), patch('unified', unifiedText, false), unifiedAtEnd,
]
