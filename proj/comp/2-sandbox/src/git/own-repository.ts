import { basename, dirname, join } from 'node:path'
import { HermesError } from '../../../0-contracts/src/index.js'
import { commonDirectoryOf, workTreeNamedBy, type WorkTree } from '../../../2-git/src/index.js'
import { isInside } from '../../../2-files/src/index.js'
import { lstatOf, realPath } from '../home.js'
import { identityOf, isMadeByCommand } from '../made-places.js'

export interface RepositoryReach {
  /** Canonical. */
  root: string
  /** Whether what lies in a directory may be worked with: the root and `--allow` directories. */
  isOpen: (directory: string) => boolean
}

/**
 * Whether hermes' own git, which no sandbox holds, may work in a repository as git finds it. Whoever can write a
 * directory can put a `.git` file, a link or a `commondir` there that names any repository of the user.
 *
 * @throws HermesError `POLICY_DENIED` for one that a command made, and for one elsewhere that does not itself say that
 *   this is its work tree
 */
export function requireOwnRepository(verb: string, place: WorkTree, reach: RepositoryReach): void {
  const [top, own] = [place.top, place.gitDirectory].map(path => realPath(path) ?? path) as [string, string]
  const common = commonDirectoryOf(own)
  const made = [join(top, '.git'), top, own, common].find(path => {
    const identity = identityOf(path)
    return identity !== undefined && isMadeByCommand(identity)
  })
  if (made !== undefined) {
    throw new HermesError('POLICY_DENIED', `${verb}: a command of hermes made ${made}: git is not run by it`, {
      hint: `Use git in a command instead. The user can look at ${made} and accept it: hermes init --trust in ${top}.`,
    })
  }
  const isOrdinary = own === join(top, '.git') && lstatOf(own)?.isDirectory() === true
  if (!isOrdinary && !isOpen(own, reach) && !isOf(own, top, isInside(top, reach.root))) {
    throw elsewhere(verb, join(top, '.git'), own, `git config --file ${join(own, 'config')} core.worktree ${top}`)
  }
  if (common !== own && !isOpen(common, reach) && dirname(own) !== join(common, 'worktrees')) {
    throw elsewhere(verb, join(own, 'commondir'), common, `git worktree repair in ${common}`)
  }
}

/** @param isChosen the user has started hermes in that work tree: a repository that names none may be its own */
function isOf(own: string, top: string, isChosen: boolean): boolean {
  const named = workTreeNamedBy(own)
  return named === undefined ? isChosen : named === top
}

/** Git's own directories are closed to verbs: what counts is where they lie. */
function isOpen(path: string, { root, isOpen: isOpenTo }: RepositoryReach): boolean {
  if (isInside(root, path)) return true
  let outside = path
  for (let here = path; here !== dirname(here); here = dirname(here)) {
    if (basename(here) === '.git') outside = dirname(here)
  }
  return isOpenTo(outside)
}

function elsewhere(verb: string, file: string, where: string, remedy: string): HermesError {
  return new HermesError('POLICY_DENIED', `${verb}: ${file} leads to ${where}, outside of the root, which does not say `
    + 'that this is its work tree', {
    hint: `Git is not run by it: anybody can write such a file. If it is the user's: ${remedy}, or --allow ${where}.`,
  })
}
