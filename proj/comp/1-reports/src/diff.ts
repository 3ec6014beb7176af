import type { StructuredPatchHunk } from 'diff'
import type { FileChange } from '../../0-contracts/src/index.js'
import { utf8Length } from '../../0-text/src/index.js'
import { withoutCommonEnds } from './common-ends.js'
import { createPalette, type Palette } from './palette.js'
import { plural } from './quantities.js'
import { type ReportStyle, shortPath } from './report-style.js'
import { linesOf, oneLine } from './safe-text.js'

const INDENT = '    '
/** Most lines to show of one file's diff. */
const MAX_LINES = 120
/** Lines of context around a change. */
const CONTEXT = 3
/**
 * Most edits to search for, since the search takes quadratic time; beyond that two texts count as completely different.
 */
const MAX_EDITS = 2000
/** The same limit for a diff of which little is shown. */
const MAX_EDITS_OF_SHORT = 400

interface Look {
  structuredPatch: typeof import('diff')['structuredPatch']
  roots: readonly string[]
  palette: Palette
}

/**
 * Loads the diff algorithm, and returns a function that renders changes of files: unified diffs of written ones, one
 * line for moved and deleted files and created directories.
 */
export async function loadDiffRenderer(style: ReportStyle = {}): Promise<(changes: readonly FileChange[]) => string> {
  const look = await loadLook(style)
  return changes => indented(changes.flatMap(change => changeLines(change, look)))
}

/**
 * The changes to files below `root` as shown in an approval question, without indentation; `undefined` where there are
 * none.
 */
export async function changesDiff(changes: readonly FileChange[], root: string): Promise<string | undefined> {
  if (changes.length === 0) return undefined
  const render = await loadDiffRenderer({ roots: [root] })
  return render(changes).replace(/^ {4}/gm, '').trimEnd()
}

/** The change of a text that is no file of a run, such as a mended answer. */
export async function renderTextDiff(
  name: string, before: string, after: string, style: ReportStyle = {},
): Promise<string> {
  return indented(modified(oneLine(name), before, after, await loadLook(style)))
}

/** Lines that begin with `-`, `+` or a space, and `…` between hunks; `undefined` where the texts are too different. */
export type LineDiff = (before: string, after: string) => readonly string[] | undefined

/** Loads the diff algorithm, and returns a function that shows how a passage changed, with one line of context. */
export async function loadLineDiff(): Promise<LineDiff> {
  const { structuredPatch } = await import('diff')
  const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
  return (before, after) => {
    const limits = { context: 1, maxEditLength: MAX_EDITS_OF_SHORT }
    const patch = structuredPatch('', '', ended(before), ended(after), undefined, undefined, limits)
    return patch?.hunks.flatMap(({ lines }, index) => [...(index === 0 ? [] : ['…']), ...lines])
  }
}

/**
 * As many hunks of a change as fit, for models; `undefined` where not even a line fits, or the texts are too different.
 *
 * @param most lines, and bytes in UTF-8
 * @returns `diff`: unified and unescaped, without header; possibly only the beginning. Lines of a CRLF file end in LF
 */
export async function shortTextDiff(
  before: string, after: string, most: { lines: number; bytes: number },
): Promise<{ diff: string; truncated?: true } | undefined> {
  const { structuredPatch } = await import('diff')
  const lines = hunkTexts(before, after, structuredPatch, MAX_EDITS_OF_SHORT)
    ?.flatMap((hunk) => [hunk.head, ...hunk.lines])
  if (lines === undefined) return undefined
  let bytes = 0
  const end = lines.findIndex((line, index) => {
    bytes += utf8Length(line) + 1
    return index >= most.lines || bytes > most.bytes
  })
  if (end === -1) return { diff: lines.join('\n') }
  return end < 2 ? undefined : { diff: lines.slice(0, end).join('\n'), truncated: true }
}

