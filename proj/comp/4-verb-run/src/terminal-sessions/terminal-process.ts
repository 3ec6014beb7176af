import { closeSync, lstatSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  endInside, endProcessTree, LinuxProcesses, reported, terminalGroupOf,
} from '../command-processes/index.js'
import { orNothing, type ConfinedProgram, type SharedNamespaces } from '../../../0-contracts/src/index.js'
import { undoing } from '../../../2-files/src/index.js'
import { sendSignal, type Pty, type PtyModule } from '../../../2-processes/src/index.js'

/** A screen large enough for most programs. */
export const SCREEN = { cols: 120, rows: 40 } as const
/** First of the descriptors for `ConfinedProgram.inputs`; the one before takes the report. */
const FIRST_INPUT = 4
/** How long a shell may take to end once its terminal is closed, in milliseconds. */
const HANG_UP_MS = 100
/** How long bubblewrap may take to report the first process inside, in milliseconds. */
const REPORT_MS = 500

export interface TerminalStart {
  pty: PtyModule
  program: ConfinedProgram
  /** Mark in its environment, by which its processes are found. */
  mark: string
  /** Value of `HERMES_RUN`. */
  run: string
}

/** A program in its sandbox, on a pseudoterminal of its own. */
export class TerminalProcess {
  readonly pid: number
  /** Resolves to its exit code, as a shell would report it. */
  readonly exited: Promise<number>
  readonly #pty: Pty
  readonly #program: ConfinedProgram
  readonly #scratch: string | undefined
  readonly #processes: LinuxProcesses | undefined
  #inside: LinuxProcesses | SharedNamespaces | undefined
  #init: number | undefined
  #shellGroup: number | undefined
  #hasExited = false
  #ending: Promise<void> | undefined

