import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { gitlinksAround, nulFields, runGit, type GitRun } from '../../2-git/src/index.js'

/** Filters of a repository's own configuration, not of the user's. */
const OWN = new Set(['local', 'worktree'])

/**
 * Git may look into the repositories in a work tree, and their configuration, which a command can have written, then
 * names programs (`filter.NAME.clean`).
 *
 * @throws HermesError `POLICY_DENIED` where one of them names any
 */
export async function requirePlainRepositories(top: string, where: Omit<GitRun, 'cwd'>): Promise<void> {
  const run = { ...where, cwd: top }
  for (const path of gitlinksAround(top) ?? []) {
    if (!existsSync(join(path, '.git'))) continue
    const filters = await runGit(
      ['config', '--null', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'], { ...run, cwd: path },
    )
    const fields = nulFields(filters.stdout)
    const own = fields.findIndex((scope, index) => index % 2 === 0 && OWN.has(scope))
    if (own !== -1) throw namesPrograms(path, fields[own + 1] ?? '')
    await requirePlainRepositories(path, where)
  }
}

function namesPrograms(path: string, setting: string): HermesError {
  return new HermesError(
    'POLICY_DENIED', `git_commit: the repository in ${path} names a program to be run: ${setting}`,
    { hint: 'Only the user can commit here, or remove that setting.' },
  )
}
