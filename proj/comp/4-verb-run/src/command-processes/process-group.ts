import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfinedProgram, ProgramLimits, SharedNamespaces } from '../../../0-contracts/src/index.js'
import type { Stdio } from '../../../2-processes/src/index.js'
import { endNamespace, endShared, firstProcess } from './confined-process.js'
import { LinuxProcesses } from './linux-processes.js'
import { endProcessTree } from './process-tree.js'
import { type Excess, whenExceeded } from './watch-limits.js'

/** How long bubblewrap may take to report the first process inside, once it is to end, in milliseconds. */
const REPORT_MS = 500

/** The processes of one run. */
export class ProcessGroup {
  readonly #init: Promise<number | undefined> | undefined
  readonly #limits: ProgramLimits | undefined
  readonly #shared: SharedNamespaces | undefined
  #inside: LinuxProcesses | undefined
  readonly #found: LinuxProcesses | undefined

  constructor(private readonly pid: number, { inputs, limits, shared }: ConfinedProgram, mark: string, stdio: Stdio) {
    this.#limits = limits
    this.#shared = shared
    this.#init = inputs === undefined ? undefined : this.#findInside(stdio)
    if (this.#init === undefined && process.platform === 'linux') this.#found = new LinuxProcesses(pid, mark)
  }

  async #findInside(stdio: Stdio): Promise<number | undefined> {
    const first = await firstProcess(stdio)
    if (first !== undefined && this.#shared) this.#shared.entered(first)
    else if (first !== undefined) this.#inside = new LinuxProcesses(first.pid, '', this.#limits?.inMemory)
    return first?.pid
  }

  /** Resolves when the processes exceed their limits. */
  async exceeds(done: AbortSignal): Promise<Excess> {
    await this.#init
    const users = this.#shared ?? this.#inside
    if (this.#limits === undefined || users === undefined) return new Promise(() => undefined)
    return whenExceeded(this.#limits, users, done)
  }

  /**
   * Ends the processes. @param hasExited whether the program ended by itself
   * @param isStopped whether hermes stopped it: then processes that it left running end too; otherwise they go on in
   * shared namespaces
   */
  async end(hasExited: () => boolean, isStopped: boolean): Promise<void> {
    if (this.#init === undefined) return endProcessTree(this.pid, this.#found)
    // Before bubblewrap has reported the first process, nothing runs inside.
    const init = await Promise.race([this.#init, sleep(REPORT_MS, undefined)])
    if (this.#shared !== undefined) {
      if (isStopped) await endShared(this.pid, this.#shared, hasExited)
    } else if (init !== undefined && this.#inside !== undefined) {
      await endNamespace(this.pid, init, this.#inside, hasExited)
    }
    await endProcessTree(this.pid, undefined)
  }
}