async function loadLook(style: ReportStyle): Promise<Look> {
  const { structuredPatch } = await import('diff')
  return { structuredPatch, roots: style.roots ?? [], palette: createPalette(style.colour ?? false) }
}

function indented(lines: readonly string[]): string {
  return lines.map(line => `${INDENT}${line}\n`).join('')
}

function changeLines(change: FileChange, look: Look): string[] {
  const { roots, palette } = look
  const { kind, before, after } = change
  const path = oneLine(shortPath(change.path, roots))
  switch (kind) {
    case 'create': return [
      palette.strong(`new file ${path}${after === undefined ? ' (no text to show)' : ` (${lineCount(after)})`}`),
      ...(after === undefined ? [] : shorten(linesOf(after).map(line => palette.good(`+${oneLine(line)}`)), palette)),
    ]
    case 'modify': return modified(path, before, after, look)
    case 'move': {
      const from = oneLine(shortPath(change.from ?? change.path, roots))
      const replaced = before === undefined ? '' : `, which replaces ${lineCount(before)}`
      return [palette.strong(`move ${from} → ${path}${replaced}`)]
    }
    case 'delete': return [palette.strong(`delete ${path}${before === undefined ? '' : ` (${lineCount(before)})`}`)]
    case 'create-directory': return [palette.strong(`new directory ${path}`)]
    case 'delete-directory': return [palette.strong(`delete directory ${path}`)]
  }
}

function modified(path: string, before: string | undefined, after: string | undefined, look: Look): string[] {
  const { structuredPatch, palette } = look
  const head = [palette.strong(`--- a/${path}`), palette.strong(`+++ b/${path}`)]
  if (before === undefined || after === undefined) return [...head, palette.faint('(binary or too large for a diff)')]
  if (before === after) return [...head, palette.faint('(unchanged)')]
  const hunks = hunkTexts(before, after, structuredPatch, MAX_EDITS)
  if (hunks === undefined) {
    const sizes = `${lineCount(before)} before, ${lineCount(after)} after`
    return [...head, palette.faint(`(too different for a diff: ${sizes})`)]
  }
  return [...head, ...shorten(hunks.flatMap(hunk => hunkLines(hunk, palette)), palette)]
}

interface HunkText {
  head: string
  lines: readonly string[]
}

/** `undefined` where there are more than `maxEdits` edits. */
function hunkTexts(
  before: string, after: string, structuredPatch: Look['structuredPatch'], maxEdits: number,
): HunkText[] | undefined {
  const limits = { context: CONTEXT, maxEditLength: maxEdits }
  const middle = withoutCommonEnds(before, after, CONTEXT)
  const patch = structuredPatch('', '', middle.before, middle.after, undefined, undefined, limits)
  // In a file with only CRLF, each line would end in an escaped CR.
  const strip = isAllCrlf(before) && isAllCrlf(after)
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk) => ({
    head: `@@ -${oldStart + middle.linesBefore},${oldLines} +${newStart + middle.linesBefore},${newLines} @@`,
    lines: strip ? lines.map(line => line.replace(/\r$/, '')) : lines,
  }))
}

function hunkLines({ head, lines }: HunkText, palette: Palette): string[] {
  return [palette.accent(head), ...lines.map(line => {
    const safe = oneLine(line)
    if (line.startsWith('+')) return palette.good(safe)
    if (line.startsWith('-')) return palette.bad(safe)
    return line.startsWith('\\') ? palette.faint(safe) : safe
  })]
}

function shorten(lines: readonly string[], palette: Palette): string[] {
  if (lines.length <= MAX_LINES) return [...lines]
  return [...lines.slice(0, MAX_LINES), palette.faint(`… ${plural(lines.length - MAX_LINES, 'more line')}`)]
}

function isAllCrlf(text: string): boolean {
  return !/(?:^|[^\r])\n/.test(text)
}

function lineCount(text: string): string {
  return plural(linesOf(text).length, 'line')
}
