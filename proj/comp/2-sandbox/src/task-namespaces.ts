import { closeSync, openSync, readdirSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { orNothing, type FirstProcess, type ProgramLimits, type SharedNamespaces } from '../../0-contracts/src/index.js'
import {
  firstStop, listenInside, namespaceOf, processesIn, sendSignal, start, usageOf, whenHermesExits,
  type StartedProgram,
} from '../../2-processes/src/index.js'
import { problemOf } from './backend.js'
import {
  bwrapOptions, holderOptions, JOINED_FILE_SYSTEMS, SHARED_PROCESSES, type BwrapFeatures,
} from './bwrap-arguments.js'
import { directoriesInMemory, type Mount } from './mounts.js'
import { HostProxy, PROXY_PORT } from './network/index.js'
import { holderMounts, holds, sharedDirectories, withShared, type SharedDirectory } from './shared-directories.js'
import { systemMounts } from './system-mounts.js'

/** How long the namespaces may take to come to be, and a first command in them, in milliseconds. */
const START_MS = 30_000
/** Between two looks at what commands left running, in milliseconds. */
const LOOK_MS = 250
/** What the holder reports on, and what it reads its options from. */
const STATUS_FD = 3
const OPTIONS_FD = 4
/** How bubblewrap's report names the first process; a number that is whole. */
const CHILD = /"child-pid":\s*(\d+)\D/
/** The holder and the program it waits for. */
const OWN_PROCESSES = 2
/** A command's own mounts are made in these by a bubblewrap of its own, in a user namespace within that of these. */
const JOINED = ['user', 'mnt', 'ipc', 'pid'] as const
const OPTION = { user: 'user', mnt: 'mount', ipc: 'ipc', pid: 'pid', net: 'net' } as const
/** `--disable-userns` counts on it, and what a command leaves running is told by its mounts. */
export const NEEDED: BwrapFeatures = { size: true, disableUserns: true }

export interface NamespacesStart {
  /** Absolute paths of bubblewrap and `nsenter`. */
  bwrap: string
  nsenter: string
  /** What commands find, as far as it stays the same. */
  mounts: readonly Mount[]
  /** Directories in memory that they share, if they can. */
  places: readonly string[]
  /** That of the machine. */
  network: boolean
  /** These alone, by a proxy; then `network` is false. */
  hosts?: readonly string[] | undefined
  limits: Omit<ProgramLimits, 'inMemory'>
}

/** A command that runs, or has left something running. */
interface Command {
  mounts: string | undefined
  hasEnded: boolean
  release: () => void
}

/**
 * The namespaces of a task: processes, network and IPC. A holder makes them and lives as long as they do: its end, and
 * with it that of hermes (a pipe that closes, and the kernel's signal), ends all that is in them. It has no
 * capabilities, and no more than the mounts of the commands. These cannot look into it, as it is in a user namespace
 * around theirs; nor end it, as it is the first process of the namespace.
 */
export class TaskNamespaces {
  readonly #pids: string
  readonly #descriptors: readonly number[]
  readonly #entry: readonly string[]
  readonly #inMemory: readonly string[]
  readonly #commands = new Set<Command>()
  readonly #letGo: () => void
  #proxy: HostProxy | undefined
  #timer: NodeJS.Timeout | undefined
  #isGone = false

  private constructor(
    private readonly how: NamespacesStart, private readonly holder: StartedProgram, private readonly init: number,
    private readonly held: readonly Mount[], private readonly directories: readonly SharedDirectory[],
  ) {
    this.#inMemory = [
      ...directories.map(({ at }) => at),
      ...directoriesInMemory(withShared([...JOINED_FILE_SYSTEMS, ...how.mounts], directories)),
    ]
    const pids = namespaceOf(init, 'pid')
    if (pids === undefined) throw new Error('its namespaces cannot be looked into')
    this.#pids = pids
    const kinds = [...JOINED, ...(how.network ? [] : ['net'] as const)]
    // Open files, since the number of a process may be given again.
    this.#descriptors = kinds.map(kind => openSync(`/proc/${init}/ns/${kind}`, 'r'))
    this.#entry = kinds.map((kind, index) => (
      `--${OPTION[kind]}=/proc/${process.pid}/fd/${this.#descriptors[index]}`
    ))
    this.#letGo = whenHermesExits(() => {
      this.#kill()
      this.#releaseAll()
    })
    void holder.exited.then(() => this.#forget())
  }

  /** @throws Node's error, or one that says why they cannot be made */
  static async start(how: NamespacesStart): Promise<TaskNamespaces> {
    const held = holderMounts(how.mounts)
    const directories = sharedDirectories(how.places, [...JOINED_FILE_SYSTEMS, ...how.mounts])
    const { options, command } = holderOptions(held, directories, how.network)
    const holder = await start({
      program: how.bwrap, args: ['--args', String(OPTIONS_FD), '--json-status-fd', String(STATUS_FD), '--', ...command],
      cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'], leadsGroup: true,
    })
    const input = holder.stdio[OPTIONS_FD] as Writable
    input.on('error', () => undefined)
    input.end(options.map(option => `${option}\0`).join(''))
    holder.letGo()
    try {
      const made = new TaskNamespaces(how, holder, await firstProcess(holder), held, directories)
      if (how.hosts !== undefined) await made.#serve(how.hosts)
      return made
    } catch (error) {
      holder.signal('SIGKILL')
      throw error
    }
  }

  /** By which alone commands in them reach the network. */
  get proxy(): HostProxy | undefined {
    return this.#proxy
  }

  /** The proxy listens before the first command can. */
  async #serve(hosts: readonly string[]): Promise<void> {
    const entry = this.#entry.filter(option => /^--(?:user|net)=/.test(option))
    const { server, release } = await listenInside({
      program: this.how.nsenter, args: ['--preserve-credentials', ...entry, '--no-fork', '--'],
    }, PROXY_PORT)
    this.#proxy = new HostProxy(hosts, server)
    await release()
  }

  /** Nothing can be started in them any more. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** The mounts of a command in them; `undefined` where it finds what the holder has not, and so cannot join. */
  mountsFor(mounts: readonly Mount[]): Mount[] | undefined {
    const joined = withShared([...JOINED_FILE_SYSTEMS, ...mounts], this.directories)
    return holds(this.held, joined) ? joined : undefined
  }

  /** What starts bubblewrap in them: a program and its arguments. */
  entered(args: readonly string[]): { file: string; args: string[] } {
    return {
      file: this.how.nsenter,
      // It is bubblewrap's first process alone that is in the namespace of processes.
      args: ['--preserve-credentials', ...this.#entry, '--no-fork', '--', this.how.bwrap, ...args],
    }
  }

  /** Why no command can be started in them, as the end of a sentence. */
  async problem(): Promise<string | undefined> {
    const { network } = this.how
    const mounts = this.mountsFor(systemMounts('/', network).filter(({ kind }) => kind !== 'text'))
    if (mounts === undefined) return 'its namespaces lack what commands find'
    const { options } = bwrapOptions({
      mounts, cwd: '/', network, features: NEEDED, env: {}, isJoined: true,
    })
    const { file: program, args } = this.entered([...options, '--', '/bin/sh', '-c', ':'])
    return problemOf({ program, args, env: {}, timeoutMs: START_MS }, `${this.how.bwrap} failed`)
  }

  /**
   * A command that is about to be started in them.
   *
   * @param release called once nothing of it runs any more
   */
  command(release: () => void): { shared: SharedNamespaces; release: () => void } {
    const command: Command = { mounts: undefined, hasEnded: false, release }
    this.#commands.add(command)
    const shared: SharedNamespaces = {
      entered: ({ mounts }: FirstProcess) => {
        command.mounts = mounts
      },
      living: () => command.mounts === undefined ? [] : processesIn({ mnt: command.mounts, pid: this.#pids }),
      usage: () => usageOf(processesIn({ pid: this.#pids }), this.#inMemory),
      endAll: () => this.end(),
    }
    return {
      shared,
      release: () => {
        command.hasEnded = true
        this.#look()
      },
    }
  }

  /** Ends all that is in them, and waits for that. */
  async end(): Promise<void> {
    this.#kill()
    this.holder.hold()
    await this.holder.exited
    this.#forget()
  }

  #kill(): void {
    // The one around it ends once all that was inside has.
    if (this.holder.exit === undefined) sendSignal(this.init, 'SIGKILL')
  }

  #releaseAll(): void {
    for (const { release } of this.#commands) release()
    this.#commands.clear()
  }

  #forget(): void {
    if (this.#isGone) return
    this.#isGone = true
    clearInterval(this.#timer)
    this.#letGo()
    this.#proxy?.close()
    this.holder.closeStreams()
    for (const descriptor of this.#descriptors) closeSync(descriptor)
    this.#releaseAll()
  }

  /** Lets go of the commands of which nothing is left; as long as others have left something, it looks again. */
  #look(): void {
    if (this.#isGone) return
    const all = this.#isQuiet() ? [] : processesIn({ pid: this.#pids })
    const living = new Set(all.map(({ pid }) => namespaceOf(pid, 'mnt')))
    for (const command of this.#commands) {
      if (!command.hasEnded || (command.mounts !== undefined && living.has(command.mounts))) continue
      this.#commands.delete(command)
      command.release()
    }
    if (![...this.#commands].some(({ hasEnded }) => hasEnded)) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
    const { processes, memoryBytes } = usageOf(all, this.#inMemory)
    // While another command runs, it is the one to be stopped first.
    const isAlone = [...this.#commands].every(({ hasEnded }) => hasEnded)
    if (isAlone && (processes > this.how.limits.processes || memoryBytes > this.how.limits.memoryBytes)) this.#kill()
  }

  /** Whether none but the holder's processes are left: a look into the namespace's own table is cheap. */
  #isQuiet(): boolean {
    const names = orNothing(() => readdirSync(`/proc/${this.init}/root${SHARED_PROCESSES}`), undefined)
    return names !== undefined && names.filter(name => /^\d+$/.test(name)).length <= OWN_PROCESSES
  }
}

/** The first process of the namespaces, once all is there. @throws where it never came to be */
async function firstProcess(holder: StartedProgram): Promise<number> {
  let text = ''
  const isNamed = new Promise<void>(resolve => {
    (holder.stdio[STATUS_FD] as Readable).on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (CHILD.test(text)) resolve()
    })
  })
  const isUp = new Promise(resolve => holder.output.once('data', resolve))
  // Bubblewrap names it before it runs, but of two pipes either may be read first.
  await firstStop(Promise.all([isNamed, isUp]), { timeoutMs: START_MS }, () => [holder.exited])
  const pid = CHILD.exec(text)?.[1]
  if (pid === undefined || holder.exit !== undefined) throw new Error('bubblewrap made no namespaces')
  return Number(pid)
}
