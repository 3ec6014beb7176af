import { posix } from 'node:path'
import {
  HermesError, isNodeError, type ApprovedPath, type DirectoryEntry, type FileChange, type FileStat, type FileStore,
  type OverwriteCheck, type PathProbe, type StatedEntry, type WriteOutcome,
} from '../../../0-contracts/src/index.js'
import {
  checkFirst, decodeUtf8, fileError, isExecutable, MAX_DIFF_BYTES, tempBeside, tooLarge, visible, withExecutable,
} from '../../../2-files/src/index.js'
import { STATUS, type Attributes } from './packets.js'
import { SftpStatus, type AfterFill, type SftpClient } from './sftp-client.js'

/** What a mode says of the kind of a file. */
const KIND = { mask: 0o170000, file: 0o100000, directory: 0o040000, link: 0o120000 }
const BITS = 0o777
const CHUNK_BYTES = 1 << 18

/** The files of another host, by SFTP. Its `changes` are as those of `DiskFiles`. */
export class RemoteFiles implements FileStore {
  readonly #client: SftpClient
  readonly #keepsTexts: boolean
  readonly #changes: FileChange[] = []

  constructor(client: SftpClient, { keepsTexts = false }: { keepsTexts?: boolean | undefined } = {}) {
    this.#client = client
    this.#keepsTexts = keepsTexts
  }

