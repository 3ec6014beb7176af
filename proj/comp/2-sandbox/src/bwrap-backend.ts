import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { HermesError, orNothing, type ConfinedProgram, type ProgramCall } from '../../0-contracts/src/index.js'
import { stateDirectory, isInside } from '../../2-files/src/index.js'
import { findProgram, trustedPath } from '../../2-processes/src/index.js'
import type { Backend, SandboxPlace } from './backend.js'
import { bwrapArguments, type BwrapFeatures } from './bwrap-arguments.js'
import { probeBwrap } from './bwrap-probe.js'
import { explainedBy } from './explain.js'
import { homeOf, realPath } from './home.js'
import { inOrder, shownFrom, type Mount } from './mounts.js'
import { placePlaceholders } from './placeholders.js'
import { linkedRepositories, missingPlaces } from './kept-paths.js'
import { awaited, limited } from './resource-limits.js'
import { seccompFilter } from './seccomp-filter.js'
import { currentMounts, standingMounts, type Place } from './sandbox-mounts.js'
import { NEEDED, type NamespacesStart } from './task-namespaces.js'
import { TaskSets } from './task-sets.js'

/** Where bubblewrap is looked for before PATH, whose directories commands may come to write. */
const USUAL_PATH = '/usr/bin:/usr/local/bin:/bin'

/** Bubblewrap: namespaces of its own, a file system of its own, no capabilities (contract section 3 'commands'). */
export class BwrapBackend implements Backend {
  readonly name = 'bwrap'
  readonly isIsolated = false
  readonly #place: SandboxPlace
  #program = ''
  #features: BwrapFeatures = { size: false, disableUserns: false }
  readonly #tasks: TaskSets | undefined
  #standing: { key: string; mounts: readonly Mount[] } | undefined

  constructor(place: SandboxPlace) {
    this.#place = place
    if (place.task !== undefined) this.#tasks = new TaskSets(network => this.#namespaces(network))
  }

  async problem(): Promise<string | undefined> {
    if (process.platform !== 'linux') return 'bubblewrap is for Linux only'
    const program = located('bwrap')
    if (program === undefined) return 'bubblewrap is not installed'
    this.#program = program
    // Where these work all does.
    if (this.#place.task !== undefined && await this.#tasks?.for(this.#place.task.network) !== undefined) {
      this.#features = NEEDED
      return undefined
    }
    const state = await probeBwrap(program)
    if (!state.works) return state.problem
    this.#features = state.features
    return undefined
  }

  async end(): Promise<void> {
    await this.#tasks?.end()
  }

  async confine(call: ProgramCall): Promise<ConfinedProgram> {
    const { verb, file, args, cwd, env: extra, readable = [], network = false, commit, terminal = false } = call
    // What is shown follows from the user's environment alone: the other one is the model's.
    const own = this.#place.env(network)
    const { root, resources } = this.#place
    const program = findProgram(file, own['PATH'] ?? '')
    // What is not there cannot be mounted read-only, and a command could make it: hence this, and the placeholders.
    stateDirectory(root)
    const place = this.#placeFor(own, network)
    const standing = this.#standingMounts(place)
    if (shownFrom(standing, realPath(program) ?? program) === undefined) throw notShown(verb, file)
    // Hooks run in git's own time, not in that of a command.
    const namespaces = commit === undefined ? await this.#tasks?.for(network) : undefined
    const release = placePlaceholders(root, missingPlaces(root))
    const mounts = [...standing, ...mountsOr(release, () => [
      ...(commit === undefined ? placeholderSettings(root) : []),
      ...currentMounts(verb, place, { standing, readable, commit }),
    ])]
    const shown = namespaces?.isGone === false ? namespaces.mountsFor(mounts) : undefined
    const command = shown === undefined ? awaited : limited
    const { args: options, inputs } = bwrapArguments({
      mounts: shown ?? mounts, cwd, network, features: this.#features, filter: seccompFilter(),
      env: { ...ownEnvironment(own, place.home, mounts), ...extra }, terminal, isJoined: shown !== undefined,
      command: command(resources, file, args),
    })
    const home = realPath(place.home) ?? place.home
    return {
      sandbox: this.name, inputs, cwd: '/', env: {}, isVerbatim: false,
      ...(shown === undefined || namespaces === undefined ? { file: this.#program, args: options, release }
        : { ...namespaces.entered(options), ...namespaces.command(release) }),
      limits: { processes: resources.processes, memoryBytes: resources.memoryBytes },
      explain: output => explainedBy(output, network, named => !isShown(mounts, home, named)),
    }
  }

  #placeFor(env: Record<string, string>, network: boolean): Place {
    const { root, allow, readOnly } = this.#place
    const { PATH: path = '' } = env
    return { root, allow, readOnly, network, home: homeOf(env), path, programs: [process.execPath] }
  }

