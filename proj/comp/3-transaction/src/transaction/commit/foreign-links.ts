import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../../0-contracts/src/index.js'
import {
  copyIndex, gitFailure, gitlinksIn, NO_HOOKS, nulEnded, nulNames, type GitOutput, type GitRun,
} from '../../../../2-git/src/index.js'
import { amendCommit } from '../make-commit.js'
import { removeIndex } from './temporary-index.js'

/** Runs git in the work tree. */
type Git = (args: readonly string[], ask: Pick<GitRun, 'input' | 'env'>) => Promise<GitOutput>

/**
 * Guards against submodule entries that hooks add. Git obeys the configuration of a repository that the index names,
 * even for `git status`, so a hook that runs code of the project must not add any.
 */
export class ForeignLinks {
  readonly #index: string
  readonly #temporary: string
  readonly #before: ReadonlySet<string>
  readonly #hasHooks: boolean

  /**
   * @param place `gitDirectory`: git's directory of the work tree; `runId`: names a temporary index; `hooks`: directory
   *   of the hooks, where known
   */
  constructor(
    { gitDirectory, runId, hooks }: { gitDirectory: string; runId: string; hooks?: string }, private readonly git: Git,
  ) {
    // A directory that cannot be read may have some.
    this.#hasHooks = hooks === undefined || (existsSync(hooks)
      && orNothing(() => readdirSync(hooks), ['unknown']).some((name) => !name.endsWith('.sample')))
    this.#index = join(gitDirectory, 'index')
    this.#temporary = join(gitDirectory, `hermes-links-${runId}`)
    this.#before = new Set(gitlinksIn(this.#index))
  }

  /**
   * Removes added submodules from the last commit, which is amended.
   *
   * @returns their names, relative to the top
   */
  async leaveCommit(): Promise<string[]> {
    // Only hooks make a commit differ from the index.
    if (!this.#hasHooks) return []
    const options = ['-r', '-z', '--root', '--no-commit-id', '--no-renames']
    const fields = nulNames((await this.#run(['diff-tree', ...options, 'HEAD', '--'])).stdout)
    const added = fields.flatMap((field, at) => (
      /^:\d+ 160000 /.test(field) && !this.#before.has(fields[at + 1] ?? '') ? [fields[at + 1] ?? ''] : []
    ))
    if (added.length === 0) return []
    const ask = { env: { GIT_INDEX_FILE: this.#temporary } }
    try {
      await this.#run([...NO_HOOKS, 'read-tree', 'HEAD'], ask)
      await this.#remove(added, ask.env)
      await amendCommit((args) => this.git(args, ask))
    } finally {
      removeIndex(this.#temporary)
    }
    return added
  }

  /**
   * Removes added submodules from an index that nobody else uses.
   *
   * @returns their names
   */
  async leaveIndex(index: string): Promise<string[]> {
    const added = this.#added(index)
    await this.#remove(added, { GIT_INDEX_FILE: index })
    return added
  }

  /**
   * Removes added submodules from the user's index.
   *
   * @param isLocked the caller holds its lock
   * @returns their names
   */
  async leaveUsers(isLocked: boolean): Promise<string[]> {
    if (this.#added(this.#index).length === 0) return []
    if (!isLocked) return this.leaveIndex(this.#index)
    copyIndex(this.#index, this.#temporary)
    try {
      const added = await this.leaveIndex(this.#temporary)
      renameSync(this.#temporary, this.#index)
      return added
    } finally {
      removeIndex(this.#temporary)
    }
  }

  #added(index: string): string[] {
    return (gitlinksIn(index) ?? []).filter((name) => !this.#before.has(name))
  }

  async #remove(names: readonly string[], env: { GIT_INDEX_FILE: string }): Promise<void> {
    if (names.length === 0) return
    await this.#run([...NO_HOOKS, 'update-index', '-z', '--force-remove', '--stdin'], { input: nulEnded(names), env })
  }

  async #run(args: readonly string[], ask: Pick<GitRun, 'input' | 'env'> = {}): Promise<GitOutput> {
    const output = await this.git(args, ask)
    if (output.exitCode !== 0) throw gitFailure('git', output)
    return output
  }
}

/** Warning for the user. */
export function toldOfForeignLinks(names: readonly string[]): string {
  return `A hook of git added repositories as submodules: ${names.join(', ')}. They were taken out of the commit and `
    + 'the index, since git goes by their settings. If you want them, look at their .git, then: git add'
}
