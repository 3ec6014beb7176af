import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenExceeded } from '../command-processes/index.js'
import { HermesError, type ConfinedProgram, type VerbContext } from '../../../0-contracts/src/index.js'
import { firstStop, LONGEST_TIMER_MS, type PtyModule } from '../../../2-processes/src/index.js'
import { Execution, type Ending } from './execution.js'
import { MarkerReader, type Marker } from './markers.js'
import { typedAtStart, typedCommand, typedQuestion, withoutTyped } from './shell-driver.js'
import { ShellText } from './shell-text.js'
import { TerminalProcess } from './terminal-process.js'

/** How long a new shell may take to answer, in milliseconds: containers and other hosts are slow. */
const START_MS = 30_000
/**
 * How long a command may take to end after Ctrl-C or a signal, before the shell is asked, and how long the answer may
 * take, in milliseconds.
 */
const INTERRUPT_MS = 400
const ASK_MS = 600
/** Shells, and programs that pass their input to one. */
const RUNS_SHELL = /^-?(?:(?!pw)\w*sh|sudo|su|doas|docker|podman|kubectl|tmux|screen|script|busybox)$/
const CTRL_C = '\u0003'
/** Exit status of a shell that hermes ended: 128 and SIGKILL, however it went. */
const KILLED = 137
/** How much output of a shell that did not start is shown, in UTF-16 units. */
const MOST_SHOWN = 300
const MOST_KEPT = 32 * 1024
const INSTEAD = 'Use exec or execute_command, which need no terminal'

export interface ShellStart {
  verb: string
  pty: PtyModule
  program: ConfinedProgram
  run: string
  mark: string
  hasNetwork: boolean
}

/** Limits of a command. */
export interface CommandBounds {
  timeoutMs: number
  maxOutputBytes: number
  /** Called with what the screen shows while it runs. */
  printing?: VerbContext['printing']
}

/** A shell on a terminal, kept open between commands. */
export class Shell {
  readonly program: ConfinedProgram
  readonly hasNetwork: boolean
  /** Text it was given to read. */
  readonly read = new ShellText()
  readonly #process: TerminalProcess
  readonly #reader: MarkerReader
  readonly #nonce = Array.from({ length: 3 }, () => randomInt(10 ** 6, 10 ** 7)).join('')
  /** As the shell reports it: in a container or on another host, a directory there. */
  cwd = ''
  /** The command it is running. */
  current: Execution | undefined
  #count = 0
  isGone = false
  #tellReady: () => void = () => undefined
  #greeting = ''

  private constructor({ pty, program, run, mark, hasNetwork }: ShellStart) {
    this.program = program
    this.hasNetwork = hasNetwork
    this.#reader = new MarkerReader(this.#nonce)
    this.#process = new TerminalProcess({ pty, program, run, mark }, data => this.#take(data))
    // What the program reports as it is ended depends on how far it comes meanwhile.
    void this.#process.exited.then(status => this.#gone(this.isGone ? KILLED : status))
  }

  /** @throws HermesError `TERMINAL_FAILED` where there is no terminal, or no shell answers; `CANCELLED` */
  static async open(start: ShellStart, signal: AbortSignal): Promise<Shell> {
    const shell = begun(start, () => new Shell(start))
    try {
      await shell.#ready(start.verb, signal)
      return shell
    } catch (error) {
      await shell.end()
      throw error
    }
  }

  get pid(): number {
    return this.#process.pid
  }

  /** The program that reads typed text, with its arguments; `undefined` where that is a shell, or may be one. */
  get reader(): readonly string[] | undefined {
    const words = this.#process.foreground
    const name = words?.[0]?.split('/').at(-1) ?? ''
    return name === '' || RUNS_SHELL.test(name) ? undefined : words
  }

