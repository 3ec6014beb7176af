import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../../0-contracts/src/index.js'
import {
  endProcesses as endAll, sendSignal, environmentOf, listPids, readProcess, type LinuxProcess,
} from '../../../../2-processes/src/index.js'

/** Milliseconds for a git process that outlived its run to end by itself, since it may be about to commit. */
const GIT_ENDS_MS = 2000
const TIMES = { grace: 1000, kill: 5000 }
const POLL_MS = 20

/** A process that was killed because it belonged to a run that died. */
export interface EndedProcess {
  pid: number
  /** Short name of the program. */
  command: string
}

interface Found extends LinuxProcess {
  /** Value of HERMES_RUN in its environment. */
  mark: string
}

/**
 * Kills the processes of a run that died: they would go on writing while the run is undone. Git processes of the run's
 * own commit get time to end by themselves. Linux only: finds them in `/proc` by the run's id in HERMES_RUN of their
 * environment, by their ancestors and by their session.
 *
 * @returns the killed processes
 * @throws HermesError `LOCKED` when one could not be killed
 */
export async function endProcesses(runId: string): Promise<EndedProcess[]> {
  const processes = new RunProcesses(runId)
  const areGit = (): boolean => {
    const living = processes.living()
    return living.length > 0 && living.every((task) => processes.isGit(task))
  }
  const until = performance.now() + GIT_ENDS_MS
  while (areGit() && performance.now() < until) await sleep(POLL_MS)
  const ended = new Map<number, EndedProcess>()
  await endAll((signal) => {
    const living = processes.living()
    for (const { pid, command } of living) {
      if (sendSignal(pid, signal) && signal !== 0) ended.set(pid, { pid, command })
    }
    return living.length > 0
  }, TIMES)
  const [left] = processes.living()
  if (!left) return [...ended.values()]
  throw new HermesError(
    'LOCKED', `Process ${left.pid} (${left.command}) of the run that died still runs and cannot be ended`,
    {
      hint: `It may change files while they are put back: end it (kill -9 ${left.pid}), then run hermes recover again.`,
    },
  )
}

/** Finds processes of a run; those found once stay known when their parents are gone. */
class RunProcesses {
  /** Start time by pid. */
  readonly #known = new Map<number, number>()

  constructor(private readonly runId: string) {}

  /** Scans `/proc` once; leaves out this process and its ancestors. */
  living(): Found[] {
    const table = new Map<number, Found>()
    for (const pid of listPids()) {
      const status = readFound(pid)
      if (status) table.set(pid, status)
    }
    const own = ancestors(table)
    const rest = new Set([...table.values()].filter(({ pid }) => !own.has(pid)))
    for (const task of rest) if (this.#isMarked(task) || this.#isKnown(task)) this.#add(task, rest)
    for (let size = -1; size !== rest.size;) {
      size = rest.size
      for (const task of rest) {
        if (this.#isOf(task.parent, task, table) || this.#isOf(task.session, task, table)) this.#add(task, rest)
      }
    }
    return [...table.values()].filter((task) => !rest.has(task) && !own.has(task.pid))
  }

  /** Whether it is git or a git hook: their mark ends with the run's id, while commands add an id of their own. */
  isGit({ mark }: Found): boolean {
    return mark.split(':').at(-1) === this.runId
  }

  #isMarked({ mark }: Found): boolean {
    return mark.split(':').includes(this.runId)
  }

  #isKnown({ pid, started }: Found): boolean {
    return this.#known.get(pid) === started
  }

  #add(task: Found, rest: Set<Found>): void {
    this.#known.set(task.pid, task.started)
    rest.delete(task)
  }

  /** Whether an id names a process of the run, alive or gone, and not a later process with the same id. */
  #isOf(id: number, of: Found, table: ReadonlyMap<number, Found>): boolean {
    const start = this.#known.get(id)
    if (start === undefined || start > of.started) return false
    const now = table.get(id)
    return now === undefined || now.started === start
  }
}

/** `undefined` for a process that has ended, or is a zombie. */
function readFound(pid: number): Found | undefined {
  const status = readProcess(pid)
  if (status?.lives !== true) return undefined
  const mark = environmentOf(pid).split('\0').find((variable) => variable.startsWith(VARIABLE)) ?? ''
  return { ...status, mark: mark.slice(VARIABLE.length) }
}

const VARIABLE = 'HERMES_RUN='

/** This process, its parent, and so on. */
function ancestors(table: ReadonlyMap<number, Found>): Set<number> {
  const pids = new Set<number>()
  for (let pid = process.pid; pid > 0 && !pids.has(pid); pid = table.get(pid)?.parent ?? 0) pids.add(pid)
  return pids
}
