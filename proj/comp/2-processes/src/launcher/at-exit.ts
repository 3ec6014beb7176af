const atExit = new Set<() => void>()

/**
 * Who ends hermes at once (a second Ctrl-C) leaves nothing of a program either.
 *
 * @param kill cannot wait for anything
 * @returns to be called when the program is gone
 */
export function whenHermesExits(kill: () => void): () => void {
  if (atExit.size === 0) process.once('exit', killAll)
  atExit.add(kill)
  return () => {
    atExit.delete(kill)
    if (atExit.size === 0) process.off('exit', killAll)
  }
}

function killAll(): void {
  for (const kill of atExit) kill()
}
