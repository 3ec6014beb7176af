import { randomUUID } from 'node:crypto'
import {
  caughtLater, HermesError, isNodeError, type KeptResource, type SandboxName, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { reachesNetwork } from '../command-processes/index.js'
import { loadPty } from '../../../2-packages/src/index.js'
import { nestedRun, whenHermesExits } from '../../../2-processes/src/index.js'
import type { Execution } from './execution.js'
import { START_SHELL } from './shell-driver.js'
import { Shell } from './shell.js'
import { Watchdog } from './watchdog.js'

/** Most background programs of one task, including ended ones whose result was not asked for. */
export const MAX_PROGRAMS = 32
/** No pagers: nobody turns pages here. */
const ENVIRONMENT = { TERM: 'xterm-256color', PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: '' }
/** Backends whose programs end when hermes does. */
const ENDS_WITH_HERMES: ReadonlySet<SandboxName> = new Set(['bwrap', 'unshare', 'docker', 'ssh'])

/** A program on a terminal of its own, beside the task's shell. */
export interface BackgroundProgram {
  id: string
  shell: Shell
  execution: Execution
}

/** Open terminals of one task. */
export interface TaskTerminals {
  shell: Shell | undefined
  /** The shell's last command, as long as its end was not reported. */
  execution: Execution | undefined
  /** By id. */
  readonly programs: Map<string, BackgroundProgram>
  count: number
}

/** The shells of a session, by task; they end with the session, and with hermes. */
export class TerminalSessions implements KeptResource {
  readonly #tasks = new Map<string, TaskTerminals>()
  readonly #open = new Set<Shell>()
  readonly #mark = randomUUID()
  #watchdog: Watchdog | undefined
  #isDisposed = false
  readonly #letGo = whenHermesExits(() => {
    for (const shell of this.#open) shell.killNow()
  })

  /** The terminals of the session that a verb runs in. */
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
    return valueAt(this.#tasks, taskId, () => (
      { shell: undefined, execution: undefined, programs: new Map(), count: 0 }
    ))
  }

  /**
   * Starts a new shell in the session's sandbox, for a command that has been admitted.
   *
   * @param cwd its directory: absolute, with links resolved
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
  return await caughtLater(isNodeError, () => sandbox.confine({
    verb, file: 'sh', args: ['-c', START_SHELL], cwd, network, terminal: true, env: ENVIRONMENT,
  }), (error) => {
    throw new HermesError(error.code, `${verb}: sh could not be started (${error.code})`, {
      cause: error, hint: 'hermes doctor looks at the sandbox.',
    })
  })
}
