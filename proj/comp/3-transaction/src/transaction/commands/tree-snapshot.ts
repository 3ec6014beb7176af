import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import { standingPlaceholders } from '../../../../2-sandbox/src/index.js'
import { pastFilters } from './past-filters.js'
import { diskPath, ownOutputs } from '../../../../2-files/src/index.js'
import { copyIndex, gitFailure, gitlinksIn, NO_HOOKS, nulEnded, nulNames } from '../../../../2-git/src/index.js'
import { treeChanges, type Entry } from './git-entries.js'
import {
  addStandIns, largeFiles, MOST_FOUND_BYTES, MOST_MADE_BYTES, signatureOf, type LargeFiles,
} from './large-files.js'
import { removeIndex } from '../commit/temporary-index.js'
import type { Repository } from '../repository.js'

/** A listing of a large repository has about 100 bytes for each file. */
const MOST_BYTES = 1024 ** 3

export interface TreeEntry extends Entry {
  /** A command brought it by moving HEAD: it was not on disk before. */
  isBrought?: true
}

/** Entries of a path in two snapshots. */
export interface TreeChange {
  /** Relative to the top of the work tree, with `/`. */
  path: string
  before?: TreeEntry
  after?: TreeEntry
}

/**
 * Snapshots of a work tree as git tree objects: tracked and untracked files, but no ignored ones. Uses an index of its
 * own, so the user's is not touched.
 */
export class TreeSnapshots {
  readonly #index: string
  /** Nested repositories without a commit, which git cannot add to a tree; relative to the top, ending with `/`. */
  readonly #bare = new Set<string>()
  /**
   * Pipes, sockets and devices in the place of tracked files, relative to the top. Git cannot add them, so the files
   * count as gone.
   */
  #special = new Set<string>()
  #prepared = false
  /** Some files are outside a sparse checkout and not on disk. */
  #isSparse = false
  #large: LargeFiles = {}

  constructor(private readonly repository: Repository, private readonly runId: string) {
    this.#index = join(repository.gitDirectory, `hermes-snapshot-${runId}`)
  }

  /** Files whose contents are not in the last snapshot. */
  get large(): Readonly<LargeFiles> {
    return this.#large
  }

