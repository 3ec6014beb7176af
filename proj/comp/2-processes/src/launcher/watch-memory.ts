import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { orNothing } from '../../../0-contracts/src/index.js'

const STEP_MS = 250
/** Of the machine's memory. */
const MOST_SHARE = 0.75

/** Bytes that a program and what it has started may hold together, where nobody says otherwise: git needs far less. */
export const MOST_MEMORY_BYTES = Math.min(8 * 2 ** 30, Math.floor(totalmem() * MOST_SHARE))

/**
 * Calls `stop` once a program and its descendants hold more memory of their own than a bound; files that they have
 * mapped do not count. Known on Linux only. A look now and then: a burst may pass.
 *
 * @returns ends the watch
 */
export function watchMemory(pid: number, mostBytes: number, stop: () => void): () => void {
  const timer = setInterval(() => {
    if (memoryOf(pid) > mostBytes) stop()
  }, STEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function memoryOf(pid: number): number {
  const [, kibibytes = '0'] = /^RssAnon:\s*(\d+) kB$/m.exec(contentOf(`/proc/${pid}/status`)) ?? []
  const children = contentOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter((child) => child !== '')
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), Number(kibibytes) * 1024)
}

function contentOf(path: string): string {
  return orNothing(() => readFileSync(path, 'latin1'), '')
}
