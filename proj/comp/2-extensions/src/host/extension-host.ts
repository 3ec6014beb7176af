import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { HermesError, Turns } from '../../../0-contracts/src/index.js'
import { API_VERSION, type InitializeResult, type ShutdownParams, type WindowMessageParams } from '../kit/index.js'
import { connect, RPC, RpcError, type Connection } from '../../../2-wire/src/index.js'
import type { Exit, StartedProgram } from '../../../2-processes/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { QUIET_MS } from './command-clock.js'
import { CommandRun, type CommandOutcome, type CommandRunOptions, type RequestKind } from './command-run.js'
import { ExtensionProcess, type ExtensionProgram } from './extension-process.js'
import type { Message } from './message.js'
import { MOST_LOST_BYTES, MOST_PROBLEMS, Problems } from './problems.js'
import { requestHandlers, type Begun, type CommandJob } from './requests.js'
import { FINISHED, firstProblem, INTRODUCTION } from './message-schemas.js'
import { VerbCalls, type VerbCall } from './verb-calls.js'
import type { ExtensionUi } from './ui-port.js'

/** Time limit for `initialize`, in milliseconds. */
export const INITIALIZE_MS = 10_000
export const SHUTDOWN_MS = 5000
/** Most milliseconds between the exit of a process and the end of its output. */
const LAG_MS = 500
/** Number of log lines in an error. */
const SHOWN_LINES = 5
const FLOODS = 'floods its standard output with what is no message'

export interface ExtensionHostOptions extends ExtensionProgram {
  /** Absolute, links resolved; given to the extension, and base of files that it may show. */
  root: string
  /** The message for commands that have none of their own. */
  message: Message
  ui: ExtensionUi
  /** Overrides of the time limits of 10 s and 5 s, in milliseconds. */
  initializeMs?: number
  shutdownMs?: number
}

/** Options of a command. */
export interface ExecuteOptions extends Partial<Pick<CommandRunOptions, 'limitMs' | 'signal' | 'quietMs'>> {
  job?: CommandJob
}

const CHANGES = new Set(['editor/setMessage', 'editor/patchMessage'])
const kindOf = (method: string): RequestKind => (
  CHANGES.has(method) ? 'change' : method.startsWith('ui/') ? 'dialogue' : 'look'
)

/** A running extension, seen from hermes (docs/extensions.md). */
export class ExtensionHost {
  readonly #process: ExtensionProcess
  readonly #connection: Connection
  readonly #problems = new Problems()
  readonly #stopping = new AbortController()
  readonly #runs = new Map<number, CommandRun>()
  readonly #calls = new VerbCalls()
  /** Job before the first command, and during a command. */
  #job: CommandJob | undefined
  readonly #turns = new Turns()
  introduction: InitializeResult = {}
  #isReady = false
  #lastExecution = 0
  #lostBytes = 0
  /** Why it was killed early. */
  #killed: HermesError | undefined
  #stopped: Promise<void> | undefined
  /** It may still send a change of an answer whose command ended by silence. */
  #mayComeLate = false
  /** A command did not end properly; and whether that was the extension's fault. */
  #failed: 'its own' | 'none' | undefined
  /** Whether it exited normally after a command, before it saw the next one, which a new process may carry out. */
  hasMissed = false
  /** It did not exit when told, and had to be killed. */
  #hasStayed = false

