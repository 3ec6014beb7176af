import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { hermesHome } from './hermes-home.js'
import { policyError } from './source.js'

const PROJECT_FILE = 'hermes.yaml'
export const USER_FILE = '~/.hermes/config.yaml'
/** Of a policy file. */
export const MOST_BYTES = 64 * 1024

/** Where the user's policy is. Model text never reaches it: no verb may touch `.hermes`, no sandbox shows it. */
export function userPolicyFile(): string {
  return join(hermesHome(), 'config.yaml')
}

/** A path, or a line of a file, with `~` for the home: for messages. */
export function shownHome(path: string): string {
  const home = homedir()
  return path === home || path.startsWith(join(home, '/')) ? `~${path.slice(home.length)}`.replaceAll('\\', '/') : path
}

/**
 * The policy files that bind a root, nearest first: its own, and those above it as far as a git work tree goes. All of
 * them count, so that working in a subdirectory loosens nothing. The outermost work tree decides: a repository inside
 * it may have been made by a command.
 *
 * @param root canonical
 */
export function projectPolicyFiles(root: string): ProjectFile[] {
  const upwards = [root]
  for (let parent = dirname(root); parent !== upwards.at(-1); parent = dirname(parent)) upwards.push(parent)
  // Above the work tree, or without one above the root, files may be anyone's.
  const top = upwards.findLastIndex((directory) => exists(join(directory, '.git')))
  return upwards.slice(0, Math.max(top, 0) + 1).flatMap((directory) => projectFile(directory, root))
}

/** Files that look like policies and are not read; one line each. */
export function misnamedFiles(root: string): string[] {
  return [
    ...['hermes.yml', '.hermes.yaml', '.hermes.yml'].map(
      (name) => ({ name, path: join(root, name), meant: PROJECT_FILE }),
    ),
    { name: '~/.hermes/config.yml', path: join(dirname(userPolicyFile()), 'config.yml'), meant: USER_FILE },
  ].filter(({ path }) => exists(path)).map(({ name, meant }) => `${name} is not read: a policy is called ${meant}`)
}

interface ProjectFile {
  path: string
  /** For messages: from the root. */
  name: string
  directory: string
}

function projectFile(directory: string, root: string): ProjectFile[] {
  const path = join(directory, PROJECT_FILE)
  return exists(path) ? [{ path, name: relative(root, path), directory }] : []
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    // Below what may not be entered or is no directory there is nothing that could be read, and reading says so.
    if (isNodeError(error)) return error.code !== 'ENOTDIR'
    throw error
  }
}

/**
 * The text of a policy file.
 *
 * @param mayBeLink the user's own, which only its owner may change. A project's file may be no link: it could show
 *   lines of a file elsewhere in messages
 * @returns `undefined` where there is none
 * @throws HermesError `INVALID_POLICY` for what is there and cannot be read
 */
export function readPolicyFile(path: string, name: string, mayBeLink: boolean): string | undefined {
  const fail = (problem: string): never => {
    throw policyError('INVALID_POLICY', [`${name}: ${problem}`])
  }
  let file: number
  try {
    if (!mayBeLink && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      fail('is a link; the policy must be a file')
    }
    // A pipe in its place would wait for a writer.
    file = openSync(
      path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (mayBeLink ? 0 : constants.O_NOFOLLOW ?? 0),
    )
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    return fail(`cannot be read (${error.code})`)
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) fail('is not a file')
    if (mayBeLink) requireOwn(path, name, stat)
    if (stat.size > MOST_BYTES) fail(`is larger than ${MOST_BYTES / 1024} KB`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof TypeError) return fail('is not valid UTF-8')
    if (isNodeError(error)) return fail(`cannot be read (${error.code})`)
    throw error
  } finally {
    closeSync(file)
  }
}

/** Whether others than its owner can write a file. A group with the owner's number is the owner's alone. */
export function isOpenToOthers({ mode, uid, gid }: { mode: number; uid: number; gid: number }): boolean {
  if (process.platform === 'win32') return false
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid)
}

/** It decides what runs, and where keys are sent. @throws HermesError `INVALID_POLICY` */
function requireOwn(path: string, name: string, stat: { mode: number; uid: number; gid: number }): void {
  const own = process.getuid?.()
  const isOfOther = own !== undefined && own !== 0 && stat.uid !== own && stat.uid !== 0
  if (isOfOther || isOpenToOthers(stat)) {
    const problem = isOfOther ? 'belongs to another user' : 'can be changed by other users, and decides what runs'
    throw new HermesError('INVALID_POLICY', `${name}: ${problem}`, {
      hint: 'Nothing runs until it is yours alone: look through it, '
        + `then ${isOfOther ? `chown $USER ${path}` : `chmod go-w ${path}`}`,
    })
  }
}
