import {
  environmentOf, listPids, readProcess, usageOf, type LinuxProcess, type Usage,
} from '../../../2-processes/src/index.js'

/** A set of processes that are ended together. */
export interface RunProcesses {
  /** Those alive now. */
  living(): readonly Pick<LinuxProcess, 'pid'>[]
}

/**
 * The processes of one run, found in `/proc`: the child, its descendants, processes in a session with one of these, and
 * those that carry the run's mark in their environment, which finds a daemon whose ancestors are gone. Processes once
 * found stay known.
 */
export class LinuxProcesses implements RunProcesses {
  /** Start time by pid. */
  readonly #known = new Map<number, number>()
  readonly #childStarted: number

  /**
   * @param child a process not reaped yet
   * @param mark `''` where nothing can escape: then no environment is read
   * @param inMemory as in `ProgramLimits`
   */
  constructor(child: number, private readonly mark: string, private readonly inMemory: readonly string[] = []) {
    // Without a readable /proc nothing is found, and only the process group remains.
    this.#childStarted = readProcess(child)?.started ?? Infinity
    this.#known.set(child, this.#childStarted)
  }

  /** Those alive now; reads `/proc` once. */
  living(): LinuxProcess[] {
    if (this.#childStarted === Infinity) return []
    const table = new Map<number, LinuxProcess>()
    for (const pid of listPids()) {
      const status = readProcess(pid)
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

  /** Total usage of those alive now: processes and threads, and bytes of memory. */
  usage(): Usage {
    return usageOf(this.living(), this.inMemory)
  }

  #isMarked({ pid }: LinuxProcess): boolean {
    return this.mark !== '' && environmentOf(pid).includes(this.mark)
  }

  #isKnown({ pid, started }: LinuxProcess): boolean {
    return this.#known.get(pid) === started
  }

  /** Whether an id names a process of the run, alive or gone, rather than a later process with the same number. */
  #isOf(id: number, table: ReadonlyMap<number, LinuxProcess>): boolean {
    const status = table.get(id)
    return status === undefined ? this.#known.has(id) : this.#isKnown(status)
  }
}

/**
 * The foreground process group of a process's terminal; `undefined` where it has no terminal, or cannot be examined.
 */
export function terminalGroupOf(pid: number): number | undefined {
  const group = readProcess(pid)?.terminalGroup ?? -1
  return group > 0 ? group : undefined
}
