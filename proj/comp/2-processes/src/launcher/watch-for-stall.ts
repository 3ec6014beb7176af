import { readIfThere, threadsOf } from '../identity/process-table.js'

const STEP_MS = 250
/** Where Linux says that a thread sleeps which has opened a pipe that nobody writes to. */
const AT_A_PIPE = /^(?:wait_for_partner|fifo_open)$/

/**
 * Calls `stop` once a program waits for what never comes: git and ripgrep open a pipe that is called `.gitignore`, and
 * wait for someone to write to it. Known on Linux only; elsewhere a time limit has to end them.
 *
 * @returns ends the watch
 */
export function watchForStall(pid: number, stop: () => void): () => void {
  let wasAtPipe = false
  const timer = setInterval(() => {
    const isAtPipe = threadsOf(pid).some((thread) => AT_A_PIPE.test(readIfThere(pid, `task/${thread}/wchan`)))
    if (isAtPipe && wasAtPipe) stop()
    wasAtPipe = isAtPipe
  }, STEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}
