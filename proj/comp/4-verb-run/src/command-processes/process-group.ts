import { setTimeout as sleep } from 'node:timers/promises'
import type { ConfinedProgram, ProgramLimits } from '../../../0-contracts/src/index.js'
import { endNamespace, firstProcess, type Stdio } from './confined-process.js'
import { LinuxProcesses } from './linux-processes.js'
import { endProcessTree } from './process-tree.js'
import { type Excess, whenExceeded } from './watch-limits.js'

/** How long bubblewrap may take to say which process is the first inside, once it is to end, in milliseconds. */
const REPORT_MS = 500

/** The processes of one run. */
export class ProcessGroup {
  readonly #pid: number
  readonly #init: Promise<number | undefined> | undefined
  readonly #limits: ProgramLimits | undefined
  #inside: LinuxProcesses | undefined
  readonly #found: LinuxProcesses | undefined

  constructor(pid: number, { inputs, limits }: ConfinedProgram, mark: string, stdio: Stdio) {
    this.#pid = pid
    this.#limits = limits
    this.#init = inputs === undefined ? undefined : this.#findInside(stdio)
    if (this.#init === undefined && process.platform === 'linux') this.#found = new LinuxProcesses(pid, mark)
  }

  async #findInside(stdio: Stdio): Promise<number | undefined> {
    const init = await firstProcess(stdio)
    if (init !== undefined) this.#inside = new LinuxProcesses(init, '')
    return init
  }

  /** Resolves when they use more than they may. */
  async exceeds(done: AbortSignal): Promise<Excess> {
    await this.#init
    if (this.#limits === undefined || this.#inside === undefined) return new Promise(() => undefined)
    return whenExceeded(this.#limits, this.#inside, done)
  }

  async end(hasExited: () => boolean): Promise<void> {
    if (this.#init === undefined) return endProcessTree(this.#pid, this.#found)
    // Before it has said which process is the first inside, nothing runs there yet.
    const init = await Promise.race([this.#init, sleep(REPORT_MS, undefined)])
    if (init !== undefined && this.#inside !== undefined) await endNamespace(this.#pid, init, this.#inside, hasExited)
    await endProcessTree(this.#pid, undefined)
  }
}
