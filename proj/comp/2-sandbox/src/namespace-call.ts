import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { HermesError, type ConfinedProgram, type ProgramCall } from '../../0-contracts/src/index.js'
import { stateDirectory, isInside } from '../../2-files/src/index.js'
import { findProgram } from '../../2-processes/src/index.js'
import type { SandboxPlace } from './backend.js'
import { explainedBy } from './explain.js'
import { homeOf, realPath } from './home.js'
import { inOrder, shownFrom, type Mount } from './mounts.js'
import { placePlaceholders } from './placeholders.js'
import { missingPlaces } from './kept-paths.js'
import type { NestedControl } from './nested-control.js'
import { awaited } from './resource-limits.js'
import { currentMounts, standingMounts, type Place } from './sandbox-mounts.js'

/** What a command finds, whatever program sets it up. */
export interface NamespaceCall {
  mounts: readonly Mount[]
  cwd: string
  network: boolean
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>
  command: readonly string[]
  /** It controls its terminal, which is nobody else's: so it stays in the session of that. */
  terminal: boolean
  release: () => void
}

/** Plans what sandboxes with namespaces and a file system of their own show to commands. */
export class NamespaceCalls {
  readonly #place: SandboxPlace
  #standing: { key: string; mounts: readonly Mount[] } | undefined

  constructor(place: SandboxPlace) {
    this.#place = place
  }

  /** @throws as `CommandSandbox.confine` */
  plan(
    { verb, file, args, cwd, env: extra, readable = [], network = false, commit, terminal = false }: ProgramCall,
    nested: NestedControl,
  ): NamespaceCall {
    // What is shown follows from the user's environment alone: the other one is the model's.
    const own = this.#place.env(network)
    const { PATH: path = '' } = own
    const program = findProgram(file, path)
    const { root, allow, resources } = this.#place
    const writable = [root, ...allow]
    const readOnly = [...this.#place.readOnly, ...nested.kept]
    // What is not there cannot be mounted read-only, and a command could make it: hence this, and the placeholders.
    stateDirectory(root)
    const place: Place = { root, allow, readOnly, network, home: homeOf(own), path, programs: [process.execPath] }
    const standing = this.#standingMounts(place)
    if (shownFrom(standing, realPath(program) ?? program) === undefined) throw notShown(verb, file)
    const release = placePlaceholders(writable, [...writable.flatMap(missingPlaces), ...nested.missing])
    const mounts = [...standing, ...orRelease(release, () => [
      ...(commit === undefined ? placeholderSettings(root) : []),
      ...currentMounts(verb, place, { standing, readable, commit }),
    ])]
    return {
      mounts, cwd, network, terminal, release, command: awaited(resources, file, args),
      env: { ...ownEnvironment(own, place.home, mounts), ...extra },
    }
  }

  /** The program that sets a call up; what it needs besides has been released where that fails. */
  program(
    { mounts, network, release }: NamespaceCall,
    outer: Pick<ConfinedProgram, 'sandbox' | 'file' | 'args' | 'inputs'>,
  ): ConfinedProgram {
    const { processes, memoryBytes } = this.#place.resources
    const own = homeOf(this.#place.env(network))
    const home = realPath(own) ?? own
    return {
      ...outer, cwd: '/', env: {}, release, isVerbatim: false, limits: { processes, memoryBytes },
      explain: output => explainedBy(output, network, named => !isShown(mounts, home, named)),
    }
  }

  #standingMounts(place: Place): readonly Mount[] {
    const key = JSON.stringify([place.path, place.home, place.network])
    if (this.#standing?.key !== key) this.#standing = { key, mounts: standingMounts(place) }
    return this.#standing.mounts
  }
}

/** Nothing is left in the root of a call that cannot be made. */
export function orRelease<T>(release: () => void, find: () => T): T {
  try {
    return find()
  } catch (error) {
    release()
    throw error
  }
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
