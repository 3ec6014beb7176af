import { linesWithBreaks } from '../../../0-text/src/index.js'

interface Edit {
  /** Range of replaced lines of the base; end exclusive. */
  start: number
  end: number
  lines: readonly string[]
}

/** Time limit for a diff, in milliseconds; beyond it two texts count as completely different. */
const MOST_DIFF_MS = 5000

/**
 * Applies the changes from `base` to `changed` to `other`, which also derives from `base`: a three-way merge by lines,
 * as in git. Adjacent changes are both applied.
 *
 * @returns `undefined` where both change the same lines, or add lines at the same place
 */
export async function applyAgain(
  { base, changed, other }: { base: string; changed: string; other: string },
): Promise<string | undefined> {
  if (other === base || other === changed) return changed
  if (changed === base) return other
  const lines = linesWithBreaks(base)
  const [own, given] = [await editsOf(lines, changed), await editsOf(lines, other)]
  if (!own || !given) return undefined
  const all = [...own.map((edit) => ({ edit, side: 0 })), ...given.map((edit) => ({ edit, side: 1 }))]
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end)
  const merged: string[] = []
  let at = 0
  let last: (typeof all)[number] | undefined
  for (const next of all) {
    if (last && next.side !== last.side && isSame(next.edit, last.edit)) continue
    if (last && next.side !== last.side && meet(last.edit, next.edit)) return undefined
    merged.push(...lines.slice(at, next.edit.start), ...next.edit.lines)
    at = next.edit.end
    last = next
  }
  return [...merged, ...lines.slice(at)].join('')
}

/** @param first begins at or before the other */
function meet(first: Edit, second: Edit): boolean {
  const touch = first.end === second.start
  // The order is unclear where lines are only inserted next to a change.
  return first.end > second.start || (touch && (first.start === first.end || second.start === second.end))
}

function isSame(edit: Edit, other: Edit): boolean {
  return edit.start === other.start && edit.end === other.end && edit.lines.join('') === other.lines.join('')
}

async function editsOf(base: readonly string[], text: string): Promise<Edit[] | undefined> {
  const { diffArrays } = await import('diff')
  const parts = diffArrays([...base], linesWithBreaks(text), { timeout: MOST_DIFF_MS })
  if (!parts) return undefined
  const edits: Edit[] = []
  let at = 0
  let open: { start: number; end: number; lines: string[] } | undefined
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined
      at += value.length
      continue
    }
    if (!open) edits.push(open = { start: at, end: at, lines: [] })
    if (added) open.lines.push(...value)
    else open.end = at += value.length
  }
  return edits
}
