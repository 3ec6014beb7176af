/** Plants many at once, and again what the call did not come to. */

/**
 * Canaries are in each other's way: one ends the call, or takes the room of the next. What was not looked at while it
 * lay there is planted again without what was, until nothing more is looked at. Where one fired, it is looked for by
 * halves.
 *
 * @param {readonly string[]} paths
 * @param {(group: readonly string[]) => Promise<{ seen: ReadonlySet<string>, hasFired: boolean }>} plantFor
 * @param {() => boolean} isOver no more is played
 * @returns {Promise<{ seen: number, unseen: number, notPlayed: number }>} how many were looked at, how many were not
 *   (the call looks there in some runs alone, or something else is there), and how many were not played so far
 */
export async function plantUntilSeen(paths, plantFor, isOver) {
  const counts = { seen: 0, unseen: 0, notPlayed: 0 }
  for (let group = paths; group.length > 0;) {
    if (isOver()) return { ...counts, notPlayed: group.length }
    const { seen, hasFired } = await plantFor(group)
    if (hasFired) await findFired(group, plantFor, isOver)
    const rest = group.filter((path) => !seen.has(path))
    if (rest.length === group.length) return { ...counts, unseen: rest.length }
    counts.seen += group.length - rest.length
    group = rest
  }
  return counts
}

async function findFired(group, plantFor, isOver) {
  if (group.length < 2) return
  const middle = Math.ceil(group.length / 2)
  for (const half of [group.slice(0, middle), group.slice(middle)]) {
    if (isOver()) return
    if ((await plantFor(half)).hasFired) await findFired(half, plantFor, isOver)
  }
}
