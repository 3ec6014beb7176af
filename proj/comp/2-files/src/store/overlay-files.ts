import { accessSync, constants, lstatSync, type Stats } from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, PathProbe, WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { diskPath } from '../disk-path.js'
import { checkFirst } from './check-first.js'
import { decodeUtf8 } from './decode-utf8.js'
import { diffText, MAX_DIFF_BYTES } from './diff-text.js'
import { readChunks } from './disk-files.js'
import { isExecutable, withExecutable } from './executable-mode.js'
import { toFileStat, visible } from './file-stat.js'
import { ifExists } from './if-exists.js'
import { fileError } from './node-errors.js'
import {
  type DirectoryNode, type DiskNode, entriesOf, linkTarget, nodeKind, OverlayTree, type TreeNode,
} from './overlay-tree.js'
import { readRegular, requireRegular, tooLarge } from './regular-file.js'
import { requireReplaceable } from './replace-file.js'

type FileNode = Exclude<TreeNode, DirectoryNode>

/** Most characters of texts that `changes` keeps: each change of a file holds the file twice. */
const MAX_KEPT_TEXT = 50_000_000

/**
 * The store of a dry run: changes stay in memory over the real tree, later operations see them, and the disk stays as
 * it is. Gives the results and errors of `DiskFiles`, permissions included; the latest `changes` have texts for diffs.
 * Create the path gate with `probe`, so that the gate sees the changes too.
 */
export class OverlayFiles implements FileStore {
  readonly #tree = new OverlayTree()
  readonly #changes: FileChange[] = []
  /** Characters of texts in the changes from index `#keptFrom` on; earlier changes have dropped theirs. */
  #keptText = 0
  #keptFrom = 0
  /** By device and inode: how many hard links of a file were removed or broken. */
  readonly #lostNames = new Map<string, number>()

  get changes(): readonly FileChange[] {
    return this.#changes
  }

