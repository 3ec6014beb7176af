import { totalmem } from 'node:os'
import { memoryOf } from '../identity/memory-of.js'
import { readIfThere, threadsOf } from '../identity/process-table.js'

const STEP_MS = 250
/** Of the machine's memory. */
const MOST_SHARE = 0.75

/** Bytes that a program and what it has started may hold together, where nobody says otherwise: git needs far less. */
export const MOST_MEMORY_BYTES = Math.min(8 * 2 ** 30, Math.floor(totalmem() * MOST_SHARE))

/**
 * Calls `stop` once a program and its descendants hold more memory than a bound, as `memoryOf` counts it. Known on
 * Linux only. A look now and then: a burst may pass.
 *
 * @returns ends the watch
 */
export function watchMemory(pid: number, mostBytes: number, stop: () => void): () => void {
  const timer = setInterval(() => {
    if (memoryOf(withDescendants(pid)) > mostBytes) stop()
  }, STEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Each thread may have started some. */
function withDescendants(pid: number): number[] {
  const children = threadsOf(pid).flatMap(thread => readIfThere(pid, `task/${thread}/children`).match(/\d+/g) ?? [])
  return [pid, ...children.map(Number).flatMap(withDescendants)]
}
