import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { isInside } from '../../policy/src/index.js'
import type { InitializeParams } from './params.js'

export type AssetFolders = NonNullable<InitializeParams['assetFolders']>
export type AssetKind = 'skills' | 'prompts'

const MOST_ASSETS = 10_000
const MOST_BYTES = 10 * 1024 * 1024

/** Absolute; `recordings` is made where it is not there. @throws HermesError `INVALID_OPTION` */
export function readAssetFolders(
  folders: AssetFolders, root: string, requireWithin: (name: string, directory: string) => void,
): AssetFolders {
  const named = Object.entries(folders).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(named.map(([kind, written]) => {
    const directory = resolve(root, written)
    requireWithin(`assetFolders.${kind}`, directory)
    try {
      if (kind === 'recordings') mkdirSync(directory, { recursive: true })
      if (statSync(directory).isDirectory()) return [kind, realpathSync.native(directory)]
    } catch (error) {
      if (!isNodeError(error)) throw error
    }
    throw new HermesError('INVALID_OPTION', `assetFolders.${kind}: ${directory} is no directory`, { hint: 'Name a directory that exists.' })
  }))
}

/** Files below a folder, by their path in it with slashes; links are not followed. */
export function listAssets(folders: AssetFolders, kind: AssetKind): { name: string; bytes: number }[] {
  const folder = folderOf(folders, kind)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.slice(0, MOST_ASSETS).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { name: relative(folder, path).split(sep).join('/'), bytes: statSync(path).size }
  }).sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** @throws HermesError `ENOENT`, `FILE_TOO_LARGE`, `POLICY_DENIED` for what is not in the folder, links followed */
export function readAsset(folders: AssetFolders, kind: AssetKind, name: string): string {
  const folder = folderOf(folders, kind)
  try {
    const path = realpathSync.native(resolve(folder, name))
    if (!isInside(folder, path)) throw new HermesError('POLICY_DENIED', `${name} is not in the folder of ${kind}`)
    const { size } = statSync(path)
    if (size > MOST_BYTES) throw new HermesError('FILE_TOO_LARGE', `${name} has ${size} bytes; ${MOST_BYTES} are the most`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `${kind} ${name} cannot be read (${error.code})`, { hint: 'assets/list names those there are.', cause: error })
  }
}

function folderOf(folders: AssetFolders, kind: AssetKind): string {
  const folder = folders[kind]
  if (folder !== undefined) return folder
  throw new HermesError('INVALID_OPTION', `No folder of ${kind} was named`, { hint: `Give assetFolders.${kind} with initialize.` })
}
