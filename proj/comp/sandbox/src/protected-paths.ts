import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { isInside } from '../../policy/src/index.js'
import { homeOf, realPath } from './home.js'
import type { Mount } from './mounts.js'

/** What commands may read and not change in each directory they may write (contract section 3 'commands'). */
export const READ_ONLY_NAMES = ['.git', '.hermes', 'hermes.yaml'] as const
/** Where tools keep hooks of git that hermes itself may run when it commits. */
const HOOK_NAMES = ['.husky', '.githooks']
/** What is hidden where the home itself is a directory they may write. */
const CREDENTIALS = [
  '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gcloud', '.config/gh', '.config/hub', '.netrc',
  '.npmrc', '.pypirc', '.git-credentials', '.cargo/credentials.toml', '.password-store', '.local/share/keyrings',
  '.mozilla', '.config/google-chrome', '.hermes/.env', '.hermes/config.yaml',
]

/** The read-only parts of a directory that commands may write. */
export function protectedMounts(verb: string, directory: string): Mount[] {
  const names = [...READ_ONLY_NAMES, ...HOOK_NAMES].map(name => join(directory, name))
  const found = [...names, ...hooksDirectories(directory)].filter(path => isThere(verb, path))
  const mounts = found.map((path): Mount => ({ kind: 'read', at: path, from: path }))
  const repository = linkedRepository(directory)
  return [...mounts, ...repository.map((path): Mount => ({ kind: 'read', at: path, from: path }))]
}

/** Where the home lies in a directory that commands may write, its credentials are not shown. */
export function hiddenCredentials(home: string, writable: readonly string[]): Mount[] {
  if (!writable.some(directory => directory === home)) return []
  return CREDENTIALS.map(name => join(home, name)).flatMap((path): Mount[] => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined || stat.isSymbolicLink()) return []
    return [stat.isDirectory() ? { kind: 'memory', at: path, bytes: 4096 } : { kind: 'blank', at: path }]
  })
}

/** @throws HermesError `POLICY_DENIED` for a link: a command could put something else in its place */
function isThere(verb: string, path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() === true) {
    throw new HermesError('POLICY_DENIED', `${verb}: '${path}' is a link, and no sandbox can keep it from commands`, {
      hint: 'Ask the user to replace the link by what it leads to, or to run commands without a sandbox '
        + '(--sandbox none).',
    })
  }
  return stat !== undefined
}

/** Directories in the work tree from which git takes hooks, as its configuration says (`core.hooksPath`). */
function hooksDirectories(directory: string): string[] {
  return [join(directory, '.git', 'config'), join(homeOf(process.env), '.gitconfig')].flatMap(file => {
    try {
      const written = readFileSync(file, 'utf8').matchAll(/^\s*hooksPath\s*=\s*"?([^"\n#;]+)/gim)
      return [...written].map(([, path = '']) => resolve(directory, path.trim())).filter(path => (
        path !== directory && isInside(directory, path)
      ))
    } catch (error) {
      if (isNodeError(error)) return []
      throw error
    }
  })
}

/**
 * The repository of a linked work tree or submodule, whose `.git` is a file: readable, so that git works. Only where
 * the repository itself says that this is its work tree, since anybody can write such a file.
 */
function linkedRepository(directory: string): string[] {
  const file = join(directory, '.git')
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return []
    const named = /^gitdir: (.+)\n?$/.exec(readFileSync(file, 'utf8'))?.[1]
    const gitDirectory = named === undefined ? undefined : realPath(resolve(directory, named))
    if (gitDirectory === undefined || !existsSync(join(gitDirectory, 'HEAD'))) return []
    const backLink = join(gitDirectory, 'gitdir')
    if (!existsSync(backLink) || realPath(dirname(readFileSync(backLink, 'utf8').trim())) !== directory) return []
    const common = join(gitDirectory, 'commondir')
    const shared = existsSync(common) ? realPath(resolve(gitDirectory, readFileSync(common, 'utf8').trim())) : undefined
    return [gitDirectory, ...(shared === undefined ? [] : [shared])].filter(path => !isInside(directory, path))
  } catch (error) {
    if (isNodeError(error)) return []
    throw error
  }
}