  private constructor(private readonly options: ExtensionHostOptions, child: ExtensionProcess) {
    this.#process = child
    this.#job = options
    this.#connection = connect({
      input: child.program.output,
      output: child.program.input,
      methods: {
        requests: requestHandlers({
          extension: options.name, root: options.root, signal: this.#stopping.signal,
          begin: method => this.#begin(method),
          files: (executionId, method) => this.#calls.filesOf(executionId, method),
          onWindowMessage: message => this.#windowSaid(message),
          isReady: () => this.#isReady,
        }),
        notifications: { 'command/finished': params => this.#finished(params) },
      },
      onProblem: problem => this.#problem(problem),
      onLost: bytes => this.#lost(bytes),
    })
    child.program.watchMemory(options.mostMemoryBytes, () => this.#killFor('holds more memory than it may'))
    // Read its remaining output first; an extension that closes standard output can do nothing more.
    void Promise.race([child.program.exited.then(async () => this.#settled()), this.#connection.closed])
      .then(async () => this.#ended(await this.#exitAfterClose()))
  }

  /**
   * Starts an extension and sends `initialize`.
   *
   * @throws HermesError `EXTENSION_FAILED`, `TIMEOUT` where it does not answer within 10 s, `CANCELLED`; nothing of it
   *   is left then
   */
  static async start(options: ExtensionHostOptions, signal?: AbortSignal): Promise<ExtensionHost> {
    signal?.throwIfAborted()
    const host = new ExtensionHost(options, await ExtensionProcess.start(options))
    try {
      await host.#initialize(signal)
      return host
    } catch (error) {
      await host.#process.kill()
      throw error
    }
  }

  get #program(): StartedProgram {
    return this.#process.program
  }

  get #shutdownMs(): number {
    return this.options.shutdownMs ?? SHUTDOWN_MS
  }

  /** Protocol errors it made while still working; one line each. */
  get warnings(): string[] {
    const late = `did not end within ${this.#shutdownMs / 1000} s after shutdown and was killed`
    const lines = [...this.#problems.lines(), ...(this.#hasStayed ? [late] : [])]
    return lines.map(line => `Extension '${this.options.name}' ${line}`)
  }

  /**
   * Runs a command, after earlier ones, and waits for its end: it announces it, exits, or (if it never announces ends)
   * is silent without open requests. An exit that leaves the command unfinished is a failure.
   *
   * @param limitMs limit of the extension's own time, excluding dialogues; default none
   * @param quietMs of silence, if it announces no ends; default 5 s
   * @param job to work on; default: the host's. Later requests for it are refused
   * @throws HermesError `INVALID_OPTION` for an unknown command, `EXTENSION_FAILED`, `TIMEOUT`, `CANCELLED`
   */
  async execute(command: string, options: ExecuteOptions = {}): Promise<CommandOutcome> {
    this.#checkCommand(command)
    return this.#turns.take(async () => this.#execute(command, options))
  }

  /**
   * Calls one of its verbs at once, whatever else it is doing.
   *
   * @returns its answer, unchecked
   * @throws HermesError with the extension's failure, `EXTENSION_FAILED` where it exits, `CANCELLED`
   */
  async executeVerb(call: VerbCall): Promise<unknown> {
    if (this.#program.exit) throw this.#died(this.#program.exit)
    try {
      return await this.#calls.execute(this.#connection, ++this.#lastExecution, call)
    } catch (error) {
      if (call.signal.aborted) throw new HermesError('CANCELLED', `${call.verb} was cancelled`)
      // Report the exit together with its last log lines.
      if (this.#connection.isClosed && error instanceof RpcError) throw this.#died(await this.#exitAfterClose())
      throw error
    }
  }

  /** Whether it has exited or closed its output. */
  get hasEnded(): boolean {
    return this.#program.exit !== undefined || this.#connection.isClosed
  }

  /** Whether it has exited, or a command was given up: what it still does must not affect other answers. */
  get isSpent(): boolean {
    return this.hasEnded || this.#failed !== undefined
  }

  /** Whether it failed by itself: it exited during a command or with an error, or exceeded its time. */
  get hasDied(): boolean {
    if (this.#failed) return this.#failed === 'its own'
    return this.#stopped === undefined && this.hasEnded && this.#program.exit?.code !== 0
  }

  /** Asks it to exit, and kills it after 5 s; nothing of it is left afterwards. Never rejects. */
  async stop(reason: ShutdownParams['reason'] = 'closing'): Promise<void> {
    this.#stopped ??= this.#stop(reason)
    return this.#stopped
  }

  async #execute(
    command: string, { limitMs, signal, quietMs = QUIET_MS, job = this.options }: ExecuteOptions,
  ): Promise<CommandOutcome> {
    const id = ++this.#lastExecution
    if (this.hasEnded) {
      const exit = await this.#exitAfterClose()
      this.hasMissed = exit.code === 0 && id > 1
      throw this.#died(exit)
    }
    const isAnnounced = this.introduction.capabilities?.commandFinished === true
    const run = new CommandRun({
      name: this.options.name, command, limitMs, signal, quietMs: isAnnounced ? undefined : quietMs,
    })
    this.#runs.set(id, run)
    this.#job = job
    try {
      await this.#connection.notify('command/execute', { command, executionId: id })
      const outcome = await run.outcome
      this.#mayComeLate ||= run.mayComeLate
      return outcome
    } catch (error) {
      if (!this.hasMissed) this.#failed = signal?.aborted === true ? 'none' : 'its own'
      throw error
    } finally {
      run.stop()
      this.#runs.delete(id)
      this.#job = undefined
    }
  }

  /** Refuses requests after the end of a command, whose answer may already run. */
  #begin(method: string): Begun {
    const kind = kindOf(method)
    // An extension that changes an answer has read that one, not the previous.
    if (kind === 'look') this.#mayComeLate = false
    const job = this.#job
    if (job && !(kind === 'change' && this.#mayComeLate)) {
      const ends = [...this.#runs.values()].map(run => run.began(kind))
      // Requests aborted by its end count as open, since they were not answered.
      return { job, end: () => !this.#connection.isClosed && ends.forEach(end => end()) }
    }
    const ui = kind === 'dialogue' ? this.#calls.ui : undefined
    if (ui) return { job: { message: this.options.message, ui }, end: () => undefined }
    if (kind === 'change') this.#problem({ kind: 'late', message: method })
    throw new RpcError(
      RPC.requestFailed, `${method}: no command is carried out; what came of the last one is used`, {
        code: 'COMMAND_ENDED',
        hint: 'Announce capabilities.commandFinished, and send command/finished as the last thing.',
      },
    )
  }

  async #initialize(signal: AbortSignal | undefined): Promise<void> {
    const { name, root, initializeMs = INITIALIZE_MS } = this.options
    const late = AbortSignal.timeout(initializeMs)
    const answer = this.#connection.request('initialize', { apiVersion: API_VERSION, root }, {
      signal: AbortSignal.any([late, ...(signal ? [signal] : [])]),
    })
    try {
      // It may have written its answer right before it exited.
      const died = this.#program.exited.then(async exit => {
        await this.#settled()
        throw this.#died(exit)
      })
      died.catch(() => undefined)
      const introduction = v.safeParse(INTRODUCTION, await Promise.race([answer, died]))
      if (!introduction.success) {
        throw this.#failure('answered initialize with something else than it should: '
          + `${firstProblem(introduction.issues)}`)
      }
      this.introduction = introduction.output
      this.#isReady = true
    } catch (error) {
      if (error instanceof HermesError) throw error
      if (signal?.aborted) throw new HermesError('CANCELLED', `Extension '${name}' was cancelled`)
      if (late.aborted) throw this.#failure(`did not answer initialize within ${initializeMs / 1000} s`, 'TIMEOUT')
      if (this.#connection.isClosed) throw this.#died(await this.#exitAfterClose())
      if (error instanceof RpcError) throw this.#failure(`refused to start: ${error.message}`)
      throw error
    } finally {
      answer.catch(() => undefined)
    }
  }

  async #stop(reason: ShutdownParams['reason']): Promise<void> {
    const { exited } = this.#program
    // Close open dialogues, as nothing awaits their answers.
    this.#stopping.abort()
    const done = new AbortController()
    const deadline = sleep(this.#shutdownMs, 'late' as const, { signal: done.signal }).catch(() => 'late' as const)
    if (!this.hasEnded) {
      // An error is an answer too.
      const answered = this.#connection.request('shutdown', { reason }).catch(() => undefined)
      await Promise.race([answered, exited, deadline])
    }
    this.#program.input.end()
    const how = await Promise.race([exited.then(() => 'ended' as const), deadline])
    done.abort()
    await this.#process.kill()
    this.#connection.close()
    await this.options.ui.close?.()
    this.#hasStayed = how === 'late'
  }

  #checkCommand(command: string): void {
    const { commands } = this.introduction.capabilities ?? {}
    if (!commands || commands.includes(command)) return
    const meant = nearest(command, commands)
    throw new HermesError('INVALID_OPTION', `Extension '${this.options.name}' has no command ${command}`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Commands: ${commands.join(', ')}.`,
    })
  }

  #windowSaid(message: WindowMessageParams): void {
    if (this.#stopping.signal.aborted || this.#connection.isClosed) return
    this.#connection.notify('ui/windowMessage', message).catch((error: unknown) => {
      this.#problem({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
    })
  }

  #finished(params: unknown): void {
    const checked = v.safeParse(FINISHED, params)
    const run = checked.success ? this.#runs.get(checked.output.executionId) : undefined
    if (run && checked.success) {
      run.finish(checked.output)
      this.#job = undefined
    } else this.#problem({ kind: 'unhandled', message: 'command/finished for no command that runs' })
  }

  #problem(problem: Parameters<Problems['add']>[0]): void {
    // Its exit is detected otherwise.
    const isGone = problem.kind === 'broken' && /EPIPE|ECONNRESET/.test(problem.message)
    if ((this.#stopping.signal.aborted && problem.kind !== 'late') || isGone) return
    if (this.#problems.add(problem) === MOST_PROBLEMS) this.#killFor(FLOODS)
  }

  /** Limits output that is no message, which would be reported only once. */
  #lost(bytes: number): void {
    this.#lostBytes += bytes
    if (this.#lostBytes > MOST_LOST_BYTES && !this.#stopping.signal.aborted) this.#killFor(FLOODS)
  }

  #killFor(reason: string): void {
    if (this.#killed) return
    this.#killed = this.#failure(`was stopped, since it ${reason}`)
    for (const run of this.#runs.values()) run.fail(this.#killed)
    void this.#process.kill()
  }

  /** Waits until all output of an exited process is read, at most for a moment, since a child may keep it open. */
  async #settled(): Promise<void> {
    await Promise.race([this.#connection.closed, sleep(LAG_MS, undefined, { ref: false })])
  }

  /** A process that closes its output first either exits a moment later, or never. */
  async #exitAfterClose(): Promise<Exit> {
    const exit = await Promise.race([this.#program.exited, sleep(LAG_MS, undefined, { ref: false })])
    // Its last log lines belong to the error.
    if (exit) await Promise.race([this.#process.logged, sleep(LAG_MS, undefined, { ref: false })])
    return exit ?? { code: null, signal: null }
  }

  #ended(exit: Exit): void {
    for (const run of this.#runs.values()) {
      this.hasMissed = exit.code === 0 && run.isUntouched && this.#lastExecution > 1
      if (exit.code !== 0 || this.hasMissed) run.fail(this.#died(exit))
      else if (run.missing !== undefined) run.fail(this.#failure(`ended with 0 ${run.missing}`))
      else run.finish({})
    }
  }

  #died({ code, signal }: Exit): HermesError {
    if (this.#killed) return this.#killed
    if (code === null && signal === null) return this.#failure('closed its standard output')
    const how = signal === null ? `ended with ${code}` : `was ended by ${signal}`
    return this.#failure(this.#isReady ? `${how} while it was needed` : `${how} before it had answered initialize`)
  }

  #failure(what: string, code = 'EXTENSION_FAILED'): HermesError {
    const log = this.#process.log.lines(SHOWN_LINES)
    const lines = [
      ...this.#problems.lines().map(line => `It ${line}`),
      ...(log.length > 0 ? ['Its standard error ends with:', ...log.map(line => `| ${line}`)]
        : ['It wrote nothing to standard error.']),
    ]
    return new HermesError(code, `Extension '${this.options.name}' ${what}`, { hint: lines.join('\n') })
  }
}
