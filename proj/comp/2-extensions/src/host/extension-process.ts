import { randomUUID } from 'node:crypto'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { LogTail, start, whenHermesExits, type StartedProgram } from '../../../2-processes/src/index.js'
import { killAll, killAllNow } from './marked-processes.js'

const MARK = 'HERMES_EXTENSION'

export interface ExtensionProgram {
  /** Name in messages. */
  name: string
  /** Program and arguments; no shell is involved. */
  command: readonly string[]
  /** Absolute. */
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Most bytes of memory, with its child processes (Linux). Default: that of hermes' own programs. */
  mostMemoryBytes?: number | undefined
  /** Called with its standard error output as it comes. */
  onLog?: ((piece: Buffer) => void) | undefined
}

/** The process of an extension, leader of its own process group, so that nothing of it outlives the host. */
export class ExtensionProcess {
  readonly log = new LogTail()
  /** Resolves when its standard error has been read to the end, after the exit. */
  readonly logged: Promise<void>
  readonly #letGo: () => void

  private constructor(
    readonly program: StartedProgram, private readonly mark: string, onLog: ExtensionProgram['onLog'],
  ) {
    this.#letGo = whenHermesExits(() => killAllNow(program.pid, mark))
    program.errors.on('data', (piece: Buffer) => {
      this.log.add(piece)
      onLog?.(piece)
    })
    this.logged = new Promise(resolve => program.errors.once('close', () => resolve()))
  }

  /** @throws HermesError `EXTENSION_FAILED` where it cannot be started */
  static async start(
    { name, command: [program = '', ...args], cwd, env, onLog }: ExtensionProgram,
  ): Promise<ExtensionProcess> {
    const id = randomUUID()
    try {
      const started = await start({
        program, args, cwd, env: { ...env, [MARK]: id }, stdio: ['pipe', 'pipe', 'pipe'], leadsGroup: true,
      })
      return new ExtensionProcess(started, `${MARK}=${id}`, onLog)
    } catch (error) {
      throw notStarted(name, program, error)
    }
  }

  /** Kills what is left of it at once. */
  async kill(): Promise<void> {
    await killAll(this.program.pid, this.mark)
    this.#letGo()
    await this.program.exited
    this.program.closeStreams()
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
