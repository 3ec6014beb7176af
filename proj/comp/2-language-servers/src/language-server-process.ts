import {
  isNodeError, type ConfinedProgram, type LanguageServer, type VerbContext,
} from '../../0-contracts/src/index.js'
import {
  furtherPipes, giveInputs, HAS_GROUPS, LogTail, start, trustedPath, whenHermesExits, type StartedProgram,
} from '../../2-processes/src/index.js'
import { serverFailed } from './language-server-failures.js'

/** Between SIGTERM and SIGKILL, and how long the system may take to end what is killed, in milliseconds. */
const TIMES = { grace: 500, kill: 5000 }

/** A language server as a program in the sandbox, which sees the root and writes nothing of it. */
export class ServerProcess {
  readonly log = new LogTail()
  readonly #letGo: () => void
  #ending: Promise<void> | undefined

  private constructor(readonly program: StartedProgram, private readonly confined: ConfinedProgram) {
    this.#letGo = whenHermesExits(() => HAS_GROUPS && program.signal('SIGKILL'))
    program.errors.on('data', (piece: Buffer) => this.log.add(piece))
    giveInputs(confined, program.stdio)
    // Requests hold hermes while they wait; a server that nobody asks does not.
    program.letGo()
  }

  /** @throws HermesError `SERVER_FAILED` where it cannot be started; `APPROVAL_DENIED`, `NOT_INSTALLED` as `admit` */
  static async start(verb: string, server: LanguageServer, context: VerbContext): Promise<ServerProcess> {
    const { name, command: [file = '', ...args], env, by } = server
    // Where commands run in a container the root is here all the same.
    const sandbox = context.sandbox.local
    try {
      await sandbox.admit(verb, server.command.join(' '), context.approve, false)
      const confined = await sandbox.confine({
        verb, file, args, cwd: context.gate.approve(context.session.root, 'read'), env, isOfUser: true,
        changesNothing: true,
      })
      try {
        const program = await start({
          program: confined.file, args: confined.args, cwd: confined.cwd, env: environmentOf(confined),
          stdio: ['pipe', 'pipe', 'pipe', ...furtherPipes(confined)], leadsGroup: true, mayBeScript: true,
          isVerbatim: confined.isVerbatim,
        })
        return new ServerProcess(program, confined)
      } catch (error) {
        confined.release?.()
        throw error
      }
    } catch (error) {
      if (!isNodeError(error)) throw error
      const why = error.code === 'ENOENT' ? `there is no program ${file}` : `${file} cannot be started (${error.code})`
      throw serverFailed(name, `was not started: ${why}`, `The user can install it, or mend its command: ${by}.`, error)
    }
  }

  /** Ends it with all that it started, and waits for that. */
  async end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    this.program.hold()
    await this.program.end(TIMES)
    await this.confined.end?.()
    await this.program.exited
    this.program.closeStreams()
    this.confined.release?.()
    this.#letGo()
  }
}

/** Where nothing holds it, neither it nor what it starts by name is a program of the project: models write there. */
function environmentOf({ sandbox, env }: ConfinedProgram): Record<string, string> {
  if (sandbox !== 'none') return { ...env }
  return Object.fromEntries(Object.entries(env).map(([name, value]) => (
    [name, name.toUpperCase() === 'PATH' ? trustedPath(value) : value]
  )))
}
