import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gitFailure, type GitOutput, NO_HOOKS, nulEnded } from '../../../../2-git/src/index.js'
import { emptyTree, treeChanges, type Entry, type GitEntries } from '../commands/git-entries.js'
import type { Repository } from '../repository.js'
import { copyIndex } from './temporary-index.js'

/** What git would say of more does not fit into a pipe, and it would wait until that is read. */
const MOST_TOLD = 1000

/**
 * The index a run is committed from. It begins as HEAD, made from the user's own, which knows what is unchanged on
 * disk; where nothing was staged, it takes the place of the user's when the commit is made.
 */
export class RunIndex {
  /** For git commands that work on it. */
  readonly env: { GIT_INDEX_FILE: string; HERMES_RUN: string }
  readonly #repository: Repository
  readonly #path: string
  readonly #next: string
  readonly #runId: string
  #isUsers = false

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
    if (entries.size === 0) return
    await this.#repository.run([...NO_HOOKS, 'update-index', '-z', '--replace', '--index-info'], {
      env: this.env, input: this.#info(entries),
    })
  }

  /** Takes up files as they are on disk, through the filters of their attributes. */
  async add(names: readonly string[]): Promise<void> {
    const output = await this.tryAdd(names)
    if (output && output.exitCode !== 0) throw gitFailure('git', output)
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
      await this.#repository.run([...NO_HOOKS, 'update-index', '-z', '--index-info'], {
        env, input: this.#info(changes),
      })
      // So that git need not read these files again; it fails where others differ from the disk.
      await this.#repository.try([...NO_HOOKS, 'update-index', '-q', '--refresh'], { env })
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
