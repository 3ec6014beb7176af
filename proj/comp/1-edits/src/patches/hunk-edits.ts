import { endingsFor, linesOf as fileLines, type Place, shiftLine, usualEnding } from '../engine/index.js'
import { type Hunk, type HunkLine, linesOf } from './patch.js'
import { linesFrom } from './lines-from.js'

/** A replacement of the text between two offsets, which are equal for an insertion. */
export interface TextEdit {
  start: number
  end: number
  inserted: string
}

/**
 * The edits that a hunk makes at its place: context keeps the file's bytes; new lines take the indentation and endings
 * of the lines they replace or stand beside. The last line of a file keeps its line break, or its lack of one, unless
 * the hunk says otherwise.
 */
export function editsOf(text: string, hunk: Hunk, place: Place): TextEdit[] {
  const edits: TextEdit[] = []
  const rows = linesFrom(text, place.start, place.end)
  let at = place.start
  let run: { start: number; added: HunkLine[] } | undefined
  const finish = (): void => {
    if (run !== undefined) edits.push(editOf(text, hunk, place, { ...run, end: at }))
    run = undefined
  }
  for (const line of hunk.lines) {
    if (line.sign === ' ') finish()
    else run ??= { start: at, added: [] }
    if (line.sign === '+') run?.added.push(line)
    else at = rows.next().value?.end ?? place.end
  }
  finish()
  return edits
}

function editOf(
  text: string, hunk: Hunk, place: Place, { start, end, added }: { start: number; end: number; added: HunkLine[] },
): TextEdit {
  const usual = usualEnding(text, { start, end }, fileLines(text.slice(start, end)))
  // Carriage returns on all lines of a patch come from how the answer was written; on new lines alone they are
  // intended.
  const old = linesOf(hunk, 'old')
  const isLiteral = place.tier === 'exact' && usual === '\n'
    && old.length > 0 && !old.some((line) => line.text.endsWith('\r'))
  const bodies = added.map((line) => shiftLine(isLiteral ? line.text : line.text.replace(/\r$/, ''), place.shift))
  const endings = endingsFor(text, { start, end }, bodies)
  const isBare = end === text.length && added.length > 0 && !endsWithBreak(text, hunk, added)
  const inserted = bodies.map((body, index) => body + (isBare && index === bodies.length - 1 ? '' : endings[index]))
  const followsBare = end === text.length && added.length > 0 && start === end && start > 0
    && !/[\n\ufeff]/.test(text[start - 1] ?? '')
  return { start, end, inserted: (followsBare ? usual : '') + inserted.join('') }
}

function endsWithBreak(text: string, { lines }: Hunk, added: readonly HunkLine[]): boolean {
  if (added.at(-1)?.bare === true) return false
  const wasBare = lines.some(({ sign, bare }) => sign !== '+' && bare === true)
  return wasBare || text === '' || text === '\ufeff' || text.endsWith('\n')
}

/** The text with sorted, non-overlapping edits applied. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = []
  let from = 0
  for (const { start, end, inserted } of edits) {
    pieces.push(text.slice(from, start), inserted)
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}
