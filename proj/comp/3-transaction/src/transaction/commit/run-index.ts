import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { caughtLater } from '../../../../0-contracts/src/index.js'
import {
  copyIndex, FilterFailed, gitFailure, NO_HOOKS, nulEnded, nulNames, type GitOutput,
} from '../../../../2-git/src/index.js'
import { bytesOfName } from '../../../../0-text/src/index.js'
import { emptyTree, treeChanges, type Entry, type GitEntries } from '../commands/git-entries.js'
import { pastFilters } from '../commands/past-filters.js'
import type { Repository } from '../repository.js'

/** Most names to pass at once: what git prints about more does not fit into a pipe, and it would block. */
const MOST_TOLD = 1000
/** Most files to leave out one by one when their filter fails; then all files with that filter are left out. */
const MOST_TRIED = 10
/** Most bytes of a list of attributes. */
const MOST_LISTED_BYTES = 1024 ** 3

interface IndexVariables extends Record<string, string> {
  GIT_INDEX_FILE: string
  HERMES_RUN: string
}

/**
 * The index from which a run is committed. It starts as HEAD, but is made from the user's index, which knows what is
 * unchanged on disk; where nothing was staged, it replaces the user's after the commit.
 */
export class RunIndex {
  /** Environment for git commands that use it. */
  readonly env: IndexVariables
  readonly #path: string
  readonly #next: string
  #isUsers = false
  #skipped: readonly string[] = []

  constructor(private readonly repository: Repository, runId: string) {
    this.#path = join(repository.gitDirectory, `hermes-index-${runId}`)
    this.#next = join(repository.gitDirectory, `hermes-next-${runId}`)
    this.env = { GIT_INDEX_FILE: this.#path, HERMES_RUN: runId }
  }

  async open({ head, staged }: GitEntries): Promise<void> {
    copyIndex(join(this.repository.gitDirectory, 'index'), this.#path)
    this.#isUsers = staged.size === 0
    if (this.#isUsers) return
    await this.repository.run(
      head === undefined ? [...NO_HOOKS, 'read-tree', '--empty'] : [...NO_HOOKS, 'read-tree', '--reset', head],
      { env: this.env },
    )
  }

  /** Sets or removes entries; removals first, since a file may replace a directory. */
  async set(entries: ReadonlyMap<string, Entry | undefined>): Promise<void> {
    if (entries.size > 0) await this.#setIn(this.env, entries)
  }

  /** Marks names as left out by a sparse checkout. */
  async skip(names: readonly string[]): Promise<void> {
    this.#skipped = names
    if (names.length > 0) await this.#skipIn(this.env)
  }

  async #skipIn(env: IndexVariables): Promise<void> {
    await this.repository.run([...NO_HOOKS, 'update-index', '--skip-worktree', '-z', '--stdin'], {
      env, input: nulEnded(this.#skipped),
    })
  }

  /**
   * Sets entries. Whenever git writes an index, it rereads files changed in the same second as they were added, and
   * that may run a filter.
   */
  async #setIn(env: IndexVariables, entries: ReadonlyMap<string, Entry | undefined>): Promise<void> {
    const forgotten = new Set<string>()
    for (;;) {
      try {
        await this.repository.run([...NO_HOOKS, 'update-index', '-z', '--replace', '--index-info'], {
          env, input: this.#info(entries),
        })
        return
      } catch (error) {
        if (!(error instanceof FilterFailed) || forgotten.has(error.at.filter)) throw error
        forgotten.add(error.at.filter)
        await this.#forget(env, error.at.filter)
      }
    }
  }

  /** Drops what the index knows of files with a filter, so that git need not reread them. */
  async #forget(env: IndexVariables, filter: string): Promise<string[]> {
    const output = await this.repository.run(['ls-files', '-z', '-s'], { env, maxOutputBytes: MOST_LISTED_BYTES })
    const entries = new Map(nulNames(output).map((line) => [line.slice(line.indexOf('\t') + 1), line]))
    const filtered = await this.#filteredBy(filter, [...entries.keys()])
    await this.repository.run([...NO_HOOKS, 'update-index', '-z', '--index-info'], {
      env, input: nulEnded(filtered.map((name) => entries.get(name) ?? '')),
    })
    return filtered
  }

  /**
   * Adds files from disk, through the filters of their attributes.
   *
   * @returns those left out because their filter failed or may not run
   */
  async add(names: readonly string[]): Promise<Map<string, FilterFailed>> {
    const left = new Map<string, FilterFailed>()
    const aside = new Set<string>()
    for (let rest = names; ; rest = rest.filter((name) => !left.has(name))) {
      const failed = await this.#failureOf(rest)
      if (failed === undefined) return left
      const { path, filter } = failed.at
      const isOne = left.size < MOST_TRIED && failed.code === 'NONZERO_EXIT'
      // The path is from a message of git, which is decoded as UTF-8.
      const failing = isOne ? rest.filter((name) => Buffer.from(bytesOfName(name)).toString('utf8') === path)
        : await this.#filteredBy(filter, rest)
      for (const name of failing) left.set(name, failed)
      if (failing.length > 0) continue
      // The failure does not concern these names: see `#setIn`.
      if (aside.has(filter)) throw failed
      aside.add(filter)
      await this.setAside(filter, rest)
    }
  }

  /** @throws what is no failure of a filter */
  async #failureOf(names: readonly string[]): Promise<FilterFailed | undefined> {
    return await caughtLater(FilterFailed, async () => {
      const output = await this.tryAdd(names)
      if (output === undefined || output.exitCode === 0) return undefined
      throw gitFailure('git', output)
    }, (error) => error)
  }

