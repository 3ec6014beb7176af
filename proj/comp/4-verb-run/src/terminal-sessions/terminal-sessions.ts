import { randomUUID } from 'node:crypto'
import {
  HermesError, isNodeError, type KeptResource, type SandboxName, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { reachesNetwork } from '../command-processes/index.js'
import { loadPty } from '../../../2-packages/src/index.js'
import { nestedRun, whenHermesExits } from '../../../2-processes/src/index.js'
import type { Execution } from './execution.js'
import { START_SHELL } from './shell-driver.js'
import { Shell } from './shell.js'
import { Watchdog } from './watchdog.js'

/** Most background programs of one task, those that have ended and were not asked for included. */
export const MAX_PROGRAMS = 32
/** Nobody turns pages here. */
const ENVIRONMENT = { TERM: 'xterm-256color', PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: '' }
/** Backends whose programs end with hermes by themselves. */
const ENDS_WITH_HERMES: ReadonlySet<SandboxName> = new Set(['bwrap', 'unshare', 'docker', 'ssh'])

/** A program in a terminal of its own, beside the task's shell. */
export interface BackgroundProgram {
  id: string
  shell: Shell
  execution: Execution
}

/** What one task has open. */
export interface TaskTerminals {
  shell: Shell | undefined
  /** What the shell ran last, where its end was not told yet. */
  execution: Execution | undefined
  /** By id. */
  readonly programs: Map<string, BackgroundProgram>
  count: number
}

/** The shells of a session, by task; they end with it, and with hermes. */
export class TerminalSessions implements KeptResource {
  readonly #tasks = new Map<string, TaskTerminals>()
  readonly #open = new Set<Shell>()
  readonly #mark = randomUUID()
  #watchdog: Watchdog | undefined
  #isDisposed = false
  readonly #letGo = whenHermesExits(() => {
    for (const shell of this.#open) shell.killNow()
  })

  /** Those of the session that a verb runs in. */
  static of({ session }: Pick<VerbContext, 'session'>): TerminalSessions {
    const { kept } = session
    if (!kept) throw new HermesError('INTERNAL', 'This session keeps nothing open between calls')
    const open = kept.get('terminals')
    if (open instanceof TerminalSessions) return open
    const made = new TerminalSessions()
    kept.set('terminals', made)
    return made
  }

  task({ taskId = '' }: Pick<VerbContext, 'taskId'>): TaskTerminals {
    const known = this.#tasks.get(taskId)
    if (known) return known
    const task: TaskTerminals = { shell: undefined, execution: undefined, programs: new Map(), count: 0 }
    this.#tasks.set(taskId, task)
    return task
  }

  /**
   * A new shell in the session's sandbox; the command has been admitted.
   *
   * @param cwd where it begins: absolute and canonical
   * @throws HermesError `NOT_INSTALLED`, `TERMINAL_FAILED`, `CANCELLED`, and what the sandbox says
   */
  async open(verb: string, cwd: string, context: VerbContext): Promise<Shell> {
    const pty = loadPty(verb)
    const hasNetwork = reachesNetwork(context)
    const program = await confined(verb, cwd, hasNetwork, context)
    const mark = randomUUID()
    if (process.platform === 'linux' && !ENDS_WITH_HERMES.has(program.sandbox)) {
      this.#watchdog ??= new Watchdog(this.#mark, program.env)
    }
    const run = nestedRun(`${context.runId}:${this.#mark}:${mark}`)
    const shell = await Shell.open({ verb, pty, program, run, mark, hasNetwork }, context.signal)
    if (this.#isDisposed) await shell.end()
    context.noteProcess?.(shell.pid)
    this.#open.add(shell)
    return shell
  }

  async end(shell: Shell): Promise<void> {
    await shell.end()
    this.#open.delete(shell)
  }

  async endTask(taskId: string): Promise<void> {
    const task = this.#tasks.get(taskId)
    this.#tasks.delete(taskId)
    if (!task) return
    const shells = [...task.programs.values()].map(({ shell }) => shell)
    await Promise.all([...shells, ...(task.shell ? [task.shell] : [])].map(shell => this.end(shell)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await Promise.all([...this.#open].map(shell => this.end(shell)))
    this.#tasks.clear()
    this.#letGo()
    await this.#watchdog?.dispose()
  }
}

async function confined(verb: string, cwd: string, network: boolean, { sandbox }: VerbContext) {
  try {
    return await sandbox.confine({
      verb, file: 'sh', args: ['-c', START_SHELL], cwd, network, terminal: true, env: ENVIRONMENT,
    })
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `${verb}: sh could not be started (${error.code})`, {
      cause: error, hint: 'hermes doctor looks at the sandbox.',
    })
  }
}
