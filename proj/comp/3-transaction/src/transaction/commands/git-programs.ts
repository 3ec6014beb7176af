import { join } from 'node:path'
import type { Repository } from '../repository.js'

/** The run whose undo or redo this is, where it changed git's hooks or configuration. */
interface ReversedRun {
  runId: string | undefined
  /** Digest of both before it. */
  digest: string
}

/** Git's hooks and configuration as they were before a run: no hook is run that it may have written. */
export class GitPrograms {
  readonly #reversed: ReversedRun | undefined
  readonly #digest: string

  constructor(repository: Repository, reversed: ReversedRun | undefined) {
    this.#reversed = reversed
    this.#digest = reversed?.digest ?? repository.programsDigest()
  }

  /** @returns their digest from before, and what to tell the user; `undefined` where they are as they were */
  changes(repository: Repository): { digest: string; warning: string } | undefined {
    if (repository.programsDigest() === this.#digest) return undefined
    const what = this.#reversed
      ? `Hooks or the configuration of git that run ${this.#reversed.runId} changed are still there: no hook was run`
      : 'The run changed hooks or the configuration of git: no hook was run for its commit, and they stay'
    const config = join(repository.gitDirectory, 'config')
    return { digest: this.#digest, warning: `${what}. Look at ${repository.hooksDirectory} and ${config}` }
  }
}