  /** Those of the names that have this filter. */
  async #filteredBy(filter: string, names: readonly string[]): Promise<string[]> {
    const output = await this.repository.run(['check-attr', '-z', '--stdin', 'filter'], {
      env: this.env, input: nulEnded(names), maxOutputBytes: MOST_LISTED_BYTES,
    })
    const fields = nulNames(output)
    return names.filter((_, index) => fields[index * 3 + 2] === filter)
  }

  /**
   * Stops git from comparing files with this filter to the disk, which would run it. The index then does not replace
   * the user's.
   *
   * @param added names that are compared all the same
   */
  async setAside(filter: string, added: Iterable<string>): Promise<void> {
    this.#isUsers = false
    const filtered = await this.#forget(this.env, filter)
    const looked = new Set(added)
    await this.repository.run([...NO_HOOKS, 'update-index', '-z', '--assume-unchanged', '--stdin'], {
      env: this.env, input: nulEnded(filtered.filter((name) => !looked.has(name))),
    })
  }

  /**
   * As `add`; if git fails, the index stays as before.
   *
   * @returns for few names, standard output has a line `add 'NAME'` for each that is in the index now
   */
  async tryAdd(names: readonly string[]): Promise<GitOutput | undefined> {
    if (names.length === 0) return undefined
    const told = names.length <= MOST_TOLD ? ['--verbose'] : []
    return this.repository.try(
      [...NO_HOOKS, 'update-index', '-z', ...told, '--add', '--remove', '--replace', '--stdin'],
      { env: this.env, input: nulEnded(names) },
    )
  }

  /**
   * Updates the user's index with what was committed since `base`; the caller holds its lock.
   *
   * @param commits oldest first: an entry that one adds and a later one removes may have been staged
   */
  async publish(base: string | undefined, commits: readonly string[]): Promise<void> {
    const users = join(this.repository.gitDirectory, 'index')
    if (this.#isUsers) copyIndex(this.#path, this.#next)
    else {
      const changes = new Map<string, Entry | undefined>()
      let before = base ?? emptyTree(this.repository)
      for (const commit of commits) {
        for (const [name, { after }] of await treeChanges(this.repository, before, commit)) changes.set(name, after)
        before = commit
      }
      copyIndex(users, this.#next)
      const env = { ...this.env, GIT_INDEX_FILE: this.#next }
      await this.#setIn(env, changes)
      if (this.#skipped.length > 0) await this.#skipIn(env)
      // Saves git from rereading these files; fails where others differ from the disk.
      await pastFilters((filters) => (
        this.repository.try([...NO_HOOKS, ...filters, 'update-index', '-q', '--refresh'], { env })
      ))
    }
    renameSync(this.#next, users)
  }

  dispose(): void {
    for (const path of [this.#path, this.#next]) {
      rmSync(path, { recursive: true, force: true })
      rmSync(`${path}.lock`, { recursive: true, force: true })
    }
  }

  #info(entries: ReadonlyMap<string, Entry | undefined>): string | Uint8Array {
    const none = '0'.repeat(this.repository.objectFormat === 'sha256' ? 64 : 40)
    const all = [...entries]
    return nulEnded([
      ...all.flatMap(([name, entry]) => (entry ? [] : [`0 ${none}\t${name}`])),
      ...all.flatMap(([name, entry]) => (entry ? [`${entry.mode} ${entry.object}\t${name}`] : [])),
    ])
  }
}
