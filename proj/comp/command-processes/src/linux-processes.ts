import { readdirSync, readFileSync } from 'node:fs'
import { isNodeError } from '../../contracts/src/index.js'

interface Status {
  pid: number
  parent: number
  group: number
  session: number
  /** The process group that has its terminal; -1 without one. */
  terminalGroup: number
  /** Start of the process in clock ticks since boot; with the pid it names one process for ever. */
  started: number
  /** False for a process that only waits to be reaped. */
  lives: boolean
  threads: number
  /** Pages in memory. */
  pages: number
}

/** The smallest there is; where pages are larger, a limit of memory holds less tightly. */
const PAGE_BYTES = 4096

/**
 * The processes of one run, found in `/proc`: the child, what descends from it, what is in a session with one of
 * those, and what carries the run's mark in its environment. The mark finds a daemon whose ancestors are gone. What
 * was found once stays known.
 */
export class LinuxProcesses {
  /** Start by pid. */
  readonly #known = new Map<number, number>()
  readonly #mark: string
  readonly #childStarted: number

  /**
   * @param child a process not reaped yet
   * @param mark `''` where nothing can escape: then no environment is read
   */
  constructor(child: number, mark: string) {
    this.#mark = mark
    // Without a readable /proc nothing is found, and the process group is all there is.
    this.#childStarted = statusOf(child)?.started ?? Infinity
    this.#known.set(child, this.#childStarted)
  }

  /** Those that live now; one pass over `/proc`. */
  living(): Status[] {
    if (this.#childStarted === Infinity) return []
    const table = new Map<number, Status>()
    for (const pid of pids()) {
      const status = statusOf(pid)
      if (status !== undefined && status.started >= this.#childStarted) table.set(pid, status)
    }
    const rest = new Set(table.values())
    for (const status of rest) {
      if (!this.#isKnown(status) && !this.#isMarked(status)) continue
      this.#known.set(status.pid, status.started)
      rest.delete(status)
    }
    for (let found = true; found;) {
      found = false
      for (const status of rest) {
        if (!this.#isOf(status.parent, table) && !this.#isOf(status.session, table)) continue
        this.#known.set(status.pid, status.started)
        found = rest.delete(status)
      }
    }
    return [...table.values()].filter(status => status.lives && this.#isKnown(status))
  }

  /** What those that live now use together, in processes and threads, and in bytes. */
  usage(): { processes: number; memoryBytes: number } {
    const all = this.living()
    const sum = (of: (status: Status) => number) => all.reduce((total, status) => total + of(status), 0)
    return { processes: sum(status => status.threads), memoryBytes: sum(status => status.pages) * PAGE_BYTES }
  }

  #isMarked({ pid }: Status): boolean {
    return this.#mark !== '' && environmentOf(pid).includes(this.#mark)
  }

  #isKnown({ pid, started }: Status): boolean {
    return this.#known.get(pid) === started
  }

  /** Whether an id names a process of the run, living or gone, and not one that got the same number later. */
  #isOf(id: number, table: ReadonlyMap<number, Status>): boolean {
    const status = table.get(id)
    return status === undefined ? this.#known.has(id) : this.#isKnown(status)
  }
}

function pids(): number[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number)
}

function statusOf(pid: number): Status | undefined {
  const stat = processFile(pid, 'stat')
  if (stat === undefined) return undefined
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group, session, , terminalGroup] = fields
  return {
    pid, parent: Number(parent), group: Number(group), session: Number(session),
    terminalGroup: Number(terminalGroup), started: Number(fields[19]),
    lives: !'ZXx'.includes(state), threads: Number(fields[17]), pages: Number(fields[21]),
  }
}

/** The process group that has the terminal of a process; `undefined` where it has none, or cannot be looked at. */
export function terminalGroupOf(pid: number): number | undefined {
  const group = statusOf(pid)?.terminalGroup ?? -1
  return group > 0 ? group : undefined
}

function environmentOf(pid: number): string {
  return processFile(pid, 'environ') ?? ''
}

/** `undefined` for a process that is gone, or that is not ours to look into. */
function processFile(pid: number, name: 'stat' | 'environ'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch (error) {
    if (isNodeError(error) && ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code)) return undefined
    throw error
  }
}
