/**
 * Swaps pairs of names in a tight loop, by renaming each away and the other into its place; for ever, or until its
 * parent is gone. Tells its parent how often. Usage: fork with the names of a pair one after the other.
 */
import { renameSync } from 'node:fs'

const names = process.argv.slice(2)
let swaps = 0
let made = 0

process.on('disconnect', () => process.exit())
turn()

function turn() {
  for (let round = 0; round < 500; round++) {
    for (let pair = 0; pair < names.length; pair += 2) swap(names[pair], names[pair + 1])
  }
  swaps += 500
  if (process.connected) process.send(swaps)
  setImmediate(turn)
}

function swap(one, other) {
  put(one, `${one}.away`)
  put(other, one)
  put(one, other)
  put(`${one}.away`, one)
}

/** What the other side made in the way goes aside; of a name that is gone for a moment, the rest goes on. */
function put(from, to, tries = 3) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (error.code === undefined) throw error
    if (error.code === 'ENOENT' || tries === 0) return
    put(to, `${to}.aside-${made++}`, 0)
    put(from, to, tries - 1)
  }
}
