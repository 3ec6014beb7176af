import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { LogTail } from './log-tail.js'
import { HAS_GROUPS, killAll, killWhenHermesExits } from './marked-processes.js'

const MARK = 'HERMES_EXTENSION'

export interface ExtensionProgram {
  /** What messages call it. */
  name: string
  /** Program and arguments; never a shell's line. */
  command: readonly string[]
  /** Absolute. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** What it writes to standard error, as it comes. */
  onLog?: ((piece: Buffer) => void) | undefined
}

/** How a process ended. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** An extension's process, the leader of a group of its own, so that nothing of it outlives the host. */
export class ExtensionProcess {
  readonly log = new LogTail()
  readonly exited: Promise<Exit>
  /** Its standard error has been read to the end, which comes after the exit. */
  readonly logged: Promise<void>
  hasExited = false
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #pid: number
  readonly #mark: string
  readonly #letGo: () => void

  private constructor(
    child: ChildProcessByStdio<Writable, Readable, Readable>, pid: number, mark: string,
    onLog: ExtensionProgram['onLog'],
  ) {
    this.#child = child
    this.#pid = pid
    this.#mark = mark
    this.#letGo = killWhenHermesExits(pid, mark)
    child.stderr.on('data', (piece: Buffer) => {
      this.log.add(piece)
      onLog?.(piece)
    })
    this.logged = new Promise(resolve => child.stderr.once('close', () => resolve()))
    // Who writes to a process that is gone learns it from the exit.
    child.stdin.on('error', () => undefined)
    this.exited = new Promise(resolve => child.once('exit', (code, signal) => {
      this.hasExited = true
      resolve({ code, signal })
    }))
  }

  /** @throws HermesError `EXTENSION_FAILED` where it cannot be started */
  static async start(
    { name, command: [program = '', ...args], cwd, env, onLog }: ExtensionProgram,
  ): Promise<ExtensionProcess> {
    const id = randomUUID()
    const child = spawn(program, args, {
      cwd, env: { ...env, [MARK]: id }, stdio: ['pipe', 'pipe', 'pipe'], detached: HAS_GROUPS, windowsHide: true,
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', error => reject(notStarted(name, program, error)))
    })
    child.on('error', () => undefined)
    if (child.pid === undefined) throw notStarted(name, program, new Error('no process'))
    return new ExtensionProcess(child, child.pid, `${MARK}=${id}`, onLog)
  }

  get input(): Writable {
    return this.#child.stdin
  }

  get output(): Readable {
    return this.#child.stdout
  }

  /** Ends what is left of it, at once. */
  async kill(): Promise<void> {
    await killAll(this.#pid, this.#mark)
    this.#letGo()
    await this.exited
    // A descendant that cannot be reached may still hold them.
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy()
  }
}

function notStarted(name: string, program: string, error: unknown): HermesError {
  const code = isNodeError(error) ? error.code : undefined
  const why = code === 'ENOENT' ? `there is no program ${program}` : code === 'EACCES' ? `${program} is not executable`
    : `${program} cannot be started (${code ?? String(error)})`
  return new HermesError('EXTENSION_FAILED', `Extension '${name}' was not started: ${why}`, {
    hint: 'Give the program and its arguments one by one, e.g. node /path/to/extension.mjs; no shell reads them.',
    cause: error,
  })
}
