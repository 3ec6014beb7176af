import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { basename, isAbsolute, posix, relative } from 'node:path'
import type { ConfinedProgram, ProgramCall } from '../../0-contracts/src/index.js'
import { stateDirectory, isInside } from '../../2-files/src/index.js'
import { ownEnvironment, trustedEnvironment } from '../../2-processes/src/index.js'
import { problemOf, type Backend, type SandboxPlace } from './backend.js'
import { dockerArguments, singularityArguments, type ContainerCall } from './container-arguments.js'
import { credentialsShown, hermesShown } from './credentials.js'
import { goneAtExit, homeOf, realPath } from './home.js'
import { keptPaths } from './kept-paths.js'
import type { NestedControl } from './nested-control.js'

const PROBE_MS = 10_000
/** In the place of files that are hidden. */
const NOTHING = '/dev/null'

export interface ContainerSettings {
  image: string | undefined
  /** Where the root is in the container; default: where it is outside. */
  cwd: string | undefined
}

/** Docker, or Singularity: an isolated container for each command, with the root in it. */
export class ContainerBackend implements Backend {
  readonly name: 'docker' | 'singularity'
  readonly isIsolated = true
  readonly #place: SandboxPlace
  readonly #settings: ContainerSettings
  #emptyDirectory: string | undefined

  constructor(name: 'docker' | 'singularity', place: SandboxPlace, settings: ContainerSettings) {
    this.name = name
    this.#place = place
    this.#settings = settings
  }

  async problem(): Promise<string | undefined> {
    if (this.#settings.image === undefined) return `terminal.${this.name}_image names no image`
    return problemOf({
      program: this.name, args: this.name === 'docker' ? ['version'] : ['--version'], env: withClient(ownEnvironment()),
      timeoutMs: PROBE_MS,
    }, `${this.name} is not installed`)
  }

  confine(
    { file, args, cwd, env, readable = [], network = false, terminal = false }: ProgramCall, nested: NestedControl,
  ): ConfinedProgram {
    const { resources } = this.#place
    stateDirectory(this.#place.root)
    const name = `hermes-${randomUUID()}`
    const call: ContainerCall = {
      image: this.#settings.image ?? '', name, mounts: this.#mounts(readable, nested.kept),
      cwd: this.#inside(cwd), network,
      user: userOf(), processes: resources.processes, memoryBytes: resources.memoryBytes,
      fileBytes: resources.fileBytes,
      env: { ...env }, command: [programInside(file), ...args], terminal,
    }
    const isDocker = this.name === 'docker'
    return {
      sandbox: this.name, file: this.name, cwd: '/', isVerbatim: false, limits: undefined,
      env: withClient(trustedEnvironment(this.#place.env(true))),
      args: isDocker ? dockerArguments(call) : singularityArguments(call),
      // A client that is killed leaves its container running.
      ...(isDocker && { endWith: ['docker', 'kill', name] }),
      explain: () => undefined,
    }
  }

  #mounts(readable: readonly string[], nested: readonly string[]): ContainerCall['mounts'] {
    const { root, allow } = this.#place
    const readOnly = [...this.#place.readOnly, ...nested]
    const directories = [root, ...allow]
    const writable = directories.map(from => ({ from, at: this.#inside(from), readOnly: false }))
    const home = homeOf(this.#place.env(false))
    const ofHermes = hermesShown(path => directories.some(one => isInside(one, path)))
    const kept = directories.flatMap(directory => keptPaths(directory, readOnly))
      .filter(path => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    const hidden = [...credentialsShown(realPath(home) ?? home, [], directories), ...ofHermes?.secrets ?? []]
    return [
      ...writable,
      ...[...kept, ...ofHermes === undefined ? [] : [ofHermes.home], ...readable]
        .map(from => ({ from, at: this.#inside(from), readOnly: true })),
      ...hidden.flatMap(path => {
        const stat = lstatSync(path, { throwIfNoEntry: false })
        if (stat === undefined) return []
        return [{ from: stat.isDirectory() ? this.#empty() : NOTHING, at: this.#inside(path), readOnly: true }]
      }),
    ]
  }

  /** What stands in the place of directories that are hidden. */
  #empty(): string {
    return this.#emptyDirectory ??= goneAtExit('hermes-empty-')
  }

  /** A path as the container has it. */
  #inside(path: string): string {
    const { root } = this.#place
    const { cwd = root } = this.#settings
    return isInside(root, path) ? posix.join(cwd, relative(root, path)) : path
  }
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