  get changes(): readonly FileChange[] {
    return this.#changes
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.lstat(path)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    const found = lstatAt(this.#client, path)
    return found && toStat(found)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    const size = this.#requireRegular(path, 'read').size ?? 0
    if (size > maxBytes) throw tooLarge(path, size, maxBytes)
    const pieces: Buffer[] = []
    let length = 0
    for (const piece of named('open', path, () => this.#client.pieces(path, size))) {
      length += piece.length
      if (length > maxBytes) throw tooLarge(path, length, maxBytes)
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.readBytes(path, maxBytes)
  }

  async *chunks(path: ApprovedPath): AsyncGenerator<Uint8Array> {
    const { size = 0 } = this.#requireRegular(path, 'read')
    yield* inChunks(named('open', path, () => this.#client.pieces(path, size)))
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    checkFirst(this, path, check)
    const before = this.#textAt(path)
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    const outcome = this.#replace(path, [bytes])
    const text = this.#keepsTexts && bytes.length <= MAX_DIFF_BYTES ? decodeUtf8(bytes) : undefined
    this.#record({ kind: outcome.created ? 'create' : 'modify', path }, before, text)
    return outcome
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    const before = this.#textAt(to)
    const source = this.#requireRegular(from, 'open')
    const pieces = named('open', from, () => this.#client.pieces(from, source.size ?? 0))
    const outcome = this.#replace(to, pieces, bitsOf(source))
    this.#record({ kind: outcome.created ? 'create' : 'modify', path: to }, before, this.#textAt(to))
    return outcome
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    const mode = bitsOf(this.#requireRegular(path, 'chmod')) ?? 0
    if (isExecutable(mode) === executable) return false
    act('chmod', path, () => this.#client.setAttributes(path, { mode: withExecutable(mode, executable) }))
    const text = this.#textAt(path)
    this.#record({ kind: 'modify', path }, text, text)
    return true
  }

  makeDirectories(path: ApprovedPath): string[] {
    const missing: ApprovedPath[] = []
    let found = this.lstat(path)
    for (let here = path; found === undefined; found = this.lstat(here)) {
      missing.unshift(here)
      here = posix.dirname(here) as ApprovedPath
    }
    if (found.kind !== 'directory') throw fileError(missing.length === 0 ? 'EEXIST' : 'ENOTDIR', 'mkdir', path)
    return missing.filter((directory) => this.#makeDirectory(directory))
  }

  #makeDirectory(path: ApprovedPath): boolean {
    try {
      act('mkdir', path, () => this.#client.makeDirectory(path))
    } catch (error) {
      // Another process may have been faster.
      if (isNodeError(error) && this.lstat(path)?.kind === 'directory') return false
      throw error
    }
    this.#record({ kind: 'create-directory', path })
    return true
  }

  remove(path: ApprovedPath): void {
    const before = this.#textAt(path)
    if (this.#existing(path, 'unlink').kind === 'directory') throw fileError('EISDIR', 'unlink', path)
    act('unlink', path, () => this.#client.remove(path))
    this.#record({ kind: 'delete', path }, before)
  }

  removeDirectory(path: ApprovedPath): void {
    if (this.#existing(path, 'rmdir').kind !== 'directory') throw fileError('ENOTDIR', 'rmdir', path)
    try {
      act('rmdir', path, () => this.#client.removeDirectory(path))
    } catch (error) {
      if (isNodeError(error) && error.code === 'EIO' && this.#client.list(path).length > 0) {
        throw fileError('ENOTEMPTY', 'rmdir', path)
      }
      throw error
    }
    this.#record({ kind: 'delete-directory', path })
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    const moved = this.#existing(from, 'rename')
    const before = this.#textAt(to)
    this.#checkRename(from, to, moved)
    try {
      act('rename', from, () => this.#client.rename(from, to))
    } catch (error) {
      // To another device; what else it may be fails again.
      if (!isNodeError(error) || error.code !== 'EIO' || moved.kind !== 'file') throw error
      const source = this.#requireRegular(from, 'open')
      this.#replace(to, this.#client.pieces(from, source.size ?? 0), bitsOf(source))
      act('unlink', from, () => this.#client.remove(from))
    }
    this.#record({ kind: 'move', path: to, from }, before, this.#textAt(to))
  }

  list(path: ApprovedPath): DirectoryEntry[] {
    return visible(this.#entries(path).map(({ name, attributes }) => ({ name, kind: toStat(attributes).kind })))
  }

  listStats(path: ApprovedPath, wants: (name: string) => boolean): StatedEntry[] {
    return visible(this.#entries(path).map(({ name, attributes }) => {
      const stat = toStat(attributes)
      return { name, kind: stat.kind, ...(stat.kind === 'file' && wants(name) && { stat }) }
    }))
  }

  #entries(path: ApprovedPath): { name: string; attributes: Attributes }[] {
    return act('scandir', path, () => this.#client.list(path), () => {
      if (this.#existing(path, 'scandir').kind !== 'directory') throw fileError('ENOTDIR', 'scandir', path)
    })
  }

  /** Refuses what rename(2) would refuse: the server only says that it failed. */
  #checkRename(from: string, to: ApprovedPath, moved: FileStat): void {
    if (to.startsWith(`${from}/`)) throw fileError('EINVAL', 'rename', from)
    const replaced = this.lstat(to)
    if (!replaced || from === to) return
    if (replaced.kind !== 'directory') {
      if (moved.kind === 'directory') throw fileError('ENOTDIR', 'rename', from)
    } else if (moved.kind !== 'directory') throw fileError('EISDIR', 'rename', from)
    else if (this.#client.list(to).length > 0) throw fileError('ENOTEMPTY', 'rename', from)
  }

  /** A temporary file beside it, then rename: whatever breaks, the file is the old or the new one. */
  #replace(path: ApprovedPath, pieces: Iterable<Uint8Array>, mode?: number): WriteOutcome {
    const old = lstatAt(this.#client, path)
    if (old) requireRegular(old, 'open', path)
    // A rename needs no permission on the file it replaces, but a write-protected file is meant to stay as it is.
    if (old && ((old.mode ?? BITS) & 0o222) === 0) throw fileError('EACCES', 'open', path)
    const bits = mode ?? (old && bitsOf(old))
    const after: AfterFill[] = [
      ...(old?.owner ? [{ set: { owner: old.owner }, mayFail: true }] : []),
      ...(bits === undefined ? [] : [{ set: { mode: bits }, mayFail: false }]),
    ]
    const temp = tempBeside(path)
    const bytes = act('open', path, () => {
      try {
        const length = this.#client.create(temp, pieces, bits, after)
        this.#client.rename(temp, path)
        return length
      } catch (error) {
        if (!this.#client.isBroken) orRefused(() => this.#client.remove(temp))
        throw error
      }
    }, () => {
      const parent = this.lstat(posix.dirname(path) as ApprovedPath)
      if (parent && parent.kind !== 'directory') throw fileError('ENOTDIR', 'open', path)
    })
    return { bytes, created: old === undefined, brokeHardLink: false }
  }

  #existing(path: ApprovedPath, syscall: string): FileStat {
    const found = this.lstat(path)
    if (!found) throw fileError('ENOENT', syscall, path)
    return found
  }

  #requireRegular(path: ApprovedPath, syscall: string): Attributes {
    const found = lstatAt(this.#client, path)
    if (!found) throw fileError('ENOENT', syscall, path)
    requireRegular(found, syscall, path)
    return found
  }

  #record(change: FileChange, before?: string, after?: string): void {
    this.#changes.push({ ...change, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
  }

  #textAt(path: ApprovedPath): string | undefined {
    if (!this.#keepsTexts) return undefined
    const found = this.lstat(path)
    if (found?.kind !== 'file' || found.size > MAX_DIFF_BYTES) return undefined
    return decodeUtf8(this.readBytes(path, MAX_DIFF_BYTES))
  }
}

/** For the gate: what is below the root there, links as they are. The root itself is known. */
export function remoteProbe(client: SftpClient, root: string): PathProbe {
  return (path) => {
    if (path === root || root.startsWith(path === '/' ? path : `${path}/`)) return { kind: 'directory' }
    const found = lstatAt(client, path)
    if (!found) return undefined
    const { kind } = toStat(found)
    return kind === 'link' ? { kind, target: act('readlink', path, () => client.readlink(path)) } : { kind }
  }
}

function lstatAt(client: SftpClient, path: string): Attributes | undefined {
  return act('lstat', path, () => client.lstat(path))
}

function toStat({ mode = 0, size = 0, mtime = 0 }: Attributes): FileStat {
  const kind = mode & KIND.mask
  return {
    kind: kind === KIND.file ? 'file' : kind === KIND.directory ? 'directory' : kind === KIND.link ? 'link' : 'other',
    // The protocol tells neither parts of a second nor how many names a file has.
    size, mtimeMs: mtime * 1000, links: 1,
  }
}

function bitsOf({ mode }: Attributes): number | undefined {
  return mode === undefined ? undefined : mode & BITS
}

/** @throws as `requireRegular` of the disk */
function requireRegular(found: Attributes, syscall: string, path: string): void {
  const { kind } = toStat(found)
  if (kind === 'file') return
  if (kind === 'directory') throw fileError('EISDIR', syscall, path)
  if (kind === 'link') throw fileError('ELOOP', syscall, path)
  throw new HermesError('NOT_TEXT', `Not a regular file: ${path}`, {
    hint: 'It is a device, a pipe or a socket; only regular files can be read and written.',
  })
}

/** @param ask where the server refuses: throws what it is, where a look tells more than its few words */
function act<T>(syscall: string, path: string, ask: () => T, lookAgain?: () => void): T {
  try {
    return ask()
  } catch (error) {
    if (!(error instanceof SftpStatus)) throw error
    lookAgain?.()
    throw nodeError(error, syscall, path)
  }
}

function* named(syscall: string, path: string, ask: () => Iterable<Buffer>): Generator<Buffer, void> {
  try {
    yield* ask()
  } catch (error) {
    throw error instanceof SftpStatus ? nodeError(error, syscall, path) : error
  }
}

function nodeError({ status, message }: SftpStatus, syscall: string, path: string): Error {
  const code = CODES[status]
  if (code !== undefined) return fileError(code, syscall, path)
  const said = message === '' ? 'it failed' : message
  const text = `EIO: the server there says only "${said}" (a full disk?), ${syscall} '${path}'`
  return Object.assign(new Error(text), { code: 'EIO', syscall, path })
}

const CODES: Readonly<Record<number, string>> = {
  [STATUS.noSuchFile]: 'ENOENT', [STATUS.denied]: 'EACCES', [STATUS.badMessage]: 'ENAMETOOLONG',
}

function orRefused(clean: () => void): void {
  try {
    clean()
  } catch (error) {
    // It may never have been made.
    if (!(error instanceof SftpStatus)) throw error
  }
}

/** Larger ones, so that whoever reads has few turns. */
function* inChunks(pieces: Iterable<Buffer>): Generator<Buffer, void> {
  let waiting: Buffer[] = []
  let length = 0
  for (const piece of pieces) {
    waiting.push(piece)
    length += piece.length
    if (length < CHUNK_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}