  /** @throws Node's error where it cannot be started */
  constructor({ pty, program, mark, run }: TerminalStart, onData: (data: Buffer) => void) {
    this.#program = program
    this.#scratch = program.inputs === undefined ? undefined : writeInputs(program.inputs)
    this.#pty = undoing(() => {
      const [file, args] = this.#scratch === undefined ? [program.file, program.args]
        : withInputs(program, this.#scratch)
      return pty.spawn(file, [...args], {
        ...SCREEN, cwd: program.cwd, env: { ...program.env, TERM: 'xterm-256color', HERMES_RUN: run }, encoding: null,
      })
    }, () => this.#clean())
    this.pid = this.#pty.pid
    if (process.platform === 'linux' && program.inputs === undefined) {
      this.#processes = new LinuxProcesses(this.pid, mark)
    }
    this.exited = new Promise(resolve => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.#hasExited = true
        resolve(signal ? 128 + signal : exitCode)
      })
    })
    this.#pty.onData(onData)
  }

  write(data: string): void {
    if (!this.#hasExited) this.#pty.write(data)
  }

  /** The processes in its sandbox; `undefined` where they cannot be told apart from others. */
  get inside(): LinuxProcesses | SharedNamespaces | undefined {
    if (this.#scratch === undefined || this.#inside) return this.#inside
    const report = orNothing(() => readFileSync(join(this.#scratch ?? '', 'status'), 'latin1'), '')
    const first = report.includes('}') ? reported(report) : undefined
    if (first === undefined) return undefined
    this.#init = first.pid
    const { shared } = this.#program
    shared?.entered(first)
    this.#inside = shared ?? new LinuxProcesses(first.pid, '')
    // All inputs have been read by now, so remove them: hermes may be killed before it could.
    rmSync(this.#scratch, { recursive: true, force: true })
    return this.#inside
  }

  /** Called when its shell waits for a command: notes the shell's process group, which has the terminal now. */
  noteIdle(): void {
    this.#shellGroup = terminalGroupOf(this.pid)
  }

  /**
   * The foreground program, if it is not the shell, with its arguments.
   *
   * @returns `undefined` where the shell itself is in the foreground, in containers and on other hosts, and where it
   * cannot be determined
   */
  get foreground(): readonly string[] | undefined {
    const group = this.#foregroundGroup()
    if (group === undefined) return undefined
    const line = orNothing(() => readFileSync(`/proc/${group}/cmdline`, 'utf8'), '')
    return line === '' ? undefined : line.replace(/\0$/, '').split('\0')
  }

  /**
   * Signals the foreground program, if it is not the shell: an editor, an interpreter.
   *
   * @returns false where there is none, and in containers and on other hosts
   */
  signalForeground(signal: NodeJS.Signals): boolean {
    const group = this.#foregroundGroup()
    return group !== undefined && sendSignal(-group, signal)
  }

  #foregroundGroup(): number | undefined {
    const group = this.#hasExited ? undefined : terminalGroupOf(this.pid)
    return this.#shellGroup === undefined || group === this.#shellGroup ? undefined : group
  }

  /** Ends it and all its processes, and waits for that. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  /** As `end`, at once and without waiting, since this process is about to exit. */
  killNow(): void {
    for (const { pid } of [...this.#processes?.living() ?? [], ...this.inside?.living() ?? []]) {
      sendSignal(pid, 'SIGKILL')
    }
    sendSignal(-this.pid, 'SIGKILL')
    this.#clean()
  }

  async #end(): Promise<void> {
    try {
      await this.#report()
      // Closing the terminal hangs up: a shell ends, and signals its jobs.
      this.#pty.destroy()
      await Promise.race([this.exited, sleep(HANG_UP_MS)])
      if (this.#inside && this.#init !== undefined) {
        await endInside(this.pid, this.#init, this.#inside, () => true)
        if (!this.#hasExited) sendSignal(this.pid, 'SIGKILL')
      } else await endProcessTree(this.pid, this.#processes)
      await this.#program.end?.()
    } finally {
      this.#clean()
    }
  }

  /** Waits for bubblewrap's report of the first process, before which nothing runs inside. */
  async #report(): Promise<void> {
    const until = performance.now() + REPORT_MS
    while (this.#scratch !== undefined && !this.inside && !this.#hasExited && performance.now() < until) await sleep(5)
  }

  #clean(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true })
    this.#program.release?.()
  }
}

/** Age in milliseconds at which a directory counts as left behind by a hermes that was killed while a shell started. */
const OLD_MS = 600_000
const PREFIX = 'hermes-terminal-'

function removeOld(): void {
  for (const name of orNothing(() => readdirSync(tmpdir()), []).filter(file => file.startsWith(PREFIX))) {
    orNothing(() => {
      const path = join(tmpdir(), name)
      const { mtimeMs, uid } = lstatSync(path)
      if (uid === process.getuid?.() && Date.now() - mtimeMs > OLD_MS) rmSync(path, { recursive: true, force: true })
    }, undefined)
  }
}

/** Writes the inputs to a directory of the user's own, which no sandbox shows. */
function writeInputs(inputs: readonly (string | Uint8Array)[]): string {
  removeOld()
  const directory = mkdtempSync(join(tmpdir(), PREFIX))
  for (const [index, input] of inputs.entries()) {
    writeFileSync(join(directory, String(FIRST_INPUT + index)), input, { mode: 0o600 })
  }
  closeSync(openSync(join(directory, 'status'), 'w', 0o600))
  return directory
}

/**
 * A pseudoterminal gives its program only the standard descriptors: a shell opens the others, then becomes the program.
 */
function withInputs({ file, args, inputs = [] }: ConfinedProgram, directory: string): [string, string[]] {
  const opened = inputs.map((_, index) => `${FIRST_INPUT + index}<"$1/${FIRST_INPUT + index}"`).join(' ')
  const shell = inputs.length + FIRST_INPUT > 10 ? '/bin/bash' : '/bin/sh'
  return [
    shell, ['-c', `exec ${FIRST_INPUT - 1}>"$1/status" ${opened}; shift; exec "$@"`, 'sh', directory, file, ...args],
  ]
}
