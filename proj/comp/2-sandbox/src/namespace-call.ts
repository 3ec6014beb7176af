import { lstatSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { HermesError, settingName, type ConfinedProgram, type ProgramCall } from '../../0-contracts/src/index.js'
import { isInside, stateDirectory, undoing } from '../../2-files/src/index.js'
import { findProgram } from '../../2-processes/src/index.js'
import type { SandboxPlace } from './backend.js'
import { deniedHosts, explainedBy } from './explain.js'
import { homeOf, realPath } from './home.js'
import { directoriesInMemory, inOrder, shownFrom, type Mount, type PlannedCall } from './mounts.js'
import { placePlaceholders } from './placeholders/index.js'
import { linkedRepositories, missingPlaces } from './kept-paths.js'
import type { NestedControl } from './nested-control.js'
import type { HostProxy } from './network/index.js'
import { OpenedGit } from './opened-git/index.js'
import { awaited, limited } from './resource-limits.js'
import { currentMounts, standingMounts, type Place } from './sandbox-mounts.js'
import type { NamespacesStart, TaskNamespaces } from './task-namespaces.js'

export interface NamespaceCall extends PlannedCall {
  /** It joins the namespaces of a task, and `mounts` are all there are. */
  isJoined: boolean
  /** Git's own files can be opened to it, and are not. */
  canOpenGit: () => boolean
  /** What it finds, as far as that is not the sandbox's own. */
  shown: readonly Mount[]
  release: () => void
}

/** Plans what sandboxes with namespaces and a file system of their own show to commands. */
export class NamespaceCalls {
  #standing: { key: string; mounts: readonly Mount[] } | undefined

  constructor(private readonly place: SandboxPlace) {}

  /**
   * @param task namespaces that it is to join, if it can
   * @throws as `CommandSandbox.confine`
   */
  plan(
    { verb, file, args, cwd, env: extra, readable = [], network = false, commit, terminal = false,
      isOfUser = false, changesNothing = false }: ProgramCall,
    nested: NestedControl, task?: TaskNamespaces,
  ): NamespaceCall {
    // What is shown follows from the user's environment alone: the other one is the model's.
    const own = this.place.env(network)
    const { root, allow, readOnly, resources } = this.place
    const writable = [root, ...allow]
    const place: Place = { ...this.#placeFor(own, network), readOnly: [...readOnly, ...nested.kept] }
    const program = findProgram(file, place.path)
    // What is not there cannot be mounted read-only, and a command could make it: hence this, and the placeholders.
    if (!changesNothing) stateDirectory(root)
    const mounts = this.#standingMounts(isOfUser
      ? { ...place, programs: [...place.programs, program, ...args.filter((arg) => isAbsolute(arg))] } : place)
    const standing = changesNothing ? mounts.map(withoutWriting) : mounts
    if (shownFrom(standing, realPath(program) ?? program) === undefined) {
      throw new HermesError('POLICY_DENIED', `${verb}: ${file} is outside of what the sandbox shows`, {
        hint: 'Programs in the root, in system directories and in PATH can be started. Only the user can open another '
          + `directory (${settingName('allow')}).`,
      })
    }
    const release = changesNothing ? () => undefined
      : placePlaceholders(writable, [...writable.flatMap(missingPlaces), ...nested.missing])
    const { opened = [] } = nested
    const shown = [...standing, ...undoing(() => [
      ...(commit === undefined ? placeholderSettings(root) : []),
      ...currentMounts(verb, place, { standing, readable, commit })
        .filter(({ at }) => !opened.some(mount => mount.at === at)),
    ], release), ...opened]
    const joined = task?.isGone === false ? task.mountsFor(shown) : undefined
    const held = joined === undefined ? awaited : limited
    return {
      mounts: joined ?? shown, shown, isJoined: joined !== undefined, cwd, network, terminal, release,
      canOpenGit: () => opened.length === 0 && OpenedGit.isThere(cwd, writable),
      command: held(resources, isOfUser ? nameInside(program, standing) : file, args),
      env: { ...ownEnvironment(own, place.home, shown), ...extra },
    }
  }

  /** What the namespaces of a task need to know of its commands. */
  shared(network: boolean): Omit<NamespacesStart, 'bwrap' | 'nsenter'> {
    const place = this.#placeFor(this.place.env(network), network)
    const { root, allow, resources, hosts } = this.place
    return {
      // A repository outside, of which the root is a work tree, is shown as well.
      network: network && hosts === undefined, ...(network && { hosts }),
      mounts: [...this.#standingMounts(place), ...linkedRepositories([root, ...allow])],
      places: ['/tmp', realPath(place.home) ?? place.home, '/dev/shm'], limits: resources,
    }
  }

  /**
   * The program that sets a call up; what it needs besides has been released where that fails.
   *
   * @param proxy by which alone it reaches the network
   */
  program(
    { shown, network, canOpenGit, release }: NamespaceCall,
    outer: Pick<ConfinedProgram, 'sandbox' | 'file' | 'args' | 'inputs'>, proxy?: HostProxy,
  ): ConfinedProgram {
    let deniedSince = proxy?.denials.fromNow()
    const denied = () => deniedSince?.() ?? []
    const { processes, memoryBytes } = this.place.resources
    const own = homeOf(this.place.env(network))
    const home = realPath(own) ?? own
    return {
      ...outer, cwd: '/', env: {}, release, isVerbatim: false,
      limits: { processes, memoryBytes, inMemory: directoriesInMemory(shown) },
      ...(proxy && {
        reached: () => ({ hosts: proxy.hosts, ...deniedHosts(denied()) }),
        beginCommand: () => {
          deniedSince = proxy.denials.fromNow()
        },
      }),
      explain: output => explainedBy(output, {
        network, ...(proxy && { named: { hosts: proxy.hosts, denied: denied() } }), canOpenGit,
        isHidden: named => !isShown(shown, home, named),
      }),
    }
  }

  #placeFor(env: Record<string, string>, network: boolean): Place {
    const { root, allow, readOnly, hosts } = this.place
    return {
      root, allow, readOnly, network: network && hosts !== undefined ? 'named' : network, home: homeOf(env),
      path: env['PATH'] ?? '', programs: [process.execPath],
    }
  }

  #standingMounts(place: Place): readonly Mount[] {
    const key = JSON.stringify([place.path, place.home, place.network, place.programs])
    if (this.#standing?.key !== key) this.#standing = { key, mounts: standingMounts(place) }
    return this.#standing.mounts
  }
}

/** A program by its real directory where only that is shown; its own name stays, since some go by it. */
function nameInside(program: string, mounts: readonly Mount[]): string {
  if (shownFrom(mounts, program) !== undefined) return program
  return join(realPath(dirname(program)) ?? dirname(program), basename(program))
}

function withoutWriting(mount: Mount): Mount {
  return mount.kind === 'write' ? { ...mount, kind: 'read' } : mount
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
  const path = (env['PATH'] ?? '').split(':').filter(entry => isAbsolute(entry)).map(directory => (
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
