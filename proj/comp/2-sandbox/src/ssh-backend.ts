import { randomUUID } from 'node:crypto'
import { posix, relative } from 'node:path'
import { HermesError, type ConfinedProgram, type ProgramCall } from '../../0-contracts/src/index.js'
import { ownProgram, trustedEnvironment } from '../../2-processes/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { programInside } from './container-backend.js'
import { sshArguments, type SshSettings } from './ssh-arguments.js'

/** Commands run on another host by ssh: this machine is out of their reach, and that one has to hold them itself. */
export class SshBackend implements Backend {
  readonly name = 'ssh'
  readonly isIsolated = false

  constructor(private readonly place: SandboxPlace, private readonly settings: SshSettings | undefined) {}

  async problem(): Promise<string | undefined> {
    if (this.settings === undefined) return 'TERMINAL_SSH_HOST names no host'
    return ownProgram('ssh') === undefined ? 'ssh is not installed' : undefined
  }

  confine({ verb, file, args, cwd, env, readable = [], terminal = false }: ProgramCall): ConfinedProgram {
    if (this.settings === undefined) throw new HermesError('NOT_INSTALLED', `${verb}: TERMINAL_SSH_HOST names no host`)
    if (readable.length > 0) {
      const { host } = this.settings
      throw new HermesError('INVALID_PARAMETER', `${verb}: code of more than 128 KiB cannot be sent to ${host}`, {
        hint: 'Write it in parts, or into a file there first.',
      })
    }
    return {
      sandbox: this.name, file: 'ssh', cwd: '/', isVerbatim: false, ...(!terminal && { holdsStdin: true }),
      limits: undefined,
      args: sshArguments({ ...this.settings, cwd: this.#directory(cwd) }, env ?? {}, [programInside(file), ...args],
        terminal ? { mark: randomUUID() } : undefined),
      env: withAgent(trustedEnvironment(this.place.env(true))), explain: () => undefined,
    }
  }

  /** A directory below the root is the one of the same name below the directory there. */
  #directory(cwd: string): string | undefined {
    const below = isInside(this.place.root, cwd) ? relative(this.place.root, cwd) : ''
    const there = this.settings?.cwd
    if (below === '') return there
    return posix.join(there ?? '.', below)
  }
}

/** `ssh` itself may use the agent; what it runs there cannot, since nothing is forwarded. */
function withAgent(env: Record<string, string>): Record<string, string> {
  const socket = process.env['SSH_AUTH_SOCK']
  return socket === undefined ? env : { ...env, SSH_AUTH_SOCK: socket }
}
