import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  copyIndex, FilterFailed, gitFailure, NO_HOOKS, nulEnded, nulNames, type GitOutput,
} from '../../../../2-git/src/index.js'
import { bytesOfName } from '../../../../0-text/src/index.js'
import { emptyTree, treeChanges, type Entry, type GitEntries } from '../commands/git-entries.js'
import { pastFilters } from '../commands/past-filters.js'
import type { Repository } from '../repository.js'

/** What git would say of more does not fit into a pipe, and it would wait until that is read. */
const MOST_TOLD = 1000
/** Files that are left out one by one where their filter fails; then all that have it are. */
const MOST_TRIED = 10
/** Of a list of attributes. */
const MOST_LISTED_BYTES = 1024 ** 3

interface IndexVariables extends Record<string, string> {
  GIT_INDEX_FILE: string
  HERMES_RUN: string
}

/**
 * The index a run is committed from. It begins as HEAD, made from the user's own, which knows what is unchanged on
 * disk; where nothing was staged, it takes the place of the user's when the commit is made.
 */
export class RunIndex {
  /** For git commands that work on it. */
  readonly env: IndexVariables
  readonly #repository: Repository
  readonly #path: string
  readonly #next: string
  readonly #runId: string
  #isUsers = false
  #skipped: readonly string[] = []

  constructor(repository: Repository, runId: string) {
    this.#repository = repository
    this.#runId = runId
    this.#path = join(repository.gitDirectory, `hermes-index-${runId}`)
    this.#next = join(repository.gitDirectory, `hermes-next-${runId}`)
    this.env = { GIT_INDEX_FILE: this.#path, HERMES_RUN: runId }
  }

  async open({ head, staged }: GitEntries): Promise<void> {
    copyIndex(join(this.#repository.gitDirectory, 'index'), this.#path)
    this.#isUsers = staged.size === 0
    if (this.#isUsers) return
    await this.#repository.run(
      head === undefined ? [...NO_HOOKS, 'read-tree', '--empty'] : [...NO_HOOKS, 'read-tree', '--reset', head],
      { env: this.env },
    )
  }

  /** Sets entries, or removes them, the latter first: a file may take the place of a directory. */
  async set(entries: ReadonlyMap<string, Entry | undefined>): Promise<void> {
    if (entries.size > 0) await this.#setIn(this.env, entries)
  }

  /** A sparse checkout leaves these out. */
  async skip(names: readonly string[]): Promise<void> {
    this.#skipped = names
    if (names.length > 0) await this.#skipIn(this.env)
  }

  async #skipIn(env: IndexVariables): Promise<void> {
    await this.#repository.run([...NO_HOOKS, 'update-index', '--skip-worktree', '-z', '--stdin'], {
      env, input: nulEnded(this.#skipped),
    })
  }

  /** Git looks again at files that were changed in the second in which it took them up, where it writes an index. */
  async #setIn(env: IndexVariables, entries: ReadonlyMap<string, Entry | undefined>): Promise<void> {
    const forgotten = new Set<string>()
    for (;;) {
      try {
        await this.#repository.run([...NO_HOOKS, 'update-index', '-z', '--replace', '--index-info'], {
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

  /** Files that have a filter are no longer known as unchanged: then git has nothing to look at again. */
  async #forget(env: IndexVariables, filter: string): Promise<string[]> {
    const output = await this.#repository.run(['ls-files', '-z', '-s'], { env, maxOutputBytes: MOST_LISTED_BYTES })
    const entries = new Map(nulNames(output).map((line) => [line.slice(line.indexOf('\t') + 1), line]))
    const filtered = await this.#filteredBy(filter, [...entries.keys()])
    await this.#repository.run([...NO_HOOKS, 'update-index', '-z', '--index-info'], {
      env, input: nulEnded(filtered.map((name) => entries.get(name) ?? '')),
    })
    return filtered
  }

