/** The shortest of some rounds, in milliseconds: what else the machine does only adds. */
export function best(act, rounds) {
  let shortest = Infinity
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    act()
    shortest = Math.min(shortest, performance.now() - start)
  }
  return shortest
}
