import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { isInside, stateDirectory, undoing } from '../../../2-files/src/index.js'
import type { SandboxPlace } from '../backend.js'
import { credentialsShown, hermesShown } from '../credentials.js'
import { goneAtExit, homeOf, realPath } from '../home.js'
import { missingPlaces, protectedMounts } from '../kept-paths.js'
import { identityOf } from '../made-places.js'
import type { NestedControl } from '../nested-control.js'
import { placePlaceholders } from '../placeholders/index.js'
import type { ContainerStart } from './container-engines.js'

/** In the place of files that are hidden. */
const NOTHING = '/dev/null'
/** Where a container finds what hermes hands to it: it is mounted once, and filled as calls come. */
export const HANDED = '/.hermes-handed'

/** What this process hands to its containers, and the empty directory that hides others. */
let ownDirectory: string | undefined

export interface ContainerMounts {
  mounts: ContainerStart['mounts']
  /**
   * The same for what is mounted in the same way, and still is what it was: a file that was replaced is another one,
   * and shows in a container in place of what was mounted on it.
   */
  key: string
  /** Nothing needs the placeholders any more that keep commands from making what is kept. */
  release: () => void
}

/** What the containers of a task find of this machine. */
export class MountPlan {
  #handedDirectory: string | undefined

  /** @param inside a path as the container has it */
  constructor(private readonly place: SandboxPlace, private readonly inside: (path: string) => string) {}

  /** Outside; what lies in it is at `HANDED` inside. */
  get handed(): string {
    return this.#handedDirectory ??= mkdtempSync(join(directoryOfAll(), 'handed-'))
  }

  /**
   * As it has to be now.
   *
   * @throws HermesError `POLICY_DENIED` as `protectedMounts`
   */
  now(verb: string, { kept, missing }: NestedControl): ContainerMounts {
    const { root, allow } = this.place
    const writable = [root, ...allow]
    stateDirectory(root)
    const gone = [...writable.flatMap(directory => missingPlaces(directory)), ...missing]
    const release = placePlaceholders(writable, gone)
    return undoing(() => {
      const mounts = this.#all(verb, kept)
      const key = JSON.stringify(mounts.map(({ from, at, readOnly, over }) => (
        [from, at, readOnly, identityOf(from), over && identityOf(over)]
      )))
      return { mounts: mounts.map(({ from, at, readOnly }) => ({ from, at, readOnly })), key, release }
    }, release)
  }

  /** In the order in which they are made: what leads to a place before it. `over` is what one hides. */
  #all(verb: string, kept: readonly string[]): { from: string; at: string; readOnly: boolean; over?: string }[] {
    const { root, allow, readOnly, env } = this.place
    const directories = [root, ...allow]
    const home = homeOf(env(false))
    const ofHermes = hermesShown(path => directories.some(directory => isInside(directory, path)))
    const guarded = directories.flatMap(directory => protectedMounts(verb, directory, [...readOnly, ...kept]))
    const hidden = [...credentialsShown(realPath(home) ?? home, [], directories), ...ofHermes?.secrets ?? []]
    const shown = [
      ...directories.map(from => ({ from, readOnly: false })),
      ...guarded.flatMap(mount => 'from' in mount ? [{ from: mount.from, readOnly: mount.kind === 'read' }] : []),
      ...(ofHermes === undefined ? [] : [{ from: ofHermes.home, readOnly: true }]),
    ].sort((a, b) => depthOf(a.from) - depthOf(b.from))
    return [
      ...unique(shown).map(({ from, readOnly: isRead }) => ({ from, at: this.inside(from), readOnly: isRead })),
      ...hidden.flatMap(path => {
        const stat = lstatSync(path, { throwIfNoEntry: false })
        if (stat === undefined) return []
        const from = stat.isDirectory() ? emptyDirectory() : NOTHING
        return [{ from, at: this.inside(path), readOnly: true, over: path }]
      }),
      { from: this.handed, at: HANDED, readOnly: true },
    ]
  }
}

function directoryOfAll(): string {
  return ownDirectory ??= goneAtExit('hermes-containers-')
}

/** What stands in the place of directories that are hidden. */
function emptyDirectory(): string {
  const path = join(directoryOfAll(), 'empty')
  mkdirSync(path, { recursive: true })
  return path
}

function depthOf(path: string): number {
  return path.split('/').length
}

/** Of one path that is mounted twice the strictest counts. */
function unique(mounts: readonly { from: string; readOnly: boolean }[]): { from: string; readOnly: boolean }[] {
  const strictest = new Map<string, boolean>()
  for (const { from, readOnly } of mounts) strictest.set(from, readOnly || (strictest.get(from) ?? false))
  return [...strictest].map(([from, readOnly]) => ({ from, readOnly }))
}