  /** How the namespaces of the task are made, or why they cannot be. */
  #namespaces(network: boolean): NamespacesStart | string {
    const nsenter = located('nsenter')
    if (nsenter === undefined) return 'nsenter (util-linux) is not installed'
    const place = this.#placeFor(this.#place.env(network), network)
    const standing = this.#standingMounts(place)
    const { root, allow, resources } = this.#place
    // A repository outside, of which the root is a work tree.
    const linked = linkedRepositories([root, ...allow])
    return {
      bwrap: this.#program, nsenter, network, mounts: [...standing, ...linked],
      places: ['/tmp', realPath(place.home) ?? place.home, '/dev/shm'], limits: resources,
    }
  }

  #standingMounts(place: Place): readonly Mount[] {
    const key = JSON.stringify([place.path, place.home, place.network])
    if (this.#standing?.key !== key) this.#standing = { key, mounts: standingMounts(place) }
    return this.#standing.mounts
  }
}

function mountsOr(release: () => void, find: () => Mount[]): Mount[] {
  try {
    return find()
  } catch (error) {
    release()
    throw error
  }
}

function located(name: string): string | undefined {
  return orNothing(() => findProgram(name, `${USUAL_PATH}:${trustedPath(process.env['PATH'] ?? '')}`), undefined)
}

function notShown(verb: string, file: string): HermesError {
  return new HermesError('POLICY_DENIED', `${verb}: ${file} is outside of what the sandbox shows`, {
    hint: 'Programs in the root, in system directories and in PATH can be started. Only the user can open another '
      + 'directory (--allow DIR).',
  })
}

/**
 * Git shows commands no placeholder as a file that was forgotten. What is not empty is the user's own. Hooks read their
 * texts by descriptors of a shell, which has none to spare.
 */
function placeholderSettings(root: string): Mount[] {
  if (lstatSync(join(root, 'hermes.yaml'), { throwIfNoEntry: false })?.size !== 0) return []
  return [
    { kind: 'text', at: '/etc/gitconfig', text: '[core]\n\texcludesFile = /etc/gitignore\n' },
    { kind: 'text', at: '/etc/gitignore', text: '/hermes.yaml\n' },
  ]
}

/** Directories of PATH by their real names where only these are shown; `/tmp` for all that is temporary. */
function ownEnvironment(env: Record<string, string>, home: string, mounts: readonly Mount[]): Record<string, string> {
  const { TEMP: _temp, TMP: _tmp, ...rest } = env
  const path = (env['PATH'] ?? '').split(':').filter(one => isAbsolute(one)).map(directory => (
    shownFrom(mounts, directory) !== undefined ? directory : realPath(directory) ?? directory
  ))
  return {
    ...rest, PATH: path.join(':'), HOME: home === '/' ? '/tmp' : home, TMPDIR: '/tmp',
    // Else git tells of the mount, and not that there is no repository.
    GIT_DISCOVERY_ACROSS_FILESYSTEM: '1',
  }
}

/** Whether the sandbox shows a path, or what leads there; what it holds outside is not asked. */
function isShown(mounts: readonly Mount[], home: string, path: string): boolean {
  if (['/proc', '/dev'].some(own => isInside(own, path))) return true
  const innermost = inOrder(mounts).findLast(({ at }) => isInside(at, path))
  if (innermost === undefined) return mounts.some(({ at }) => isInside(path, at))
  return innermost.kind !== 'memory' || innermost.at !== home || path === home
}
