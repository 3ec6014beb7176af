import { ansiLines, outputLines } from '../ansi-lines.js'
import { inlineOf, rowsOf, type DiffRow } from '../diff-rows.js'
import { foldOf } from '../fold.js'
import { CHANGE_WORDS, exitWords, hunkWords } from '../page-words.js'
import type { PageChange, PageOutput } from '../run-page-model.js'
import { element, joined, type Child, type Markup } from './markup.js'

/** Lines that are shown of one text, its beginning and its end; UTF-16 units of a line. */
const [HEAD, TAIL] = [1000, 200]
const LONGEST = 4000
/** More lines than these are closed at first. */
const MOST_OPEN = 120

/** How much of a page may be lines of texts: what comes later is only named, with its size. */
export class Room {
  /** @param left UTF-16 units */
  constructor(private left = 16 * 1024 * 1024) {}

  /** Whether there is still room for lines, which are then counted. */
  takes(lines: readonly string[]): boolean {
    if (this.left <= 0) return false
    this.left -= lines.reduce((sum, line) => sum + Math.min(line.length, LONGEST) + 80, 0)
    return true
  }
}

/** What a block did to one path. */
export function staticChange({ kind, path, from, added, removed, hunks, note }: PageChange, room: Room): Markup {
  const head = element(
    'span', { class: 'change-head' },
    element('span', { class: 'change-kind' }, CHANGE_WORDS[kind]), ' ',
    element('span', { class: 'path' }, from === undefined ? '' : `${from} → `, path), ' ',
    lineCounts(added, removed),
  )
  const below = note === undefined ? undefined : element('p', { class: 'note' }, note)
  const rows = hunks.flatMap((hunk): Row[] => {
    const [first, ...rest] = inlineOf(rowsOf(hunk))
    return first ? [{ ...first, ...(hunks.length > 1 && { heading: hunkWords(hunk) }) }, ...rest] : []
  })
  if (rows.length === 0) return element('section', { class: 'change' }, head, below)
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const body = room.takes(lines) ? diffTable(rows) : leftOut(lines.length)
  return folded('change', rows.length, joined([head, lineCount(rows.length)]), [below, body])
}

interface Row extends DiffRow {
  heading?: string
}

function diffTable(rows: readonly Row[]): Markup {
  const fold = foldOf(rows.length, HEAD, TAIL)
  const shown = fold ? [...rows.slice(0, fold.head).map(diffRow), hunkRow(hiddenWords(fold.hidden)),
    ...rows.slice(-fold.tail).map(diffRow)] : rows.map(diffRow)
  return element(
    'div', { class: 'diff-frame' },
    element('table', { class: 'diff inline' }, element('tbody', {}, ...shown)),
  )
}

function diffRow({ left, right, heading }: Row): Markup {
  const line = left ?? right
  if (!line) return joined([])
  const { kind, text } = line
  const sign = kind === 'added' ? '+' : kind === 'removed' ? '−' : ''
  const tag = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span'
  return joined([
    heading === undefined ? undefined : hunkRow(heading),
    element(
      'tr', {},
      element('td', { class: `number ${kind}`, 'data-n': left?.number }),
      element('td', { class: `number ${kind}`, 'data-n': right?.number }),
      element('td', { class: `sign ${kind}` }, sign),
      element('td', { class: `code ${kind}` }, element(tag, { class: 'line' }, clipped(text))),
    ),
  ])
}

function hunkRow(words: string): Markup {
  return element('tr', { class: 'hunk' }, element('td', { colspan: 4 }, words))
}

/** What a command printed, in its colours, and how it ended. */
export function staticOutput({ stdout, stderr, exitCode }: PageOutput, name: string, room: Room): Markup {
  const streams = [[name, stdout], ['Standard error', stderr]] as const
  return element(
    'section', { class: 'output' },
    ...streams.filter(([, text]) => text !== '').map(([title, text]) => (
      linesOf(title, outputLines(text), ansiMarkup, room))),
    element('p', { class: 'note' }, exitWords(exitCode), stdout + stderr === '' ? ' It printed nothing.' : ''),
  )
}

function ansiMarkup(lines: readonly string[]): Markup[] {
  return ansiLines(lines).map((spans) => element(
    'span', { class: 'line' },
    ...spans.map(({ text, classes }): Child => (classes === '' ? clipped(text)
      : element('span', { class: classes }, clipped(text)))),
    '\n',
  ))
}

/** A text of any kind. */
export function staticText(title: string, text: string, room: Room, isOpen = true): Markup {
  return linesOf(title, text.replace(/\n$/, '').split(/\r?\n/), plainLines, room, isOpen)
}

function plainLines(lines: readonly string[]): Markup[] {
  return lines.map((line) => element('span', { class: 'line' }, clipped(line), '\n'))
}

function linesOf(
  title: string, lines: readonly string[], draw: (lines: readonly string[]) => Markup[], room: Room, isOpen = true,
): Markup {
  const fold = foldOf(lines.length, HEAD, TAIL)
  const shown = !room.takes(lines) ? leftOut(lines.length)
    : element('div', { class: 'text-frame' }, element(
      'div', { class: 'lines' },
      ...(fold ? [...draw(lines.slice(0, fold.head)), element('p', { class: 'note' }, hiddenWords(fold.hidden)),
        ...draw(lines.slice(-fold.tail))] : draw(lines)),
    ))
  return folded('source', isOpen ? lines.length : Infinity, joined([title, ' ', lineCount(lines.length)]), [shown])
}

function folded(name: string, lines: number, summary: Markup, parts: readonly Child[]): Markup {
  return element('details', { class: name, open: lines <= MOST_OPEN }, element('summary', {}, summary), ...parts)
}

/** `+3 −1`. */
export function lineCounts(added: number, removed: number): Markup | undefined {
  if (added + removed === 0) return undefined
  return element(
    'span', { class: 'counts' },
    added > 0 ? element('span', { class: 'plus' }, `+${added}`) : undefined, added > 0 && removed > 0 ? ' ' : undefined,
    removed > 0 ? element('span', { class: 'minus' }, `−${removed}`) : undefined,
  )
}

function lineCount(count: number): Markup {
  return element('span', { class: 'size' }, ` · ${count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`}`)
}

function hiddenWords(count: number): string {
  return `… ${count.toLocaleString('en')} more lines; with scripts they can be shown`
}

/** In the place of lines for which there is no room. */
export function leftOut(count: number): Markup {
  return element(
    'p', { class: 'note' },
    `Left out, since this page is long: ${count.toLocaleString('en')} lines. With scripts they can be shown.`,
  )
}

function clipped(line: string): string {
  return line.length <= LONGEST ? line
    : `${line.slice(0, LONGEST)}… ${(line.length - LONGEST).toLocaleString('en')} more characters in this line`
}