  readonly probe: PathProbe = (path) => {
    const node = this.#tree.find(path, 'lstat')
    if (node === undefined) return undefined
    const target = linkTarget(node)
    return { kind: nodeKind(node), ...(target !== undefined && { target }) }
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.lstat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    const node = ifExists(() => this.#tree.find(path, 'lstat'))
    return node && this.#toStat(node)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    const node = this.#fileAt(path)
    if (node.kind === 'disk') return readRegular(node.disk, maxBytes)
    if (node.bytes.length > maxBytes) throw tooLarge(path, node.bytes.length, maxBytes)
    return node.bytes.slice()
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.readBytes(path, maxBytes)
  }

  async *chunks(path: ApprovedPath): AsyncGenerator<Uint8Array> {
    const node = this.#fileAt(path)
    if (node.kind === 'disk') yield* readChunks(node.disk)
    else if (node.bytes.length > 0) yield node.bytes.slice()
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    checkFirst(this, path, check)
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Uint8Array.from(content)
    const outcome = this.#put(path, (old) => ({
      kind: 'written', bytes, mtimeMs: Date.now(), executable: old !== undefined && this.#isExecutable(old),
    }))
    return { bytes: bytes.length, ...outcome }
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    const source = this.#fileAt(from)
    if (source.kind === 'disk') accessSync(diskPath(source.disk), constants.R_OK)
    const outcome = this.#put(to, (old) => copyOf(source, old))
    return { bytes: source.kind === 'disk' ? source.stats.size : source.bytes.length, ...outcome }
  }

  /** Replaces any file, or fails as the disk would. */
  #put(path: ApprovedPath, make: (old: FileNode | undefined) => FileNode): Omit<WriteOutcome, 'bytes'> {
    const parent = this.#tree.parentOf(path, 'open')
    const old = this.#tree.find(path, 'open')
    if (old?.kind === 'directory') throw fileError('EISDIR', 'open', path)
    if (old?.kind === 'disk') requireReplaceable(old.stats, path, old.disk)
    requireWritable(parent)
    const brokeHardLink = old?.kind === 'disk' && this.#linksOf(old) > 1
    const before = textOf(old)
    const node = make(old)
    this.#replace(path, old, node)
    this.#record({ kind: old === undefined ? 'create' : 'modify', path }, before, textOf(node))
    return { created: old === undefined, brokeHardLink }
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    const node = this.#fileAt(path)
    if (this.#isExecutable(node) === executable) return false
    if (node.kind === 'written') this.#tree.set(path, { ...node, executable })
    else {
      const changed = changedMode(node, executable)
      if (this.#linksOf(node) > 1) {
        accessSync(diskPath(node.disk), constants.R_OK)
        this.#put(path, (old) => copyOf(changed, old))
        return true
      }
      const user = process.geteuid?.()
      if (user !== undefined && user !== 0 && user !== node.stats.uid) throw fileError('EPERM', 'chmod', path)
      this.#tree.set(path, changed)
    }
    const text = textOf(node)
    this.#record({ kind: 'modify', path }, text, text)
    return true
  }

  #isExecutable(node: FileNode): boolean {
    return node.kind === 'written' ? node.executable : isExecutable(node.stats.mode)
  }

  makeDirectories(path: ApprovedPath): string[] {
    const missing: ApprovedPath[] = []
    let here = path
    let treeNode = this.#tree.find(here, 'mkdir')
    while (treeNode === undefined) {
      missing.unshift(here)
      here = dirname(here) as ApprovedPath
      treeNode = this.#tree.find(here, 'mkdir')
    }
    if (treeNode.kind !== 'directory') throw fileError(here === path ? 'EEXIST' : 'ENOTDIR', 'mkdir', path)
    if (missing.length > 0) requireWritable(treeNode)
    for (const directory of missing) {
      this.#tree.set(directory, { kind: 'directory', disk: undefined, changed: new Map(), mtimeMs: Date.now() })
      this.#record({ kind: 'create-directory', path: directory })
    }
    return missing
  }

  remove(path: ApprovedPath): void {
    const node = this.#existing(path, 'unlink')
    if (node.kind === 'directory') throw fileError('EISDIR', 'unlink', path)
    requireWritable(this.#tree.parentOf(path, 'unlink'))
    const before = textOf(node)
    this.#replace(path, node, undefined)
    this.#record({ kind: 'delete', path }, before)
  }

  removeDirectory(path: ApprovedPath): void {
    const node = this.#existing(path, 'rmdir')
    if (node.kind !== 'directory') throw fileError('ENOTDIR', 'rmdir', path)
    requireWritable(this.#tree.parentOf(path, 'rmdir'))
    if (entriesOf(node).length > 0) throw fileError('ENOTEMPTY', 'rmdir', path)
    this.#tree.set(path, undefined)
    this.#record({ kind: 'delete-directory', path })
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    const [source, target] = [this.#tree.parentOf(from, 'rename'), this.#tree.parentOf(to, 'rename')]
    const node = this.#existing(from, 'rename')
    const replaced = this.#tree.find(to, 'rename')
    checkRename(from, to, node, replaced)
    requireWritable(source)
    requireWritable(target)
    const before = textOf(replaced)
    if (from !== to) {
      this.#replace(to, replaced, node)
      source.changed.set(basename(from), undefined)
    }
    this.#record({ kind: 'move', path: to, from }, before, textOf(node))
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    const node = this.#existing(path, 'scandir')
    if (node.kind !== 'directory') throw fileError('ENOTDIR', 'scandir', path)
    return visible(entriesOf(node))
  }

  #existing(path: ApprovedPath, syscall: string): TreeNode {
    const node = this.#tree.find(path, syscall)
    if (node === undefined) throw fileError('ENOENT', syscall, path)
    return node
  }

  #fileAt(path: ApprovedPath): FileNode {
    const node = this.#existing(path, 'open')
    if (node.kind === 'directory') throw fileError('EISDIR', 'read', path)
    if (node.kind === 'disk') requireRegular(node.stats, 'read', path)
    return node
  }

  #replace(path: ApprovedPath, old: TreeNode | undefined, node: TreeNode | undefined): void {
    if (old?.kind === 'disk' && old.stats.nlink > 1) {
      this.#lostNames.set(inode(old), (this.#lostNames.get(inode(old)) ?? 0) + 1)
    }
    this.#tree.set(path, node)
  }

  #linksOf(node: DiskNode): number {
    return node.stats.nlink - (this.#lostNames.get(inode(node)) ?? 0)
  }

  #toStat(node: TreeNode): FileStat {
    if (node.kind === 'disk') return { ...toFileStat(node.stats), links: this.#linksOf(node) }
    if (node.kind === 'written') return { kind: 'file', size: node.bytes.length, mtimeMs: node.mtimeMs, links: 1 }
    if (node.disk !== undefined) return toFileStat(lstatSync(diskPath(node.disk)))
    return { kind: 'directory', size: 0, mtimeMs: node.mtimeMs, links: 1 }
  }

  #record(change: FileChange, before?: string, after?: string): void {
    const made = { ...change, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
    this.#changes.push(made)
    this.#keptText += textLength(made)
    // Whoever takes a change right when it is made has its texts.
    for (; this.#keptText > MAX_KEPT_TEXT && this.#keptFrom < this.#changes.length - 1; this.#keptFrom++) {
      const old = this.#changes[this.#keptFrom]
      if (old === undefined) continue
      this.#keptText -= textLength(old)
      const { before: _, after: __, ...rest } = old
      this.#changes[this.#keptFrom] = rest
    }
  }
}