  /**
   * Takes up files as they are on disk, through the filters of their attributes.
   *
   * @returns those left out, since their filter failed or may not run
   */
  async add(names: readonly string[]): Promise<Map<string, FilterFailed>> {
    const left = new Map<string, FilterFailed>()
    const aside = new Set<string>()
    for (let rest = names; ; rest = rest.filter((name) => !left.has(name))) {
      const failed = await this.#failureOf(rest)
      if (failed === undefined) return left
      const { path, filter } = failed.at
      const isOne = left.size < MOST_TRIED && failed.code === 'NONZERO_EXIT'
      const found = isOne ? rest.filter((name) => isPath(name, path)) : await this.#filteredBy(filter, rest)
      for (const name of found) left.set(name, failed)
      if (found.length > 0) continue
      // It is not about these: see `#setIn`.
      if (aside.has(filter)) throw failed
      aside.add(filter)
      await this.setAside(filter, rest)
    }
  }

  /** @throws what is no failure of a filter */
  async #failureOf(names: readonly string[]): Promise<FilterFailed | undefined> {
    try {
      const output = await this.tryAdd(names)
      if (output === undefined || output.exitCode === 0) return undefined
      throw gitFailure('git', output)
    } catch (error) {
      if (error instanceof FilterFailed) return error
      throw error
    }
  }

  /** Names of files that have a filter. */
  async #filteredBy(filter: string, names: readonly string[]): Promise<string[]> {
    const output = await this.#repository.run(['check-attr', '-z', '--stdin', 'filter'], {
      env: this.env, input: nulEnded(names), maxOutputBytes: MOST_LISTED_BYTES,
    })
    const fields = nulNames(output)
    return names.filter((_, index) => fields[index * 3 + 2] === filter)
  }

  /**
   * Git is not to look whether files that have a filter are as they are on disk: it would run the filter. The index
   * does not take the place of the user's then.
   *
   * @param added is looked at all the same
   */
  async setAside(filter: string, added: Iterable<string>): Promise<void> {
    this.#isUsers = false
    const filtered = await this.#forget(this.env, filter)
    const looked = new Set(added)
    await this.#repository.run([...NO_HOOKS, 'update-index', '-z', '--assume-unchanged', '--stdin'], {
      env: this.env, input: nulEnded(filtered.filter((name) => !looked.has(name))),
    })
  }

  /**
   * As `add`; where git fails, the index is as before.
   *
   * @returns of few names, a line `add 'NAME'` on standard output for each that is in the index now
   */
  async tryAdd(names: readonly string[]): Promise<GitOutput | undefined> {
    if (names.length === 0) return undefined
    const told = names.length <= MOST_TOLD ? ['--verbose'] : []
    return this.#repository.try(
      [...NO_HOOKS, 'update-index', '-z', ...told, '--add', '--remove', '--replace', '--stdin'],
      { env: this.env, input: nulEnded(names) },
    )
  }

  /**
   * The user's index takes over what was committed since `base`; the caller holds its lock.
   *
   * @param commits oldest first: what one adds and a later one removes was staged, maybe
   */
  async publish(base: string | undefined, commits: readonly string[]): Promise<void> {
    const users = join(this.#repository.gitDirectory, 'index')
    if (this.#isUsers) copyIndex(this.#path, this.#next)
    else {
      const changes = new Map<string, Entry | undefined>()
      let before = base ?? emptyTree(this.#repository)
      for (const commit of commits) {
        for (const [name, { after }] of await treeChanges(this.#repository, before, commit)) changes.set(name, after)
        before = commit
      }
      copyIndex(users, this.#next)
      const env = { GIT_INDEX_FILE: this.#next, HERMES_RUN: this.#runId }
      await this.#setIn(env, changes)
      if (this.#skipped.length > 0) await this.#skipIn(env)
      // So that git need not read these files again; it fails where others differ from the disk.
      await pastFilters((filters) => (
        this.#repository.try([...NO_HOOKS, ...filters, 'update-index', '-q', '--refresh'], { env })
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
    const none = '0'.repeat(this.#repository.objectFormat === 'sha256' ? 64 : 40)
    const all = [...entries]
    return nulEnded([
      ...all.flatMap(([name, entry]) => (entry ? [] : [`0 ${none}\t${name}`])),
      ...all.flatMap(([name, entry]) => (entry ? [`${entry.mode} ${entry.object}\t${name}`] : [])),
    ])
  }
}

/** @param told by git in a message, which is read as UTF-8 */
function isPath(name: string, told: string): boolean {
  return Buffer.from(bytesOfName(name)).toString('utf8') === told
}
