import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError, orNothing, type ApprovedPath } from '../../../../0-contracts/src/index.js'
import { diskPath } from '../../../../2-files/src/index.js'
import { captureState, isSameState, type FileState } from '../../journal/index.js'
import { modeIn } from './command-inventory.js'
import { isHidden, parentsOf, stateAt, storedPath, type KnownCommands } from './known-commands.js'
import { approveAgain, isEmptyDirectory, type PutBackOptions } from '../undo/put-back.js'
import type { TreeChange } from './tree-snapshot.js'
import { reasonOf } from '../run-refusals.js'

/**
 * Restores what commands changed to its state before the first of them. First removes what they created, so that a file
 * can replace a directory again; removes only directories that are then empty and did not exist before. Paths already
 * restored are skipped, so it can be repeated after an interruption.
 *
 * @returns paths that could not be restored, with the reason
 */
export async function putBackCommands(
  known: KnownCommands, places: PutBackOptions,
): Promise<{ path: string; reason: string }[]> {
  const work = new PuttingBack(known, places)
  await work.run()
  return work.left
}

class PuttingBack {
  readonly left: { path: string; reason: string }[] = []
  /** Directories that had to be created again, relative to the top. */
  readonly #made = new Set<string>()

  constructor(private readonly known: KnownCommands, private readonly places: PutBackOptions) {}

  async run(): Promise<void> {
    const changes = this.known.changes.filter(({ path }) => !this.places.except.has(this.#stored(path)))
    const created = changes.filter(({ before }) => before === undefined)
    const restored = changes.filter(({ before }) => before !== undefined)
    await this.#openDirectories()
    const deepestFirst = created.toSorted((a, b) => depthOf(b.path) - depthOf(a.path))
    for (const change of deepestFirst) await this.#attempt(change.path, () => this.#restore(change))
    await this.#prune(created.map(({ path }) => path))
    for (const change of restored.toSorted(attributesFirst)) {
      await this.#attempt(change.path, () => this.#restore(change))
    }
    for (const path of this.known.before.empty) {
      await this.#attempt(path, () => this.#makeDirectories(path.slice(0, -1)))
    }
    await this.#restoreModes(new Set(changes.map(({ path }) => path)))
  }

  async #restore({ path, before }: TreeChange): Promise<void> {
    if (before !== undefined && this.known.before.large?.[path] !== undefined) throw tooLarge()
    const { state, content } = await stateAt(this.known, 'before', path, before)
    if (before) {
      const parent = parentsOf(path)[0]
      if (parent !== undefined) this.#makeDirectories(parent)
    }
    // Checked also where a directory is not writable, since the user may have repaired the file by hand.
    if (this.#isAlready(path, state)) return
    this.places.restorer.restore(this.#approve(path), state, content)
  }

  /** Whether a path is restored already; never behind a link. */
  #isAlready(path: string, state: FileState): boolean {
    const absolute = join(this.known.repository.top, path)
    return isSameState(captureState(absolute), state) && (state.kind !== 'absent' || !existsSync(diskPath(absolute)))
  }

  #makeDirectories(path: string): void {
    for (const directory of [path, ...parentsOf(path)].reverse()) {
      // Only what has to be created is passed to the gate, which refuses the root and everything above it.
      if (captureState(join(this.known.repository.top, directory)).kind !== 'absent') continue
      this.places.restorer.restore(this.#approve(directory), { kind: 'directory' }, undefined)
      this.#made.add(directory)
    }
  }

  /** Removes directories that commands created and that are empty now. */
  async #prune(created: readonly string[]): Promise<void> {
    const { repository, hidden, before, after } = this.known
    const empty = after?.empty.map((path) => path.slice(0, -1)) ?? []
    const candidates = new Set([...created.flatMap(parentsOf), ...empty.flatMap((path) => [path, ...parentsOf(path)])])
    const wereThere = new Set(before.directories)
    for (const path of [...candidates].sort((a, b) => depthOf(b) - depthOf(a))) {
      if (wereThere.has(`${path}/`) || isHidden(hidden, path) || !isEmptyDirectory(join(repository.top, path))) continue
      await this.#attempt(path, () => this.places.restorer.restore(this.#approve(path), { kind: 'absent' }, undefined))
    }
  }

  /** Makes directories writable again where a file has to be restored. */
  async #openDirectories(): Promise<void> {
    for (const { path, before } of this.#changedModes()) {
      if (path.endsWith('/') && (before & 0o300) === 0o300) await this.#attempt(path, () => this.#setMode(path, before))
    }
  }

