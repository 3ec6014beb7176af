import { readdirSync, readFileSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'

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
    const isAtPipe = threads(pid).some((thread) => AT_A_PIPE.test(contentOf(`/proc/${pid}/task/${thread}/wchan`)))
    if (isAtPipe && wasAtPipe) stop()
    wasAtPipe = isAtPipe
  }, STEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function threads(pid: number): string[] {
  return orNothing(() => readdirSync(`/proc/${pid}/task`), [])
}

function contentOf(path: string): string {
  return orNothing(() => readFileSync(path, 'latin1'), '')
}
