import { basename, dirname, join, resolve } from 'node:path'
import { firstLine, real, textOf } from './git-places.js'

/**
 * Which work tree a repository itself says that it is of: a linked one by its file `gitdir`, a submodule by
 * `core.worktree`, an ordinary one by where it lies. Anybody can write a `.git` file that names any repository.
 *
 * @param gitDirectory git's own directory of the work tree, canonical
 * @returns canonical; `undefined` where it does not say, as after `git init --separate-git-dir`
 */
export function workTreeNamedBy(gitDirectory: string): string | undefined {
  const back = firstLine(join(gitDirectory, 'gitdir'))
  if (back !== '') return real(dirname(resolve(gitDirectory, back)))
  const [, written] = /^[ \t]*(?:\[core\][ \t]*)?worktree[ \t]*=[ \t]*"?([^"\n]+)/im
    .exec(textOf(join(gitDirectory, 'config'))) ?? []
  if (written !== undefined) return real(resolve(gitDirectory, written.trim()))
  return basename(gitDirectory) === '.git' ? dirname(gitDirectory) : undefined
}
