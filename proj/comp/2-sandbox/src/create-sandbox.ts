import { totalmem } from 'node:os'
import { DEFAULT_LIMITS, DEFAULT_POLICY, shownOwnFile } from '../../2-config/src/index.js'
import {
  HermesError, opensPart, settingName, type ApprovalQuestion, type CommandSandbox, type ConfinedProgram, type Consent,
  type ProgramCall, type SandboxMode, type SandboxName, type TerminalSettings,
} from '../../0-contracts/src/index.js'
import { FirstBackend, NoBackend, type Backend, type SandboxPlace } from './backend.js'
import { BwrapBackend } from './bwrap-backend.js'
import { ContainerBackend } from './container-backend.js'
import { passedOn } from './command-environment.js'
import { NestedWatch, type NestedControl } from './nested-control.js'
import { notHeld, proxyEnvironment, unheldIn } from './network/index.js'
import { OpenedGit } from './opened-git/index.js'
import { orReleaseLater } from './or-release.js'
import type { ResourceLimits } from './resource-limits.js'
import { SeatbeltBackend } from './seatbelt-backend.js'
import { SshBackend } from './ssh-backend.js'
import { sshSettings } from './ssh-arguments.js'
import { UnshareBackend } from './unshare-backend.js'

/** The part of the machine's memory that commands may use at most. */
const MOST_MEMORY = 0.75

export interface SandboxOptions
  extends Pick<SandboxPlace, 'root' | 'hosts' | 'task' | 'sudoPassword'>,
  Partial<Pick<SandboxPlace, 'allow' | 'readOnly'>> {
  /** Default `auto`: the platform's own; without one each command needs an approval. */
  mode?: SandboxMode
  /** Variables passed on besides the usual ones. */
  passes?: (name: string) => boolean
  resources?: Partial<ResourceLimits>
  /** Another place for commands than this machine. */
  terminal?: TerminalSettings | undefined
}

/** The limits of a run are those of its commands; the others are set here alone. */
export const DEFAULT_RESOURCES: Readonly<ResourceLimits> = {
  processes: DEFAULT_LIMITS.maxProcesses, memoryBytes: DEFAULT_LIMITS.maxMemoryBytes, fileBytes: 4 * 2 ** 30,
  cpuSeconds: 4 * 3600,
}

/** The sandbox that each platform has of its own. */
const OWN: Partial<Record<NodeJS.Platform, { name: SandboxName; open: (place: SandboxPlace) => Backend }>> = {
  linux: { name: 'bwrap', open: place => new FirstBackend([new BwrapBackend(place), new UnshareBackend(place)]) },
  darwin: { name: 'seatbelt', open: (place) => new SeatbeltBackend(place) },
}
/** The sandboxes that the user can name. */
const NAMED = {
  bwrap: (place: SandboxPlace) => new BwrapBackend(place),
  unshare: (place: SandboxPlace) => new UnshareBackend(place),
} satisfies Partial<Record<SandboxMode, (place: SandboxPlace) => Backend>>
/** The kind of approval that a command needs which would run without one. */
const UNSANDBOXED = 'unsandboxed'

/** What holds commands where nobody has set anything else, as `unified-design.yaml` tells it. */
export const COMMAND_CONFINEMENT = {
  sandbox: DEFAULT_POLICY.sandbox.value,
  platforms: Object.fromEntries(Object.entries(OWN).map(([platform, { name }]) => [platform, name])),
  linux_without_bwrap: 'unshare',
  approval_without_sandbox: UNSANDBOXED,
  network: DEFAULT_POLICY.verbs.network.value,
  max_processes: DEFAULT_RESOURCES.processes,
  max_memory: DEFAULT_RESOURCES.memoryBytes,
  max_written_file_size: DEFAULT_RESOURCES.fileBytes,
  max_cpu_seconds: DEFAULT_RESOURCES.cpuSeconds,
}

/** Where the commands of a session run. Nothing is tried before the first command. */
export function createSandbox(options: SandboxOptions): CommandSandbox {
  const { mode = 'auto', root, allow = [], readOnly = [], passes, resources, hosts } = options
  const { task, terminal, sudoPassword } = options
  const isLocal = (terminal?.backend ?? 'local') === 'local'
  const place: SandboxPlace = {
    root, allow, readOnly, resources: bounded({ ...DEFAULT_RESOURCES, ...resources }),
    ...(isLocal && { task }), sudoPassword, hosts,
    env: network => ({
      ...passedOn(process.env, { network: network && hosts ? 'named' : network, ...(passes && { passes }) }),
      ...(network && hosts && proxyEnvironment(hosts)),
    }),
  }
  const open = (where: TerminalSettings | undefined, local?: CommandSandbox): CommandSandbox => {
    const chosen = chooseBackend(mode, place, where)
    return new SessionSandbox(chosen, { fallback: new NoBackend(place), mayFallBack: mode === 'auto' && chosen.isOwn },
      [root, ...allow], hosts, local)
  }
  const local = open(undefined)
  return isLocal ? local : open(terminal, local)
}

/** What would leave the machine no memory is no limit. */
function bounded(resources: ResourceLimits): ResourceLimits {
  return { ...resources, memoryBytes: Math.min(resources.memoryBytes, Math.floor(totalmem() * MOST_MEMORY)) }
}

interface Chosen {
  /** `undefined` where the platform has none. */
  backend: Backend | undefined
  /** Of this platform, and not one the user named. */
  isOwn: boolean
  /** Why there is none where the user named one. */
  refused?: Refusal
}

interface Refusal {
  name: string
  problem: string
  hint: string
}

