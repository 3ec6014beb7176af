import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfinedProgram, SharedNamespaces } from '../../../0-contracts/src/index.js'
import type { Stdio } from '../../../2-processes/src/index.js'
import { endInside, firstProcess } from './confined-process.js'
import { LinuxProcesses } from './linux-processes.js'
import { endProcessTree } from './process-tree.js'
import { type Excess, whenExceeded } from './watch-limits.js'

/** How long bubblewrap may take to report the first process inside, once it is to end, in milliseconds. */
const REPORT_MS = 500

/** The processes of one run. */
export class ProcessGroup {
  readonly #init: Promise<number | undefined> | undefined
  #inside: LinuxProcesses | SharedNamespaces | undefined
  readonly #found: LinuxProcesses | undefined

  constructor(
    private readonly pid: number, private readonly program: ConfinedProgram, mark: string, stdio: Stdio,
  ) {
    this.#inside = program.shared
    if (program.inputs !== undefined) this.#init = this.#findInside(stdio)
    else if (process.platform === 'linux') this.#found = new LinuxProcesses(pid, mark)
  }

  async #findInside(stdio: Stdio): Promise<number | undefined> {
    const first = await firstProcess(stdio)
    const { shared, limits } = this.program
    if (first !== undefined && shared) shared.entered(first)
    else if (first !== undefined) this.#inside = new LinuxProcesses(first.pid, '', limits?.inMemory)
    return first?.pid
  }

  /** Resolves when the processes exceed their limits. */
  async exceeds(done: AbortSignal): Promise<Excess> {
    await this.#init
    const { limits } = this.program
    if (limits === undefined || this.#inside === undefined) return new Promise(() => undefined)
    return whenExceeded(limits, this.#inside, done)
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
    const isToEnd = this.program.shared === undefined ? init !== undefined : isStopped
    if (isToEnd && this.#inside) await endInside(this.pid, init, this.#inside, hasExited)
    await endProcessTree(this.pid, undefined)
  }
}
