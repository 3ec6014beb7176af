import { resolve } from 'node:path'
import { settings } from './git-environment.js'
import { gitFailure, notARepository } from './git-failure.js'
import { runGit, type GitRun } from './run-git.js'

export interface WorkTree {
  /** Its top directory, absolute. */
  top: string
  /** Git's own directory for it, absolute. */
  gitDirectory: string
}

/** What merely looks like a bare repository may have been put there by a model, its configuration included. */
const NO_BARE = settings({ 'safe.bareRepository': 'explicit' })

/**
 * The work tree a directory is in.
 *
 * @throws HermesError `NOT_A_REPOSITORY` outside of any, in a bare repository, and where the repository's
 *   configuration puts its work tree elsewhere; `EACCES` for an owner git does not trust
 */
export async function findWorkTree(run: Pick<GitRun, 'verb' | 'cwd' | 'signal' | 'timeoutMs'>): Promise<WorkTree> {
  const english = { ...run, env: { LC_ALL: 'C' } }
  const place = await runGit([...NO_BARE, 'rev-parse', '--is-inside-work-tree', '--show-prefix'], english)
  if (place.exitCode !== 0) throw gitFailure(run.verb, place)
  const text = place.stdout.toString('utf8')
  const end = text.indexOf('\n')
  if (text.slice(0, end) !== 'true') throw notARepository(run.verb, 'the directory is in no work tree')
  // The prefix is what leads from the top to the directory: `a/b/` or nothing.
  const up = text.slice(end + 1).replace(/\n$/, '').split('/').filter(name => name !== '').map(() => '..')
  const directory = await runGit([...NO_BARE, 'rev-parse', '--absolute-git-dir'], english)
  if (directory.exitCode !== 0) throw gitFailure(run.verb, directory)
  return { top: resolve(run.cwd, ...up), gitDirectory: directory.stdout.toString('utf8').replace(/\n$/, '') }
}
