import { constants, lstatSync } from 'node:fs'
import { join, relative } from 'node:path'
import { caught, HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { isInside, upwards } from '../../../2-files/src/index.js'
import { hermesHome, shownHome, shownOwnFile } from './hermes-home.js'
import { readSettingsText } from './settings-text.js'
import { policyError, type PolicySource } from './source.js'

const PROJECT_FILE = 'hermes.yaml'
/** Wrong names of a project's file that users of other tools may choose. */
const NEAR_PROJECT_FILE = [
  'hermes.yml', 'hermes.json', '.hermes.yaml', '.hermes.yml', '.hermes.json', '.hermes/config.yaml',
  '.hermes/hermes.yaml',
]
const NEAR_USER_FILE = ['config.yml', 'config.json', 'hermes.yaml', 'hermes.yml']

/** Path of the user's policy. Model text cannot reach it: no verb may touch `.hermes`, and no sandbox shows it. */
export function userPolicyFile(): string {
  return join(hermesHome(), 'config.yaml')
}

/**
 * The policy files that apply to a root, nearest first: its own, and those of its parents up to the top of a git work
 * tree. All apply, so that working in a subdirectory loosens nothing. The outermost work tree counts, since a command
 * may have made an inner repository.
 *
 * @param root absolute, links resolved
 */
export function projectPolicyFiles(root: string): ProjectFile[] {
  return projectDirectories(root).flatMap((directory) => projectFile(directory, root))
}

/** Directories whose policy files apply to a root. */
function projectDirectories(root: string): string[] {
  const directories = upwards(root)
  // Above the work tree (without one, above the root), files may be anyone's.
  const top = directories.findLastIndex((directory) => exists(join(directory, '.git')))
  return directories.slice(0, Math.max(top, 0) + 1)
}

/** Files that look like policies but are not read; one line each. */
export function misnamedFiles(root: string): string[] {
  const home = hermesHome()
  return [
    ...projectDirectories(root).flatMap((directory) => NEAR_PROJECT_FILE.map((name) => join(directory, name)))
      .filter((path) => !isInside(home, path))
      .map((path) => ({ path, name: relative(root, path), meant: PROJECT_FILE })),
    ...NEAR_USER_FILE.map((name) => join(home, name))
      .map((path) => ({ path, name: shownHome(path), meant: shownOwnFile() })),
  ].filter(({ path }) => exists(path)).map(({ name, meant }) => `${name} is not read: a policy is called ${meant}`)
}

interface ProjectFile {
  path: string
  /** Path relative to the root, for messages. */
  name: string
  directory: string
}

function projectFile(directory: string, root: string): ProjectFile[] {
  const path = join(directory, PROJECT_FILE)
  return exists(path) ? [{ path, name: relative(root, path), directory }] : []
}

function exists(path: string): boolean {
  const isThere = (): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
  // Below a place that is inaccessible or no directory there is nothing to read; reading reports that.
  return caught(isNodeError, isThere, ({ code }) => code !== 'ENOTDIR')
}

/**
 * The text of a policy file.
 *
 * @param mayBeLink true for the user's own file, which only its owner can change. A project's file must not be a link,
 *   as messages could then reveal lines of another file
 * @returns `undefined` where there is none
 * @throws HermesError `INVALID_POLICY` for a file that cannot be read
 */
export function readPolicyFile(path: string, name: string, mayBeLink: boolean): string | undefined {
  const fail = (problem: string): never => {
    throw policyError('INVALID_POLICY', [`${name}: ${problem}`])
  }
  const isLink = orNothing(() => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(), false)
  if (!mayBeLink && isLink === true) fail('is a link; the policy must be a file')
  return readSettingsText(path, {
    fail, flags: mayBeLink ? 0 : constants.O_NOFOLLOW ?? 0,
    check: (_, stat) => (mayBeLink ? requireOwn(path, name, stat) : undefined),
  })?.text
}

/** A policy file, read and parsed; `undefined` where there is none. @throws as `readPolicyFile` and `parsePolicy` */
export async function readSource(
  path: string, name: string, directory: string | undefined,
): Promise<PolicySource | undefined> {
  const text = readPolicyFile(path, name, directory === undefined)
  if (text === undefined) return undefined
  const { parsePolicy } = await import('./parse-policy.js')
  try {
    return await parsePolicy(text, name, directory)
  } catch (error) {
    throw error instanceof HermesError && directory !== undefined ? inDirectory(error, directory) : error
  }
}

/** Adds the directory to an error, whose file name is relative to the root, if that is not the working directory. */
function inDirectory(error: HermesError, directory: string): HermesError {
  if (directory === orNothing(() => process.cwd(), undefined)) return error
  const message = `${error.message} (in ${shownHome(directory)})`
  return new HermesError(error.code, message, { hint: error.hint, cause: error })
}

/** Whether others than the owner can write a file. A group with the owner's number is the owner's alone. */
export function isOpenToOthers({ mode, uid, gid }: { mode: number; uid: number; gid: number }): boolean {
  if (process.platform === 'win32') return false
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid)
}

/**
 * Refuses a file that others can change, as it decides what runs and where keys are sent.
 *
 * @throws HermesError `INVALID_POLICY`
 */
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
