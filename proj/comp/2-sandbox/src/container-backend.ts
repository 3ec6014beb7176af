import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { basename, isAbsolute, join, posix, relative } from 'node:path'
import type { ConfinedProgram, ProgramCall, Walls } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { ownEnvironment, trustedEnvironment } from '../../2-processes/src/index.js'
import { problemOf, type Backend, type SandboxPlace } from './backend.js'
import {
  CONTAINER_ENGINES, HANDED, MountPlan, OWNER_VARIABLE, TaskContainers, type EngineName,
} from './containers/index.js'
import type { NestedControl } from './nested-control.js'
import { sudoInSandbox } from './sudo/index.js'

const PROBE_MS = 10_000

export interface ContainerSettings {
  image: string | undefined
  /** Where the root is in the container; default, and where it is not absolute: where it is outside. */
  cwd: string | undefined
}

/** Docker, or Singularity: an isolated container for the commands of a task, with the root in it. */
export class ContainerBackend implements Backend {
  readonly isIsolated = true
  readonly #plan: MountPlan
  readonly #containers: TaskContainers

  constructor(
    readonly name: EngineName, private readonly place: SandboxPlace, private readonly settings: ContainerSettings,
  ) {
    this.#plan = new MountPlan(place, path => this.#inside(path))
    const { processes, memoryBytes, fileBytes } = place.resources
    this.#containers = new TaskContainers({
      name, engine: CONTAINER_ENGINES[name],
      // Its advice would stand in what commands print.
      env: () => ({ ...withClient(trustedEnvironment(place.env(true))), DOCKER_CLI_HINTS: 'false' }),
    }, this.#plan, {
      image: settings.image ?? '', cwd: this.#inside(place.root), user: userOf(), processes, memoryBytes, fileBytes,
    })
  }

  async problem(): Promise<string | undefined> {
    if (this.settings.image === undefined) return `terminal.${this.name}_image names no image`
    return problemOf({
      program: this.name, args: CONTAINER_ENGINES[this.name].probe, env: withClient(ownEnvironment()),
      timeoutMs: PROBE_MS,
    }, `${this.name} is not installed`)
  }

  async confine(call: ProgramCall, nested: NestedControl): Promise<ConfinedProgram> {
    const { verb, file, args, cwd, env, readable = [], network = false, terminal = false } = call
    const { container, news } = await this.#containers.for(verb, network, nested)
    const mark = randomUUID()
    const handed = this.#hand(readable)
    let isQuiet = false
    return {
      sandbox: this.name, file: this.name, cwd: '/', isVerbatim: false, limits: undefined, news,
      env: container.env,
      args: container.exec({
        cwd: this.#inside(cwd), env: { ...env, [OWNER_VARIABLE]: mark }, terminal,
        command: [this.#programInside(file), ...args.map(arg => handed.named(arg))],
      }),
      // A client that is killed leaves its command running.
      end: async () => container.endCommand(mark),
      // Before it is looked at what the command made: nothing can make anything after that.
      settle: async () => {
        isQuiet = await this.#containers.isQuiet(container)
      },
      release: () => {
        handed.remove()
        if (!isQuiet && nested.lookAgain) this.#containers.lookLater(nested.lookAgain)
      },
      explain: explainedInContainer, wasMissing,
    }
  }

  async end(): Promise<void> {
    await this.#containers.end()
  }

  /** Copies files to where the container finds them. `named` puts their names there into a text. */
  #hand(readable: readonly string[]): { named: (text: string) => string; remove: () => void } {
    const copies = readable.map(path => ({ path, name: randomUUID() }))
    for (const { path, name } of copies) copyFileSync(path, join(this.#plan.handed, name))
    return {
      named: text => copies.reduce((now, { path, name }) => now.replaceAll(path, `${HANDED}/${name}`), text),
      remove: () => copies.forEach(({ name }) => rmSync(join(this.#plan.handed, name), { force: true })),
    }
  }

  /** A path as the container has it. */
  #inside(path: string): string {
    const { root } = this.place
    const { cwd } = this.settings
    if (cwd === undefined || !posix.isAbsolute(cwd)) return path
    return isInside(root, path) ? posix.join(cwd, relative(root, path)) : path
  }

  #programInside(file: string): string {
    return isAbsolute(file) && isInside(this.place.root, file) ? this.#inside(file) : programInside(file)
  }
}

/** What engines say of a program that a container has not, and the codes they exit with. */
const MISSING = /^(?:OCI runtime exec failed|Error: (?:crun|runc|OCI)|FATAL:)[^\n]*(?:not found|no such file)[^\n]*\n?$/i
const MISSING_CODES: readonly (number | null)[] = [126, 127, 255]

function wasMissing(exitCode: number | null, stderr: string): boolean {
  return MISSING_CODES.includes(exitCode) && MISSING.test(stderr)
}

function explainedInContainer(output: string): Walls | undefined {
  const wall = sudoInSandbox(output)
  return wall && { hint: `The command ran in a container: ${wall.meaning}.`, kept: wall.kept, opens: [] }
}

/** Programs of this machine are not those of the container: an interpreter given by its path is known by its name. */
export function programInside(file: string): string {
  return isAbsolute(file) && file === process.execPath ? basename(file) : file
}

/** Which engine the client asks, and how; none of it reaches the container. */
const CLIENT = /^DOCKER_(?:HOST|CONTEXT|CONFIG|TLS|TLS_VERIFY|CERT_PATH)$|^XDG_RUNTIME_DIR$/

function withClient<Value extends string | undefined>(env: Record<string, Value>): Record<string, Value | string> {
  const own = Object.entries(process.env)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && CLIENT.test(entry[0]))
  return { ...env, ...Object.fromEntries(own) }
}

function userOf(): { uid: number; gid: number } | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}