  /** Starts a command; only when none is running. */
  start(command: string, { timeoutMs, maxOutputBytes, printing }: CommandBounds): Execution {
    const execution = new Execution(++this.#count, command, maxOutputBytes, printing)
    this.current = execution
    this.read.add(command)
    this.program.beginCommand?.()
    this.#process.write(typedCommand(execution.number, command))
    const timer = Number.isFinite(timeoutMs)
      ? setTimeout(() => void this.stop('timeout'), Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined
    const over = new AbortController()
    void this.#watch(execution, over.signal)
    void execution.ended.finally(() => {
      clearTimeout(timer)
      over.abort()
      if (this.current === execution) this.current = undefined
    })
    return execution
  }

  /** Types text. */
  write(text: string): void {
    this.#process.write(text)
  }

  /** Ends the running command as Ctrl-C does; if that does not help, ends the shell with it. */
  async stop(reason: NonNullable<Ending['stopped']>): Promise<void> {
    const execution = this.current
    if (!execution || execution.stopping) return
    execution.stopping = reason
    await Promise.race([execution.begun, sleep(INTERRUPT_MS)])
    this.#process.write(CTRL_C)
    await Promise.race([execution.ended, sleep(INTERRUPT_MS)])
    // Editors and interpreters treat Ctrl-C as a key, so signal them; the shell goes on without them.
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!execution.ending && this.#process.signalForeground(signal)) {
        await Promise.race([execution.ended, sleep(INTERRUPT_MS)])
      }
    }
    if (execution.ending) return
    // Mute the output, since the terminal echoes what is typed.
    execution.isMuted = true
    this.#process.write(CTRL_C + typedQuestion(execution.number))
    await Promise.race([execution.ended, sleep(ASK_MS)])
    if (!execution.ending) await this.end()
  }

  /** Ends the shell and all its processes. */
  async end(): Promise<void> {
    this.isGone = true
    await this.#process.end()
    this.#gone(KILLED)
  }

  /** As `end`, at once and without waiting. */
  killNow(): void {
    this.#process.killNow()
  }

  async #ready(verb: string, signal: AbortSignal): Promise<void> {
    const ready = new Promise<void>(resolve => {
      this.#tellReady = resolve
    })
    this.#process.write(typedAtStart(this.#nonce))
    const stopped = await firstStop(ready, { signal, timeoutMs: START_MS }, () => [this.#process.exited])
    if (stopped === undefined) return
    if (stopped === 'cancelled') {
      throw new HermesError('CANCELLED', `${verb}: cancelled (CANCELLED)`, { hint: 'Send the block again to run it.' })
    }
    const why = stopped === 'timeout' ? `did not answer within ${START_MS / 1000} s`
      : `ended with ${stopped} before it could be used`
    throw new HermesError('TERMINAL_FAILED', `${verb}: the shell ${why}`, { hint: startHint(this.#greeting) })
  }

  #take(data: Buffer): void {
    for (const piece of this.#reader.read(data)) {
      if (Buffer.isBuffer(piece)) this.#print(piece)
      else this.#obey(piece)
    }
  }

  #print(bytes: Buffer): void {
    if (this.#count === 0) this.#greeting = (this.#greeting + bytes.toString('utf8')).slice(-MOST_KEPT)
    this.current?.push(bytes)
  }

  #obey({ kind, command, status, cwd }: Marker): void {
    this.cwd = cwd
    const execution = this.current?.number === command ? this.current : undefined
    if (kind === 'ready') {
      void this.#process.inside
      this.#process.noteIdle()
      this.#tellReady()
    } else if (kind === 'started' && execution) execution.begin()
    else if (kind === 'ended') execution?.finish({ status })
    else if (kind === 'left') {
      this.#process.write(typedAtStart(this.#nonce))
      execution?.finish({ status, isRenewed: true })
    }
  }

  #gone(status: number): void {
    this.isGone = true
    this.current?.push(this.#reader.end())
    this.current?.finish({ status, isShellGone: true })
    void this.#process.end()
  }

  /** Watches the limits, since the kernel's own apply to single processes, and not to root. */
  async #watch(execution: Execution, over: AbortSignal): Promise<void> {
    const { limits } = this.program
    const { inside } = this.#process
    if (!limits || !inside) return
    const excess = await whenExceeded(limits, inside, over)
    if (this.current === execution && !execution.stopping) {
      execution.stopping = excess
      await this.end()
    }
  }
}

/** Converts the plain error that the package throws where the system gives no terminal. */
function begun({ verb }: ShellStart, make: () => Shell): Shell {
  try {
    return make()
  } catch (error) {
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new HermesError('TERMINAL_FAILED', `${verb}: no terminal could be made: ${why}`, {
      hint: `${INSTEAD}. Terminals need /dev/ptmx and /dev/pts, and a free one (sysctl kernel.pty.max); `
        + 'the shell needs room for '
        + 'its files in the directory for temporary files.',
      cause: error,
    })
  }
}

function startHint(greeting: string): string {
  const printed = withoutTyped(greeting).replace(/\s+/g, ' ').trim().slice(-MOST_SHOWN)
  const said = printed === '' ? '' : `It printed: ${printed}\n`
  return `${said}${INSTEAD}; hermes doctor looks at the sandbox.`
}
