import { isNodeError, type ConfinedProgram, type ProgramCall, type SandboxName } from '../../0-contracts/src/index.js'
import { run, type ProgramRun } from '../../2-processes/src/index.js'
import type { NestedControl } from './nested-control.js'
import type { ResourceLimits } from './resource-limits.js'
import { SudoHelper, sudoOutside } from './sudo/index.js'

/** What every backend is told. */
export interface SandboxPlace {
  /** Canonical. Commands start here, and may write here and in `allow`. */
  root: string
  allow: readonly string[]
  /** What commands may not change there, beyond what is kept anyway (`.git`, …): canonical. */
  readOnly: readonly string[]
  resources: ResourceLimits
  /** Those that reach the network reach these hosts alone (`readHosts`). Default: all. */
  hosts?: readonly string[] | undefined
  /**
   * Commands share their processes, their loopback and `/tmp` until `end` is called, where the sandbox can do that.
   * Most are to reach the network or not. Default: each has its own.
   */
  task?: { network: boolean } | undefined
  /** The user's password for sudo, where there is one; asked for each command that nothing is around. */
  sudoPassword?: (() => string | undefined) | undefined
  /** The variables commands get; read anew for each. */
  env: (network: boolean) => Record<string, string>
}

/** One way to hold commands: a sandbox of this machine, a container, another host, or none at all. */
export interface Backend {
  readonly name: SandboxName
  /** As of `CommandSandbox`. */
  readonly isIsolated: boolean
  /** Why it does not work here, as the end of a sentence; `undefined` where it does. Asked once. */
  problem(): Promise<string | undefined>
  /**
   * Why it cannot hold commands to named hosts, as the end of a sentence; only where `problem` found nothing. A backend
   * without it cannot at all.
   */
  hostsProblem?(): Promise<string | undefined>
  /** As of `CommandSandbox`; only once `problem` has been asked. */
  confine(call: ProgramCall, nested: NestedControl): ConfinedProgram | Promise<ConfinedProgram>
  /** As of `CommandSandbox`. */
  end?(): Promise<void>
}

/** Why a backend's program does not work, in its own words where it has any; `undefined` where it does. */
export async function problemOf(call: ProgramRun, otherwise: string): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await run(call)
    if (exitCode === 0) return undefined
    return stderr.toString('utf8').trim().split('\n').at(-1)?.slice(0, 300) || otherwise
  } catch (error) {
    if (isNodeError(error)) return otherwise
    throw error
  }
}

/**
 * No sandbox: commands may do what the user may. They still get the passed environment only. Here alone sudo can become
 * root, and is given the user's password where there is one.
 */
export class NoBackend implements Backend {
  readonly name = 'none'
  readonly isIsolated = false

  constructor(private readonly place: SandboxPlace) {}

  async problem(): Promise<undefined> {
    return undefined
  }

  async confine(
    { file, args, cwd, env, isVerbatim = false, network = false }: ProgramCall,
  ): Promise<ConfinedProgram> {
    const { sudoPassword, env: variables } = this.place
    const all = { ...variables(network), ...env }
    const path = all['PATH'] ?? ''
    const password = sudoPassword?.()
    const sudo = password === undefined ? 'absent' : await SudoHelper.for(password, path)
    const isUsed = typeof sudo !== 'string'
    return {
      sandbox: this.name, file, args, cwd, isVerbatim, limits: undefined,
      env: isUsed ? { ...all, PATH: `${sudo.directory}:${path}` } : all,
      explain: output => sudoOutside(output, isUsed ? 'used' : sudo),
    }
  }
}

/** The first of several ways that works; of those that do not, each says why. */
export class FirstBackend implements Backend {
  readonly isIsolated = false
  #chosen: Backend

  constructor(private readonly backends: readonly [Backend, ...Backend[]]) {
    this.#chosen = backends[0]
  }

  get name(): Backend['name'] {
    return this.#chosen.name
  }

  async problem(): Promise<string | undefined> {
    const problems: string[] = []
    for (const backend of this.backends) {
      const problem = await backend.problem()
      if (problem === undefined) {
        this.#chosen = backend
        return undefined
      }
      problems.push(problem)
    }
    return [...new Set(problems)].join('; ')
  }

  async hostsProblem(): Promise<string | undefined> {
    return this.#chosen.hostsProblem?.()
  }

  async end(): Promise<void> {
    await Promise.all(this.backends.map(backend => backend.end?.()))
  }

  confine(call: ProgramCall, nested: NestedControl): ConfinedProgram | Promise<ConfinedProgram> {
    return this.#chosen.confine(call, nested)
  }
}
