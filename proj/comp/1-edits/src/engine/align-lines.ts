/** Most pairs of lines for which the exact alignment is computed. */
const MOST_PAIRS = 250_000

/**
 * Matches the new lines to old ones by the longest common subsequence.
 *
 * @returns for each new line the index of its old line, or -1
 */
export function alignLines(before: readonly string[], after: readonly string[]): number[] {
  const kept = after.map(() => -1)
  let first = 0
  while (first < before.length && first < after.length && before[first] === after[first]) kept[first] = first++
  let oldEnd = before.length
  let newEnd = after.length
  while (oldEnd > first && newEnd > first && before[oldEnd - 1] === after[newEnd - 1]) kept[--newEnd] = --oldEnd
  const oldLines = before.slice(first, oldEnd)
  const newLines = after.slice(first, newEnd)
  if (oldLines.length * newLines.length > MOST_PAIRS) return kept
  for (const [newIndex, oldIndex] of longestCommon(oldLines, newLines)) kept[first + newIndex] = first + oldIndex
  return kept
}

/** Index pairs `[new, old]` of the longest common subsequence. */
function longestCommon(before: readonly string[], after: readonly string[]): [number, number][] {
  const width = after.length + 1
  const lengths = new Int32Array((before.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) pairs.push([j++, i++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
