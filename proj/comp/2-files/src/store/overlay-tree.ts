import { lstatSync, type Stats } from 'node:fs'
import { basename, dirname, join, parse, sep } from 'node:path'
import { type DirectoryEntry, type FileStat, HermesError } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { diskPath, readLink } from '../disk-path.js'
import { getByteLength } from './byte-length.js'
import { kindOf, readEntries } from './file-stat.js'
import { fileError } from './node-errors.js'

/** A directory: its changes over an unchanged real directory (`disk`). */
export interface DirectoryNode {
  kind: 'directory'
  disk: string | undefined
  /** Entries by name; `undefined` marks a removed one. */
  changed: Map<string, TreeNode | undefined>
  mtimeMs: number
}
/** A file written in memory. */
export interface WrittenNode {
  kind: 'written'
  bytes: Uint8Array
  mtimeMs: number
  executable: boolean
}
/** A file, link or device on disk, possibly under another name. */
export interface DiskNode {
  kind: 'disk'
  disk: string
  stats: Stats
}
export type TreeNode = DirectoryNode | WrittenNode | DiskNode

/** Limits of the system, which is not asked about paths in memory. */
const MAX_PATH_BYTES = process.platform === 'win32' ? 32_768 : 4096
const MAX_NAME_BYTES = 255

/**
 * A tree of names over the real one. Moving a directory moves one node, which still takes its entries from the real
 * place; so every operation only touches the names it concerns.
 */
export class OverlayTree {
  readonly #roots = new Map<string, DirectoryNode>()

  /** The node at a path, without following links. Throws `ENOTDIR` below a file. */
  find(path: string, syscall: string): TreeNode | undefined {
    if (getByteLength(path) >= MAX_PATH_BYTES) throw fileError('ENAMETOOLONG', syscall, path)
    const { root } = parse(path)
    let node: TreeNode | undefined = this.#root(root)
    for (const name of path.slice(root.length).split(sep)) {
      if (name === '') continue
      if (node === undefined) return undefined
      if (getByteLength(name) > MAX_NAME_BYTES) throw fileError('ENAMETOOLONG', syscall, path)
      node = childOf(passable(node, syscall, path), name)
    }
    return node
  }

  /** The parent directory of a path. Throws `ENOENT` where it is missing. */
  parentOf(path: string, syscall: string): DirectoryNode {
    const parent = this.find(dirname(path), syscall)
    if (parent === undefined) throw fileError('ENOENT', syscall, path)
    return passable(parent, syscall, path)
  }

  set(path: string, node: TreeNode | undefined): void {
    this.parentOf(path, 'open').changed.set(basename(path), node)
  }

  #root(root: string): DirectoryNode {
    return valueAt(this.#roots, root, () => ({ kind: 'directory', disk: root, changed: new Map(), mtimeMs: 0 }))
  }
}

function passable(node: TreeNode, syscall: string, path: string): DirectoryNode {
  if (node.kind === 'directory') return node
  if (node.kind === 'disk' && node.stats.isSymbolicLink()) {
    // Approved paths have no links, so this one was put here since the approval.
    throw new HermesError('POLICY_DENIED', `Path leads through a link that was not checked: ${path}`, {
      hint: "Use the path of the link's target.",
    })
  }
  throw fileError('ENOTDIR', syscall, path)
}

/** Directories are kept once seen, to record changes in them. */
function childOf(parent: DirectoryNode, name: string): TreeNode | undefined {
  if (parent.changed.has(name) || parent.disk === undefined) return parent.changed.get(name)
  const disk = join(parent.disk, name)
  const stats = lstatSync(diskPath(disk), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isDirectory()) return { kind: 'disk', disk, stats }
  const node: DirectoryNode = { kind: 'directory', disk, changed: new Map(), mtimeMs: stats.mtimeMs }
  parent.changed.set(name, node)
  return node
}

/** All entries, unsorted. */
export function entriesOf(node: DirectoryNode): DirectoryEntry[] {
  const kept = node.disk === undefined ? [] : readEntries(node.disk).filter(({ name }) => !node.changed.has(name))
  for (const [name, entry] of node.changed) if (entry !== undefined) kept.push({ name, kind: nodeKind(entry) })
  return kept
}

export function nodeKind(node: TreeNode): FileStat['kind'] {
  if (node.kind === 'disk') return kindOf(node.stats)
  return node.kind === 'written' ? 'file' : 'directory'
}

/** The target of a link as stored; `undefined` for anything else. */
export function linkTarget(node: TreeNode): string | undefined {
  return node.kind === 'disk' && node.stats.isSymbolicLink() ? readLink(node.disk) : undefined
}
