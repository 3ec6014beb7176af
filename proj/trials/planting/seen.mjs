/** Plants many at once, and again what nobody came to. */

/** After so many calls in which nobody came to it, a place is left. */
const MOST_TRIES = 2

/**
 * Canaries are in each other's way: one ends the call, or takes the room of the next. What was not looked at while it
 * lay there is planted again without what was, each time for the call that shows most of what is left in the least
 * time, until nothing more is looked at. Where one fired, it is looked for by halves.
 *
 * @template Place
 * @param {ReadonlyMap<Place, ReadonlySet<string>>} callsOf the calls that looked there when nothing was planted
 * @param {(call: string) => number} durationOf of the call, in any unit
 * @param {(group: readonly Place[], call: string) => Promise<{ seen: ReadonlySet<Place>, hasFired: boolean }>} plantFor
 * @param {() => boolean} isOver no more is played
 * @returns {Promise<{ seen: number, unseen: number, notPlayed: number }>} how many were looked at, how many were not
 *   (the calls look there in some runs alone, or something else is there), and how many were not played so far
 */
export async function plantUntilSeen(callsOf, durationOf, plantFor, isOver) {
  const counts = { seen: 0, unseen: 0, notPlayed: 0 }
  const left = new Map([...callsOf].map(([place, calls]) => [place, { calls: new Set(calls), tries: 0 }]))
  while (left.size > 0) {
    if (isOver()) return { ...counts, notPlayed: left.size }
    const call = bestOf([...left.values()].flatMap(({ calls }) => [...calls]), durationOf)
    const group = [...left].filter(([, { calls }]) => calls.has(call)).map(([place]) => place)
    const { seen, hasFired } = await plantFor(group, call)
    if (hasFired) await findFired(group, (half) => plantFor(half, call), isOver)
    for (const place of seen) left.delete(place)
    counts.seen += seen.size
    if (seen.size > 0) continue
    for (const place of group) {
      const found = left.get(place)
      found.calls.delete(call)
      found.tries++
      if (found.calls.size > 0 && found.tries < MOST_TRIES) continue
      left.delete(place)
      counts.unseen++
    }
  }
  return counts
}

function bestOf(names, durationOf) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const rated = [...counts].map(([name, count]) => ({ name, rate: count / durationOf(name) }))
  return rated.reduce((best, one) => (one.rate > best.rate ? one : best)).name
}

async function findFired(group, plantFor, isOver) {
  if (group.length < 2) return
  const middle = Math.ceil(group.length / 2)
  for (const half of [group.slice(0, middle), group.slice(middle)]) {
    if (isOver()) return
    if ((await plantFor(half)).hasFired) await findFired(half, plantFor, isOver)
  }
}
