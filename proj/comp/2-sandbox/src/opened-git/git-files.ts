import { lstatSync, readdirSync, type BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'

/**
 * What a command may change of a repository: names of git's own files. Nothing in them makes git run a program. What is
 * not here stays as it is: configuration, hooks, attributes, submodules, a rebase (its list has commands), and whatever
 * a later git may come to read.
 */
const OF_WORK_TREE = [
  'HEAD', 'ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'SQUASH_MSG', 'CHERRY_PICK_HEAD',
  'REVERT_HEAD', 'AUTO_MERGE', 'COMMIT_EDITMSG', 'index',
]
const OF_REPOSITORY = ['packed-refs', 'shallow']
const DIRECTORIES = ['refs', 'logs']
const SHARED_INDEX = /^sharedindex\.[0-9a-f]{40,64}$/

/** Whether a command may change it in a directory of git's own files. */
export function isOpened(name: string, { isOfWorkTree, isOfRepository }: GitPart): boolean {
  return DIRECTORIES.includes(name)
    || (isOfWorkTree && (OF_WORK_TREE.includes(name) || SHARED_INDEX.test(name)))
    || (isOfRepository && OF_REPOSITORY.includes(name))
}

/** A directory of git's own files. */
export interface GitPart {
  /** Canonical. */
  directory: string
  /** It has HEAD and index of the work tree. */
  isOfWorkTree: boolean
  /** It has objects and branches. */
  isOfRepository: boolean
}

/** How a file stood; another one, or a changed one, has another. */
export type Signature = string

/** The files that are open to commands, by their paths in the directory; locks of git are none. */
export function openedFiles(directory: string, part: GitPart): Map<string, Signature> {
  const names = readdirSync(directory).filter(name => isOpened(name, part))
  return new Map(names.flatMap(name => filesBelow(directory, name)))
}

function filesBelow(directory: string, path: string): [string, Signature][] {
  const stat = statOf(join(directory, path))
  if (stat?.isDirectory()) {
    return readdirSync(join(directory, path)).flatMap(name => filesBelow(directory, join(path, name)))
  }
  return stat?.isFile() && !path.endsWith('.lock') ? [[path, signed(stat)]] : []
}

/** `undefined` where no file is. */
export function signatureOf(path: string): Signature | undefined {
  const stat = statOf(path)
  return stat?.isFile() ? signed(stat) : undefined
}

function signed({ ino, size, mtimeNs, ctimeNs }: BigIntStats): Signature {
  return [ino, size, mtimeNs, ctimeNs].join(' ')
}

function statOf(path: string): BigIntStats | undefined {
  return orNothing(() => lstatSync(path, { throwIfNoEntry: false, bigint: true }), undefined)
}
