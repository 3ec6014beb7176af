import { orNothing, type ConfinedProgram, type ProgramCall } from '../../0-contracts/src/index.js'
import { findProgram, trustedPath } from '../../2-processes/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { bwrapArguments, type BwrapFeatures } from './bwrap-arguments.js'
import { bwrapProbe, probeBwrap } from './bwrap-probe.js'
import { NamespaceCalls } from './namespace-call.js'
import type { NestedControl } from './nested-control.js'
import { networkProblem, SessionNetwork, type NamespaceStart } from './network/index.js'
import { orReleaseLater } from './or-release.js'
import { seccompFilter } from './seccomp-filter.js'
import { NEEDED, type NamespacesStart } from './task-namespaces.js'
import { TaskSets } from './task-sets.js'

/** Where bubblewrap is looked for before PATH, whose directories commands may come to write. */
const USUAL_PATH = '/usr/bin:/usr/local/bin:/bin'

const NO_NSENTER = 'nsenter (util-linux) is not installed'

/** Bubblewrap: namespaces of its own, a file system of its own, no capabilities (contract section 3 'commands'). */
export class BwrapBackend implements Backend {
  readonly name = 'bwrap'
  readonly isIsolated = false
  readonly #calls: NamespaceCalls
  readonly #task: SandboxPlace['task']
  readonly #tasks: TaskSets | undefined
  readonly #network: SessionNetwork | undefined
  #program = ''
  #features: BwrapFeatures = { size: false, disableUserns: false }

  constructor(place: SandboxPlace) {
    this.#calls = new NamespaceCalls(place)
    this.#task = place.task
    if (place.task !== undefined) this.#tasks = new TaskSets(network => this.#namespaces(network))
    if (place.hosts !== undefined) this.#network = new SessionNetwork(place.hosts, () => this.#ownNetwork())
  }

  async problem(): Promise<string | undefined> {
    if (process.platform !== 'linux') return 'bubblewrap is for Linux only'
    const program = located('bwrap')
    if (program === undefined) return 'bubblewrap is not installed'
    this.#program = program
    // Where these work all does.
    if (this.#task !== undefined && await this.#tasks?.for(this.#task.network) !== undefined) {
      this.#features = NEEDED
      return undefined
    }
    const state = await probeBwrap(program)
    if (!state.works) return state.problem
    this.#features = state.features
    return undefined
  }

  async hostsProblem(): Promise<string | undefined> {
    const nsenter = located('nsenter')
    if (nsenter === undefined) return NO_NSENTER
    // The proxy of a task was begun with its namespaces.
    if (this.#network === undefined || (await this.#tasks?.for(true))?.proxy !== undefined) return undefined
    return networkProblem(this.#network, nsenter, [this.#program, ...bwrapProbe(this.#features, true)])
  }

  async confine(call: ProgramCall, nested: NestedControl): Promise<ConfinedProgram> {
    // Hooks run in git's own time, not in that of a command; what changes nothing may outlive the task.
    const isAlone = call.commit !== undefined || nested.opened !== undefined || call.changesNothing
    const task = isAlone ? undefined : await this.#tasks?.for(call.network ?? false)
    const inside = this.#calls.plan(call, nested, task)
    const isJoined = task !== undefined && inside.isJoined
    const own = isJoined || !call.network ? undefined
      : await orReleaseLater(inside.release, () => this.#network?.get())
    const { args, inputs } = bwrapArguments({
      ...inside, features: this.#features, filter: seccompFilter(), isEntered: own !== undefined,
    })
    const start = own === undefined ? { file: this.#program, args }
      : { file: located('nsenter') ?? 'nsenter', args: [...own.entry, this.#program, ...args] }
    const program = this.#calls.program(
      inside, { sandbox: this.name, ...start, inputs }, isJoined ? task.proxy : own?.proxy,
    )
    if (!isJoined) return program
    let hasEnded = false
    const { shared, release } = task.command(() => {
      inside.release()
      // What it left running may have made repositories since.
      if (hasEnded) nested.lookAgain?.()
    })
    return {
      ...program, ...task.entered(args), shared,
      release() {
        release()
        hasEnded = true
      },
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.#tasks?.end(), this.#network?.end()])
  }

  /** How the namespaces of the task are made, or why they cannot be. */
  #namespaces(network: boolean): NamespacesStart | string {
    const nsenter = located('nsenter')
    if (nsenter === undefined) return NO_NSENTER
    return { bwrap: this.#program, nsenter, ...this.#calls.shared(network) }
  }

  /** Bubblewrap makes it, since that starts the loopback too; the user around that of the commands is root in it. */
  #ownNetwork(): NamespaceStart {
    return {
      program: this.#program, args: [
        '--unshare-user', '--uid', '0', '--gid', '0', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent',
        '--dev-bind', '/', '/', '--',
      ],
    }
  }
}

function located(name: string): string | undefined {
  return orNothing(() => findProgram(name, `${USUAL_PATH}:${trustedPath(process.env['PATH'] ?? '')}`), undefined)
}
