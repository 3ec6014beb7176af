import { settings } from './git-environment.js'
import { gitFailure } from './git-failure.js'
import { runGit, type GitOutput, type GitRun } from './run-git.js'

/** Writes and fetches nothing; English messages. */
const READ_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C',
}

/** Settings against what a configuration could make git run or change while it only reads. */
const READ_SETTINGS = settings({
  'log.showSignature': 'false',
  'log.follow': 'false',
  'diff.suppressBlankEmpty': 'false',
  'diff.orderFile': '/dev/null',
  'diff.interHunkContext': '0',
  'status.submoduleSummary': 'false',
})

/** Runs git for reading only: no hook, filter, signature check or transport of the repository runs. */
export interface GitReader {
  /** @returns git's output, whatever its exit code */
  try(args: readonly string[], options?: ReadOptions): Promise<GitOutput>
  /** @throws HermesError when git fails */
  read(args: readonly string[], options?: ReadOptions): Promise<GitOutput>
}

type ReadOptions = Pick<GitRun, 'maxOutputBytes'>

/**
 * A reader for one work tree. Content filters (`filter.NAME.clean`) of the repository's own configuration are disabled;
 * those of the user's configuration, such as Git LFS, still run.
 */
export function gitReader(run: Pick<GitRun, 'verb' | 'cwd' | 'signal' | 'timeoutMs'>): GitReader {
  const base = { ...run, env: READ_ENVIRONMENT, filters: 'off' } as const
  const attempt: GitReader['try'] = (args, options) => runGit([...READ_SETTINGS, ...args], { ...base, ...options })
  return {
    try: attempt,
    async read(args, options) {
      const output = await attempt(args, options)
      if (output.exitCode !== 0 && !output.truncated) throw gitFailure(run.verb, output)
      return output
    },
  }
}
