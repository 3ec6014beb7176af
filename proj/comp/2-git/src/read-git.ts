import { HermesError } from '../../0-contracts/src/index.js'
import { settings } from './git-environment.js'
import { gitFailure } from './git-failure.js'
import { nulFields } from './nul-fields.js'
import { runGit, type GitOutput, type GitRun } from './run-git.js'

/** Nothing is written or fetched; messages come in English. */
const READ_ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C',
}

/** What a configuration could have git run or change while it only reads. */
const READ_SETTINGS = settings({
  'core.hooksPath': '/dev/null',
  'log.showSignature': 'false',
  'log.follow': 'false',
  'diff.suppressBlankEmpty': 'false',
  'diff.orderFile': '/dev/null',
  'diff.interHunkContext': '0',
  'status.submoduleSummary': 'false',
})

/** Runs git so that it only reads: no hook, filter, signature check or transport of the repository runs. */
export interface GitReader {
  /** @returns what git printed, whatever its exit code */
  try(args: readonly string[], options?: ReadOptions): Promise<GitOutput>
  /** @throws HermesError when git fails */
  read(args: readonly string[], options?: ReadOptions): Promise<GitOutput>
}

type ReadOptions = Pick<GitRun, 'maxOutputBytes'>

/**
 * A reader for one work tree. Content filters (`filter.NAME.clean`) that the repository's own configuration defines
 * are switched off; those of the user's configuration, such as Git LFS, still run.
 */
export async function gitReader(run: Pick<GitRun, 'verb' | 'cwd' | 'signal' | 'timeoutMs'>): Promise<GitReader> {
  const base = { ...run, env: READ_ENVIRONMENT }
  const filters = await runGit([
    ...READ_SETTINGS, 'config', '--null', '--show-scope', '--name-only', '--get-regexp', '^filter\\.',
  ], base)
  // Exit code 1 means that there are none.
  if (filters.exitCode !== 0 && filters.exitCode !== 1) throw gitFailure(run.verb, filters)
  const before = [...READ_SETTINGS, ...withoutFilters(run.verb, nulFields(filters.stdout))]
  const attempt: GitReader['try'] = (args, options) => runGit([...before, ...args], { ...base, ...options })
  return {
    try: attempt,
    async read(args, options) {
      const output = await attempt(args, options)
      if (output.exitCode !== 0 && !output.truncated) throw gitFailure(run.verb, output)
      return output
    },
  }
}

/** @param fields scope and name by turns */
function withoutFilters(verb: string, fields: readonly string[]): string[] {
  const off: Record<string, string> = {}
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = fields[at]
    const name = fields[at + 1] ?? ''
    const driver = name.slice(0, name.lastIndexOf('.'))
    if (scope !== 'local' && scope !== 'worktree') continue
    if (driver.includes('=')) {
      // On the command line the name would end there.
      throw new HermesError('POLICY_DENIED', `${verb}: the repository's configuration names a program that cannot be `
        + `switched off: ${driver}`, { hint: 'Only the user can rename that filter in .git/config.' })
    }
    for (const program of ['clean', 'smudge', 'process']) off[`${driver}.${program}`] = ''
    off[`${driver}.required`] = 'false'
  }
  return settings(off)
}