/** It has no program that starts commands: only a client in Python, with an account. */
const MODAL = (): Refusal => ({
  name: 'modal', problem: 'hermes has no client for it',
  hint: `Commands cannot run there. Ask the user to set terminal.backend in ${shownOwnFile()} to docker, `
    + 'singularity, ssh or local; for a machine at Modal that accepts ssh, to ssh. Files can be read and written all '
    + 'the same.',
})

function chooseBackend(mode: SandboxMode, place: SandboxPlace, terminal: TerminalSettings = {}): Chosen {
  const { backend = 'local', cwd } = terminal
  if (backend === 'modal') return { backend: undefined, isOwn: false, refused: MODAL() }
  if (backend === 'ssh') return { backend: new SshBackend(place, sshSettings(process.env, cwd)), isOwn: false }
  if (backend === 'docker' || backend === 'singularity') {
    return { backend: new ContainerBackend(backend, place, { image: terminal[`${backend}_image`], cwd }), isOwn: false }
  }
  if (mode === 'none') return { backend: new NoBackend(place), isOwn: true }
  return { backend: mode === 'auto' ? OWN[process.platform]?.open(place) : NAMED[mode](place), isOwn: true }
}

const NOTHING_NESTED: NestedControl = { kept: [], missing: [] }

class SessionSandbox implements CommandSandbox {
  readonly isIsolated: boolean
  readonly local: CommandSandbox
  #problem: Promise<string | undefined> | undefined
  #hostsProblem: Promise<string | undefined> | undefined
  #current: Backend

  /** @param instead `mayFallBack`: without the sandbox an approval is enough */
  constructor(
    private readonly chosen: Chosen, private readonly instead: { fallback: Backend; mayFallBack: boolean },
    private readonly writable: readonly string[], private readonly hosts: readonly string[] | undefined,
    local?: CommandSandbox,
  ) {
    this.local = local ?? this
    this.isIsolated = chosen.backend?.isIsolated ?? false
    this.#current = chosen.backend ?? instead.fallback
  }

  problem(): Promise<string | undefined> {
    return this.#problem ??= this.chosen.backend?.problem() ?? Promise.resolve('this system has none')
  }

  hostsProblem(): Promise<string | undefined> {
    return this.#hostsProblem ??= this.#findHostsProblem()
  }

  async #findHostsProblem(): Promise<string | undefined> {
    if (this.hosts === undefined) return undefined
    if (this.chosen.refused !== undefined) return this.chosen.refused.problem
    const backend = this.chosen.backend ?? this.instead.fallback
    return await this.problem() ?? (backend.hostsProblem ? backend.hostsProblem() : unheldIn(backend.name))
  }

  async admit(
    verb: string, command: string, approve: (request: ApprovalQuestion) => Promise<Consent>, mayReach = true,
  ): Promise<SandboxName> {
    if (this.chosen.refused !== undefined) throw notWorking(verb, this.chosen.refused)
    const unheld = this.hosts && await this.hostsProblem()
    const problem = await this.problem()
    const isOffline = !mayReach && problem === undefined && this.#current.name !== 'none'
    if (unheld !== undefined && !isOffline) throw notHeld(verb, this.hosts ?? [], unheld)
    if (problem === undefined) return this.#current.name
    if (!this.instead.mayFallBack) {
      throw notWorking(verb, { name: this.chosen.backend?.name ?? 'bwrap', problem, hint: install() })
    }
    const reason = `runs without a sandbox (${problem}): it can do whatever you can`
    const consent = await approve({ action: verb, reason, kind: UNSANDBOXED, command })
    if (consent !== 'granted') throw notApproved(verb, problem, consent)
    this.#current = this.instead.fallback
    return this.#current.name
  }

  async confine(call: ProgramCall): Promise<ConfinedProgram> {
    if (call.access === 'outside') return this.instead.fallback.confine(call, NOTHING_NESTED)
    const unheld = this.hosts && call.network && await this.hostsProblem()
    if (typeof unheld === 'string') throw notHeld(call.verb, this.hosts ?? [], unheld)
    // What runs on another machine does not reach the root.
    if (this.#current.name === 'ssh') return this.#current.confine(call, NOTHING_NESTED)
    const watch = new NestedWatch(this.writable)
    const control = this.#current.name === 'none' || call.changesNothing ? NOTHING_NESTED : watch.control(call.verb)
    const [root = '/'] = this.writable
    const git = opensPart(call.access, 'git')
      ? await OpenedGit.open(call.verb, call.cwd, root, this.writable) : undefined
    const given = git === undefined ? call : { ...call, env: { ...git.env, ...call.env } }
    const confined = await orReleaseLater(() => git?.dispose(), () => this.#current.confine(given, {
      ...control, ...(git && { opened: git.mounts }), lookAgain: () => watch.end(),
    }))
    return {
      ...confined, ...(git && { settle: async () => git.takeOver() }),
      release() {
        confined.release?.()
        git?.dispose()
        watch.end()
      },
    }
  }

  async end(): Promise<void> {
    await this.chosen.backend?.end?.()
  }
}

function install(): string {
  return `Ask the user to install or allow it, or to run commands without one (${settingName('unconfined')}).`
}

function notWorking(verb: string, { name, problem, hint }: Refusal): HermesError {
  return new HermesError('NOT_INSTALLED', `${verb}: the sandbox ${name} does not work here: ${problem}`, { hint })
}

function notApproved(verb: string, problem: string, consent: Exclude<Consent, 'granted'>): HermesError {
  const message = consent === 'denied'
    ? `${verb}: the user did not allow it to run without a sandbox`
    : `${verb}: there is no sandbox here (${problem}), and nobody to allow the command without one`
  return new HermesError('APPROVAL_DENIED', message, {
    hint: `Do without the command, or ask the user to install bubblewrap or to run hermes with ${
      settingName('unconfined')}.`,
  })
}