  /**
   * Takes a snapshot.
   *
   * @param known large files whose contents an earlier snapshot left out
   * @returns the id of the tree
   * @throws HermesError when git cannot read the whole tree
   */
  async take(known: Readonly<LargeFiles> = {}): Promise<string> {
    const env = { GIT_INDEX_FILE: this.#index, HERMES_RUN: this.runId }
    const isFirst = !this.#prepared
    if (isFirst) {
      this.#prepared = true
      copyIndex(join(this.repository.gitDirectory, 'index'), this.#index)
    }
    if (isFirst || this.#isSparse) await this.#watchAll(env)
    const [large, nested] = await Promise.all([
      largeFiles(this.repository, env, isFirst ? MOST_FOUND_BYTES : MOST_MADE_BYTES), this.#nestedIn(env),
    ])
    this.#large = { ...stillThere(this.repository, { ...known, ...this.#large }), ...large }
    if (nested.length > 0) {
      // By their HEAD only.
      await this.repository.try([...NO_HOOKS, 'update-index', '-z', '--stdin'], { env, input: nulEnded(nested) })
    }
    this.#special = new Set([...this.#special].filter((path) => isSpecial(join(this.repository.top, path))))
    await this.#addAll(env, nested)
    await addStandIns(this.repository, env, this.#large)
    // Git rereads files that were changed while it added them, so filters are disabled here too.
    const output = await pastFilters((filters) => this.repository.try([...filters, 'write-tree'], { env }))
    if (output.exitCode !== 0) throw gitFailure('git', output)
    return output.stdout.toString('utf8').trim()
  }

  async #addAll(env: { GIT_INDEX_FILE: string }, nested: readonly string[]): Promise<void> {
    const left = [...this.#bare, ...this.#special, ...nested, ...this.#notOfCommands(), ...Object.keys(this.#large)]
    const add = (...more: string[]) => pastFilters((filters) => this.repository.try([
      '-c', 'advice.addEmbeddedRepo=false', '-c', 'core.safecrlf=false', ...NO_HOOKS, ...filters, 'add', '--all',
      ...more, '--', ':/', ...left.map((path) => `:(exclude,top,literal)${path}`),
    ], { env }))
    // Without this option git silently skips tracked files outside a sparse checkout.
    let output = await add(...(this.#isSparse ? ['--sparse'] : []))
    // Older versions of git lack the option, and do not need it.
    if (output.exitCode === 129 && this.#isSparse) output = await add()
    if (output.exitCode !== 0 && output.stderr.includes('sparse-checkout')) output = await add('--sparse')
    if (output.exitCode === 0) return
    // Git reports one path at a time.
    const bare = /^error: '(.+)' does not have a commit checked out$/m.exec(output.stderr)?.[1]
    const special = /^error: (.+): can only add regular files, symbolic links/m.exec(output.stderr)?.[1]
    if (bare !== undefined && !this.#bare.has(bare)) this.#bare.add(bare)
    else if (special !== undefined && !this.#special.has(special)) {
      this.#special.add(special)
      await this.repository.run([...NO_HOOKS, 'update-index', '-z', '--force-remove', '--stdin'], {
        env, input: nulEnded([special]),
      })
    } else throw gitFailure('git', output)
    await this.#addAll(env, nested)
  }

  /**
   * Paths that are no changes of commands: the empty files that block shells' startup files, and recordings that hermes
   * writes.
   */
  #notOfCommands(): string[] {
    const { top } = this.repository
    const places = [...standingPlaceholders(), ...ownOutputs()]
    return places.filter((path) => path.startsWith(`${top}/`)).map((path) => path.slice(top.length + 1))
  }

  /**
   * Nested repositories that the index knows. For each, `git add` would run `git status` inside, with the filters of
   * its own configuration, and a command may have created both.
   */
  async #nestedIn(env: { GIT_INDEX_FILE: string }): Promise<string[]> {
    const paths = gitlinksIn(this.#index, this.repository.gitDirectory) ?? await this.#linksByGit(env)
    // What is no repository any more is added file by file.
    return paths.filter((path) => existsAt(join(this.repository.top, path, '.git')))
  }

  /** Lists them by git, which reads every kind of index. */
  async #linksByGit(env: { GIT_INDEX_FILE: string }): Promise<string[]> {
    const entries = nulNames(
      await this.repository.run(['ls-files', '-z', '--stage'], { env, maxOutputBytes: MOST_BYTES }),
    )
    return entries.flatMap((entry) => entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : [])
  }

  /**
   * Makes git compare all files: a command may change files that git was told not to look at (assume-unchanged,
   * skip-worktree). Those outside a sparse checkout are not on disk.
   */
  async #watchAll(env: { GIT_INDEX_FILE: string }): Promise<void> {
    const listed = nulNames(await this.repository.run([
      '-c', 'sparse.expectFilesOutsideOfPatterns=true', 'ls-files', '-z', '-v',
    ], { env, maxOutputBytes: MOST_BYTES }))
    const isUnwatched = (line: string): boolean =>
      /^[a-z]/.test(line) || (line.startsWith('S') && existsAt(join(this.repository.top, line.slice(2))))
    this.#isSparse ||= listed.some((line) => line.startsWith('S'))
    const names = listed.filter(isUnwatched).map((line) => line.slice(2))
    if (names.length === 0) return
    const input = nulEnded(names)
    for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
      await this.repository.run([...NO_HOOKS, 'update-index', flag, '-z', '--stdin'], { env, input })
    }
  }

  dispose(): void {
    removeIndex(this.#index)
  }
}

/** The files with their present signatures; git handles those that are gone. */
function stillThere({ top }: Repository, files: LargeFiles): LargeFiles {
  return Object.fromEntries(Object.keys(files).flatMap((path) => {
    const signature = signatureOf(join(top, path))
    return signature === undefined ? [] : [[path, signature]]
  }))
}

/** All entries of a tree. */
export async function treeEntries(repository: Repository, tree: string): Promise<Map<string, Entry>> {
  const fields = nulNames(await repository.run(['ls-tree', '-r', '-z', '--full-tree', tree]))
  return new Map(fields.map((field) => {
    const [, mode = '', object = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(field) ?? []
    return [name, { mode, object }]
  }))
}

/** Changed paths between two trees, without submodules. */
export async function compareTrees(repository: Repository, before: string, after: string): Promise<TreeChange[]> {
  return (await compareAll(repository, before, after)).filter((change) =>
    !isRepository(change.before) && !isRepository(change.after))
}

/** Whether an entry is a submodule, or another nested repository. */
export function isRepository(entry: TreeChange['before']): boolean {
  return entry?.mode === '160000'
}

/** Changed paths between two trees. */
export async function compareAll(repository: Repository, before: string, after: string): Promise<TreeChange[]> {
  if (before === after) return []
  return [...await treeChanges(repository, before, after)].map(([path, change]) => ({ path, ...change }))
}

/** Whether a path is neither file, link nor directory. */
function isSpecial(path: string): boolean {
  const stats = orNothing(() => lstatSync(diskPath(path), { throwIfNoEntry: false }), undefined)
  return stats !== undefined && !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory()
}

function existsAt(path: string): boolean {
  return orNothing(() => lstatSync(diskPath(path), { throwIfNoEntry: false }) !== undefined, false)
}
