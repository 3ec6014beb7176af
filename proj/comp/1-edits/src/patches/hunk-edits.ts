import { endingsFor, linesOf as fileLines, type Place, shiftLine, usualEnding } from '../engine/index.js'
import { type Hunk, type HunkLine, linesOf } from './patch.js'
import { linesFrom } from './lines-from.js'

/** Text between two offsets that gives way to another; they are equal where something is put in only. */
export interface TextEdit {
  start: number
  end: number
  inserted: string
}

/**
 * What a hunk changes at its place: its context keeps the file's own bytes, new lines are indented and end as the lines
 * they replace, or those around them. The last line of a file keeps, or keeps lacking, its line break unless the hunk
 * says otherwise.
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

interface Run {
  start: number
  end: number
  added: HunkLine[]
}

function editOf(text: string, hunk: Hunk, place: Place, { start, end, added }: Run): TextEdit {
  const usual = usualEnding(text, { start, end }, fileLines(text.slice(start, end)))
  // Carriage returns of the whole patch are those of the answer, of new lines alone they are meant.
  const isLiteral = place.tier === 'exact' && usual === '\n' && isWithoutReturns(hunk)
  const bodies = added.map((line) => shiftLine(isLiteral ? line.text : line.text.replace(/\r$/, ''), place.shift))
  const endings = endingsFor(text, { start, end }, bodies)
  const isBare = end === text.length && added.length > 0 && !endsWithBreak(text, hunk, added)
  const inserted = bodies.map((body, index) => body + (isBare && index === bodies.length - 1 ? '' : endings[index]))
  const followsBare = end === text.length && added.length > 0 && start === end && start > 0
    && !/[\n\ufeff]/.test(text[start - 1] ?? '')
  return { start, end, inserted: (followsBare ? usual : '') + inserted.join('') }
}

/** It has old lines, none of which ends in a carriage return. */
function isWithoutReturns(hunk: Hunk): boolean {
  const old = linesOf(hunk, 'old')
  return old.length > 0 && !old.some(({ text }) => text.endsWith('\r'))
}

function endsWithBreak(text: string, { lines }: Hunk, added: readonly HunkLine[]): boolean {
  if (added.at(-1)?.bare === true) return false
  const wasBare = lines.some(({ sign, bare }) => sign !== '+' && bare === true)
  return wasBare || text === '' || text === '\ufeff' || text.endsWith('\n')
}

/** The text with all edits, which are sorted and do not overlap. */
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
