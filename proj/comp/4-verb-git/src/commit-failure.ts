import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { runGit, type GitOutput, type GitRun } from '../../2-git/src/index.js'

/** Hooks that can refuse a commit, in the order they run. */
const HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg']
const HINT_LINES = 5

/**
 * The error for a failed `git commit`, usually because of a hook. The hint has the end of its output, the data all of
 * it.
 */
export async function commitRefused(
  output: GitOutput, where: Omit<GitRun, 'input'>, hooksSkipped: boolean,
): Promise<HermesError> {
  const { exitCode, stderr } = output
  const stdout = output.stdout.toString('utf8')
  const data = { exit_code: exitCode, stdout, stderr }
  if (/^(nothing|no changes) (added )?to commit/m.test(stdout)) {
    return new HermesError('NOTHING_TO_COMMIT', 'git_commit: nothing to commit: git finds no change in content', {
      hint: 'Only times or line endings differ, or a hook took the changes back. There is nothing to do.', data,
    })
  }
  const hooks = hooksSkipped ? [] : await hooksThere(where)
  const by = hooks.length === 0 ? 'git' : `git or a hook (${hooks.join(', ')})`
  const said = `${stderr}${stdout}`.split(/\r?\n/).map(line => line.trim()).filter(line => line !== '')
    .slice(-HINT_LINES).join(' | ')
  return new HermesError(
    'NONZERO_EXIT',
    `git_commit: ${by} refused the commit (exit code ${exitCode ?? 'none'}); nothing was committed`,
    {
      hint: said === '' ? 'It printed nothing. Ask the user what the hook wants.' : `It printed: ${said}`,
      data,
    },
  )
}

export function noIdentity({ stderr }: GitOutput): HermesError {
  return new HermesError('NO_IDENTITY', 'git_commit: git does not know who commits', {
    hint: 'The user has to say it once: git config --global user.name NAME; git config --global user.email ADDRESS.',
    data: { stderr },
  })
}

async function hooksThere(where: Omit<GitRun, 'input'>): Promise<string[]> {
  const { stdout, exitCode } = await runGit(['rev-parse', '--git-path', 'hooks'], { ...where, seesHooks: true })
  if (exitCode !== 0) return []
  const directory = resolve(where.cwd, stdout.toString('utf8').replace(/\n$/, ''))
  return HOOKS.filter(name => existsSync(join(directory, name)))
}
