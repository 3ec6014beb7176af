/**
 * The least of some rounds, in milliseconds of processor time, the engine's own threads included: what else the machine
 * does changes it little.
 */
export function best(act, rounds) {
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
