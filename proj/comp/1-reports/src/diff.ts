import type { StructuredPatchHunk } from 'diff'
import type { FileChange } from '../../0-contracts/src/index.js'
import { withoutCommonEnds } from './common-ends.js'
import { createPalette, type Palette } from './palette.js'
import { plural } from './quantities.js'
import { type ReportStyle, shortPath } from './report-style.js'
import { linesOf, oneLine } from './safe-text.js'

const INDENT = '    '
/** Lines shown of one file's diff. */
const MAX_LINES = 120
/** Lines shown around a change. */
const CONTEXT = 3
/** Edits after which two texts count as entirely different: the search takes the square of it. */
const MAX_EDITS = 2000

interface Look {
  structuredPatch: typeof import('diff')['structuredPatch']
  roots: readonly string[]
  palette: Palette
}

/**
 * Makes a function that shows changes of files: unified diffs of what was written, one line for what was moved,
 * deleted or created as a directory. The diff algorithm is loaded by this call.
 */
export async function loadDiffRenderer(style: ReportStyle = {}): Promise<(changes: readonly FileChange[]) => string> {
  const look = await loadLook(style)
  return changes => indented(changes.flatMap(change => changeLines(change, look)))
}

/** How a text changed that is no file a run wrote, as an answer that was mended. */
export async function renderTextDiff(
  name: string, before: string, after: string, style: ReportStyle = {},
): Promise<string> {
  return indented(modified(oneLine(name), before, after, await loadLook(style)))
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
  const limits = { context: CONTEXT, maxEditLength: MAX_EDITS }
  const middle = withoutCommonEnds(before, after, CONTEXT)
  const patch = structuredPatch(path, path, middle.before, middle.after, undefined, undefined, limits)
  if (patch === undefined) {
    const sizes = `${lineCount(before)} before, ${lineCount(after)} after`
    return [...head, palette.faint(`(too different for a diff: ${sizes})`)]
  }
  // In a file of CRLF lines only, each line would end in an escape.
  const strip = isAllCrlf(before) && isAllCrlf(after)
  const shown = patch.hunks.flatMap(hunk => hunkLines(hunk, middle.linesBefore, strip, palette))
  return [...head, ...shorten(shown, palette)]
}

function hunkLines(hunk: StructuredPatchHunk, linesBefore: number, strip: boolean, palette: Palette): string[] {
  const { oldStart, oldLines, newStart, newLines, lines } = hunk
  const head = palette.accent(`@@ -${oldStart + linesBefore},${oldLines} +${newStart + linesBefore},${newLines} @@`)
  return [head, ...lines.map(line => {
    const safe = oneLine(strip ? line.replace(/\r$/, '') : line)
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
