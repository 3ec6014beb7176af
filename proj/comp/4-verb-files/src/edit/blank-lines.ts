import { indentLength, type LineRange } from '../../../1-edits/src/index.js'
import type { WholeDeclaration } from '../../../2-syntax/src/index.js'

/**
 * The blank lines to write around lines that are inserted beside a declaration, so that the spacing stays as it was.
 */
export function blankLines(
  lines: readonly string[], whole: WholeDeclaration, side: 'before' | 'after',
  added: { count: number; lead: number; trail: number },
): { lead: number; trail: number } {
  const { above, below } = around(lines, whole)
  const [near, far] = side === 'before' ? [above, below] : [below, above]
  const areLong = added.count > 1 && whole.lastLine > whole.commentLine
  const gap = gapBetween(near, far, areLong)
  const [lead, trail] = [Math.max(gap, added.lead), Math.max(gap, added.trail)]
  return side === 'before'
    ? { lead: above === undefined ? 0 : Math.max(0, lead - above), trail }
    : { lead, trail: below === undefined ? 0 : Math.max(0, trail - below) }
}

/** The lines to delete with a declaration: its comment, and the blank lines on the side that has fewer. */
export function deletedLines(lines: readonly string[], whole: WholeDeclaration): LineRange {
  const { commentLine: first, lastLine: last } = whole
  const { above, below } = around(lines, whole)
  if (below === undefined) return { first: first - (above ?? 0), last }
  if (above === undefined) return { first, last: last + below }
  return above < below ? { first: first - above, last } : { first, last: last + (above === 0 ? 0 : below) }
}

function gapBetween(near: number | undefined, far: number | undefined, areLong: boolean): number {
  if (near === undefined) return far ?? (areLong ? 1 : 0)
  return near === 0 && areLong ? far ?? 0 : near
}

/** Number of blank lines on each side of a declaration; `undefined` where no code of the same level follows. */
function around(lines: readonly string[], { commentLine, firstLine, lastLine }: WholeDeclaration) {
  const level = indentLength(lines[firstLine - 1] ?? '')
  let above = commentLine - 2
  while (above >= 0 && isBlank(lines[above])) above--
  let below = lastLine
  while (below < lines.length && isBlank(lines[below])) below++
  const [before, after] = [lines[above], lines[below]]
  return {
    above: before === undefined || indentLength(before) < level ? undefined : commentLine - 2 - above,
    below: after === undefined || indentLength(after) < level || CLOSES.test(after) ? undefined : below - lastLine,
  }
}

const CLOSES = /^\s*(?:[})\]]|end\b)/

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === ''
}