  async #restoreModes(restored: ReadonlySet<string>): Promise<void> {
    const { before } = this.known
    const wanted = new Map([...this.#made].map((path) => [`${path}/`, modeIn(before, `${path}/`, false)]))
    for (const { path, before: mode } of this.#changedModes()) if (!restored.has(path)) wanted.set(path, mode)
    const byDepth = [...wanted].sort(([a], [b]) => depthOf(b) - depthOf(a))
    for (const [path, mode] of byDepth) await this.#attempt(path, () => this.#setMode(path, mode))
  }

  /** Paths with another mode than before that still have the mode the commands set. */
  #changedModes(): { path: string; before: number }[] {
    const { repository, before, after, hidden } = this.known
    if (!after) return []
    const directories = new Set(before.directories)
    // The root belongs to the user, as does the top of the work tree, which the inventory leaves out.
    const rootPath = `${repository.pathOf(this.places.root) ?? ''}/`
    const wasThere = (path: string): boolean => (
      path.endsWith('/') ? directories.has(path) && !rootPath.startsWith(path) : !isHidden(hidden, path)
    )
    const changed: { path: string; before: number }[] = []
    for (const path of new Set([...Object.keys(before.modes), ...Object.keys(after.modes)])) {
      const place = diskPath(join(repository.top, path.replace(/\/$/, '')))
      const stats = orNothing(() => lstatSync(place, { throwIfNoEntry: false }), undefined)
      if (!stats || stats.isDirectory() !== path.endsWith('/') || !wasThere(path)
        || this.places.except.has(this.#stored(path))) continue
      const now = stats.mode & 0o7777
      const isProgram = (now & 0o100) !== 0
      const old = modeIn(before, path, isProgram)
      if (old !== now && now === modeIn(after, path, isProgram)) changed.push({ path, before: old })
    }
    return changed
  }

  #setMode(path: string, mode: number): void {
    const approved = this.#approve(path.replace(/\/$/, ''))
    const now = captureState(approved)
    if ((now.kind !== 'file' && now.kind !== 'directory') || now.mode === mode) return
    const state: FileState = { ...now, mode }
    this.places.restorer.restore(approved, state, now.kind === 'file' ? readFileSync(diskPath(approved)) : undefined)
  }

  #approve(path: string): ApprovedPath {
    const { root, gate } = this.places
    return approveAgain(root, gate, this.#stored(path))
  }

  async #attempt(path: string, act: () => Promise<void> | void): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.left.push({ path: this.#stored(path), reason: reasonOf(error) })
    }
  }

  #stored(path: string): string {
    const { root } = this.places
    return storedPath(root, this.known.repository, path)
  }
}

function tooLarge(): HermesError {
  return new HermesError('FILE_TOO_LARGE', 'was too large to be kept before a command changed it', {
    hint: 'Bring it back from a copy of your own.',
  })
}

/** Sorts attribute files first, as they decide how other files are written. */
function attributesFirst({ path: a }: TreeChange, { path: b }: TreeChange): number {
  return Number(isAttributes(b)) - Number(isAttributes(a)) || depthOf(a) - depthOf(b)
}

function isAttributes(path: string): boolean {
  return path.split('/').at(-1) === '.gitattributes'
}

function depthOf(path: string): number {
  return path.replace(/\/$/, '').split('/').length
}
