/**
 * Measures each by turns, so that what else the machine does befalls all alike. The first round warms up.
 *
 * @param acts by name; each resolves to its own figure, or to nothing for the time it took, in milliseconds
 * @returns the median of each
 */
export async function medians(acts, rounds) {
  const figures = Object.fromEntries(Object.keys(acts).map(name => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, act] of Object.entries(acts)) {
      const started = performance.now()
      const figure = await act() ?? performance.now() - started
      if (round > 0) figures[name].push(figure)
    }
  }
  return Object.fromEntries(Object.entries(figures).map(([name, all]) => [name, median(all)]))
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
