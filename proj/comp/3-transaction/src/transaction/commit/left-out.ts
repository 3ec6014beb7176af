import { existsSync, lstatSync, openSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { orNothing, type PathPolicy } from '../../../../0-contracts/src/index.js'
import { listed, valueAt } from '../../../../0-text/src/index.js'
import { bytesAt, closing, denialOf, diskPath, isFilledByTools } from '../../../../2-files/src/index.js'
import { nulNames } from '../../../../2-git/src/index.js'
import { parentsOf } from '../commands/known-commands.js'
import { MOST_MADE_BYTES } from '../commands/large-files.js'
import type { Repository } from '../repository.js'

/** Largest binary that is committed, in bytes. */
const MOST_BINARY_BYTES = 1024 ** 2
/** Git's test for binary files: a NUL among this many first bytes. */
const LOOKED_AT_BYTES = 8000
const MOST_ARGUMENTS = 1000

type Reason = 'secret' | 'bulk' | 'large'

const WORDS: Readonly<Record<Reason, string>> = {
  secret: 'they look like secrets or settings that run programs',
  bulk: 'they are in folders of dependencies or build output',
  large: `they are binaries over ${MOST_BINARY_BYTES / 1024 ** 2} MiB, or too large`,
}

/** Files that by convention of some tool hold secrets, beyond the patterns that verbs are denied. */
const SECRET_NAMES = new RegExp(
  '(?:^|/)(?:[^/]*(?:credentials?|client_secret|service[-_]?account)[^/]*\\.json'
  + '|\\.?secrets?(?:\\.(?:json|ya?ml|toml|ini|txt))?'
  + '|[^/]+\\.tfstate(?:\\.backup)?|[^/]+\\.ovpn|[^/]+\\.tfvars)$', 'i',
)

interface Places {
  root: string
  /** The merged rules of the user and the project. */
  policy?: PathPolicy | undefined
  /** Full SHA; absent on an unborn branch. */
  head: string | undefined
}

/**
 * New files made by commands that are not committed: those that match a deny pattern or look like a secret, those in
 * folders that tools fill, and large binaries. Folders with committed files are committed by the project, so their
 * files are not left out.
 *
 * @param names relative to the top
 * @returns the reason, by name
 */
export async function leftOut(
  repository: Repository, names: readonly string[], { root, policy, head }: Places,
): Promise<Map<string, Reason>> {
  const { top } = repository
  const filled = new Map<string, boolean>()
  const isFilled = (folder: string): boolean => valueAt(filled, folder, () => isFilledByTool(top, folder))
  const folderOf = (name: string): string | undefined => parentsOf(name).findLast(isFilled)
  const folders = new Map(names.flatMap((name) => {
    const folder = folderOf(name)
    return folder === undefined ? [] : [[name, folder] as const]
  }))
  const committed = await committedFolders(repository, head, [...new Set(folders.values())])
  const reasons = new Map<string, Reason>()
  for (const name of names) {
    const folder = folders.get(name)
    const path = join(top, name)
    const below = relative(root, path)
    const denial = denialOf(path, below.startsWith('..') ? name : below, 'write', { policy, isDirectory: () => false })
    if (folder !== undefined && !committed.has(folder)) reasons.set(name, 'bulk')
    else if (denial !== undefined || SECRET_NAMES.test(name)) reasons.set(name, 'secret')
    else {
      const reason = reasonInContent(path)
      if (reason !== undefined) reasons.set(name, reason)
    }
  }
  return reasons
}

/**
 * One line for each reason.
 *
 * @param shown the name of a path for people
 */
export function toldOfLeftOut(reasons: ReadonlyMap<string, Reason>, shown: (name: string) => string): string[] {
  return (Object.keys(WORDS) as Reason[]).flatMap((reason) => {
    const names = [...reasons].filter(([, why]) => why === reason).map(([name]) => shown(name))
    return names.length === 0 ? [] : [
      `Made by a command, not committed since ${WORDS[reason]}: ${listed(names)}. Commit what you want to keep `
        + '(git add), or have git ignore it (.gitignore)',
    ]
  })
}

function isFilledByTool(top: string, folder: string): boolean {
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  const path = join(top, folder)
  return isFilledByTools(name, {
    beside: () => orNothing(() => readdirSync(diskPath(join(path, '..'))), []),
    holds: (file) => existsSync(diskPath(join(path, file))),
  })
}

async function committedFolders(
  repository: Repository, head: string | undefined, folders: readonly string[],
): Promise<Set<string>> {
  const names = new Set<string>()
  for (let at = 0; head !== undefined && at < folders.length; at += MOST_ARGUMENTS) {
    const some = folders.slice(at, at + MOST_ARGUMENTS)
    const output = await repository.run([
      '--literal-pathspecs', 'ls-tree', '-z', '--name-only', '--full-tree', head, '--', ...some,
    ])
    for (const name of nulNames(output)) names.add(name)
  }
  return names
}

function reasonInContent(path: string): Reason | undefined {
  const stat = orNothing(() => lstatSync(diskPath(path)), undefined)
  if (!stat?.isFile()) return undefined
  if (stat.size > MOST_MADE_BYTES) return 'large'
  const head = orNothing(() => beginningOf(path), Buffer.alloc(0))
  if (stat.size > MOST_BINARY_BYTES && head.includes(0)) return 'large'
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(head.toString('latin1')) ? 'secret' : undefined
}

function beginningOf(path: string): Buffer {
  return closing(openSync(diskPath(path), 'r'), (fd) => bytesAt(fd, 0, LOOKED_AT_BYTES))
}