function textLength({ before = '', after = '' }: FileChange): number {
  return before.length + after.length
}

/** The errors of rename(2), in its order. */
function checkRename(from: string, to: string, node: TreeNode, replaced: TreeNode | undefined): void {
  if (to.startsWith(from + sep)) throw fileError('EINVAL', 'rename', from)
  if (from.startsWith(to + sep)) throw fileError('ENOTEMPTY', 'rename', from)
  if (replaced === undefined || from === to) return
  if (node.kind === 'directory') {
    if (replaced.kind !== 'directory') throw fileError('ENOTDIR', 'rename', from)
    if (entriesOf(replaced).length > 0) throw fileError('ENOTEMPTY', 'rename', from)
  } else if (replaced.kind === 'directory') throw fileError('EISDIR', 'rename', from)
}

function requireWritable(directory: DirectoryNode): void {
  if (directory.disk !== undefined) accessSync(diskPath(directory.disk), constants.W_OK | constants.X_OK)
}

/** A copy of `source` that later changes to the source do not affect. */
function copyOf(source: FileNode, old: FileNode | undefined): FileNode {
  if (source.kind === 'written') return { ...source, mtimeMs: Date.now() }
  const { stats, disk } = source
  const owner = old?.kind === 'disk' ? old.stats.uid : process.geteuid?.() ?? stats.uid
  const own = { uid: owner, mode: stats.mode & ~0o7000, ino: 0, dev: 0, nlink: 1, mtimeMs: Date.now() }
  return { kind: 'disk', disk, stats: changedStats(stats, own) }
}

function changedMode(node: DiskNode, executable: boolean): DiskNode {
  const mode = (node.stats.mode & ~0o7777) | withExecutable(node.stats.mode, executable)
  return { ...node, stats: changedStats(node.stats, { mode }) }
}

function changedStats(stats: Stats, changes: Partial<Stats>): Stats {
  const copied = Object.create(Object.getPrototypeOf(stats) as object) as Stats
  return Object.assign(copied, stats, changes)
}

function inode({ stats }: DiskNode): string {
  return `${stats.dev}:${stats.ino}`
}

function textOf(node: TreeNode | undefined): string | undefined {
  if (node === undefined || node.kind === 'directory') return undefined
  if (node.kind === 'written') return node.bytes.length > MAX_DIFF_BYTES ? undefined : decodeUtf8(node.bytes)
  return !node.stats.isFile() || node.stats.size > MAX_DIFF_BYTES ? undefined : diffText(node.disk)
}
