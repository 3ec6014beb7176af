import { posix } from 'node:path'
import {
  caught, HermesError, isNodeError, unlessThrown, type ApprovedPath, type DirectoryEntry, type FileChange,
  type FileStat, type FileStore, type OverwriteCheck, type StatedEntry, type WriteOutcome,
} from '../../../0-contracts/src/index.js'
import {
  decodeUtf8, fileError, isExecutable, MAX_DIFF_BYTES, RecordedFiles, tempBeside, tooLarge, visible, withExecutable,
} from '../../../2-files/src/index.js'
import type { Attributes } from './packets.js'
import { act, named } from './remote-errors.js'
import { bitsOf, lstatAt, requireRegular, stampOf, toStat } from './remote-stat.js'
import { SftpStatus } from './sftp-answers.js'
import type { AfterFill, SftpClient } from './sftp-client.js'

const CHUNK_BYTES = 1 << 18
/** By anybody at all. */
const WRITABLE = 0o222

/** Size and time of files as the session last read or wrote them, by their paths. */
export type KnownFiles = Map<string, string>

/** The files of another host, by SFTP. */
export class RemoteFiles extends RecordedFiles implements FileStore {
  /** What listings of this turn of the event loop told of their entries, by paths: so that none is asked for again. */
  readonly #listed = new Map<string, Attributes>()

  /** @param known of the session, since each of its runs has a store of its own */
  constructor(
    private readonly client: SftpClient, private readonly known: KnownFiles,
    options: { keepsTexts?: boolean | undefined } = {},
  ) {
    super(options)
  }

  lstat(path: ApprovedPath): FileStat | undefined {
    const attributes = this.#listed.get(path) ?? lstatAt(this.client, path)
    return attributes && toStat(attributes)
  }

  readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    const attributes = this.#requireRegular(path, 'read')
    const bytes = this.#read(path, attributes.size ?? 0, maxBytes)
    this.known.set(path, stampOf(attributes))
    return bytes
  }

  peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    return this.#read(path, this.#requireRegular(path, 'read').size ?? 0, maxBytes)
  }

  #read(path: ApprovedPath, size: number, maxBytes: number): Uint8Array {
    if (size > maxBytes) throw tooLarge(path, size, maxBytes)
    const pieces: Buffer[] = []
    let length = 0
    for (const piece of named('open', path, () => this.client.pieces(path, size))) {
      length += piece.length
      if (length > maxBytes) throw tooLarge(path, length, maxBytes)
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  async *chunks(path: ApprovedPath): AsyncGenerator<Uint8Array> {
    const { size = 0 } = this.#requireRegular(path, 'read')
    yield* inChunks(named('open', path, () => this.client.pieces(path, size)))
  }

  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    return super.write(path, typeof content === 'string' ? Buffer.from(content, 'utf8') : content, check)
  }

  protected override replace(path: ApprovedPath, content: Uint8Array): WriteOutcome {
    return this.#replace(path, [content])
  }

  protected override replaceByCopy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    const source = this.#requireRegular(from, 'open')
    const pieces = named('open', from, () => this.client.pieces(from, source.size ?? 0))
    return this.#replace(to, pieces, bitsOf(source))
  }

  protected override changeExecutable(path: ApprovedPath, executable: boolean): boolean {
    const mode = bitsOf(this.#requireRegular(path, 'chmod')) ?? 0
    if (isExecutable(mode) === executable) return false
    act('chmod', path, () => this.client.setAttributes(path, { mode: withExecutable(mode, executable) }))
    return true
  }

  protected override mkdir(path: ApprovedPath): void {
    act('mkdir', path, () => this.client.makeDirectory(path), () => {
      // Servers say no more of it than that it failed.
      if (this.lstat(path)) throw fileError('EEXIST', 'mkdir', path)
      this.#lookAtParent(path, 'mkdir')
    })
  }

  protected override unlink(path: ApprovedPath): void {
    if (this.#existing(path, 'unlink').kind === 'directory') throw fileError('EISDIR', 'unlink', path)
    this.#requireUnchanged(path, lstatAt(this.client, path))
    act('unlink', path, () => this.client.remove(path))
    this.known.delete(path)
  }

  protected override rmdir(path: ApprovedPath): void {
    if (this.#existing(path, 'rmdir').kind !== 'directory') throw fileError('ENOTDIR', 'rmdir', path)
    caught(isNodeError, () => act('rmdir', path, () => this.client.removeDirectory(path)), (error) => {
      throw error.code === 'EIO' && this.client.list(path).length > 0 ? fileError('ENOTEMPTY', 'rmdir', path) : error
    })
  }

  protected override rename(from: ApprovedPath, to: ApprovedPath): void {
    const moved = this.#existing(from, 'rename')
    this.#checkRename(from, to, moved)
    try {
      act('rename', from, () => this.client.rename(from, to))
    } catch (error) {
      // To another device; what else it may be fails again.
      if (!isNodeError(error) || error.code !== 'EIO' || moved.kind !== 'file') throw error
      const source = this.#requireRegular(from, 'open')
      this.#replace(to, this.client.pieces(from, source.size ?? 0), bitsOf(source))
      act('unlink', from, () => this.client.remove(from))
    }
    this.#noteMoved(from, to)
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
    const entries = act('scandir', path, () => this.client.list(path), () => {
      if (this.#existing(path, 'scandir').kind !== 'directory') throw fileError('ENOTDIR', 'scandir', path)
    })
    if (this.#listed.size === 0) setImmediate(() => this.#listed.clear())
    for (const { name, attributes } of entries) this.#listed.set(posix.join(path, name), attributes)
    return entries
  }

  /** Refuses what rename(2) would refuse: the server only says that it failed. */
  #checkRename(from: string, to: ApprovedPath, moved: FileStat): void {
    if (to.startsWith(`${from}/`)) throw fileError('EINVAL', 'rename', from)
    const stat = lstatAt(this.client, to)
    const replaced = stat && toStat(stat)
    if (from !== to) this.#requireUnchanged(to, stat)
    if (!replaced || from === to) return
    if (replaced.kind !== 'directory') {
      if (moved.kind === 'directory') throw fileError('ENOTDIR', 'rename', from)
    } else if (moved.kind !== 'directory') throw fileError('EISDIR', 'rename', from)
    else if (this.client.list(to).length > 0) throw fileError('ENOTEMPTY', 'rename', from)
  }

  /** A temporary file beside it, then rename: whatever breaks, the file is the old or the new one. */
  #replace(path: ApprovedPath, pieces: Iterable<Uint8Array>, mode?: number): WriteOutcome {
    const old = lstatAt(this.client, path)
    if (old) requireRegular(old, 'open', path)
    this.#requireUnchanged(path, old)
    // A rename needs no permission on the file it replaces, but a write-protected file is meant to stay as it is.
    if (old && ((bitsOf(old) ?? WRITABLE) & WRITABLE) === 0) throw fileError('EACCES', 'open', path)
    const bits = mode ?? (old && bitsOf(old))
    const after: AfterFill[] = [
      ...(old?.owner ? [{ set: { owner: old.owner }, mayFail: true }] : []),
      ...(bits === undefined ? [] : [{ set: { mode: bits }, mayFail: false }]),
    ]
    const temp = tempBeside(path)
    const bytes = act('open', path, () => {
      try {
        const made = this.client.create(temp, pieces, bits, after)
        this.client.rename(temp, path)
        this.known.set(path, stampOf(made))
        return made.size
      } catch (error) {
        // It may never have been made.
        if (!this.client.isBroken) unlessThrown(SftpStatus, () => this.client.remove(temp), undefined)
        throw error
      }
    }, () => this.#lookAtParent(path, 'open'))
    return { bytes, created: old === undefined, brokeHardLink: false }
  }

  #lookAtParent(path: ApprovedPath, syscall: string): void {
    const parent = this.lstat(posix.dirname(path) as ApprovedPath)
    if (parent && parent.kind !== 'directory') throw fileError('ENOTDIR', syscall, path)
  }

  /** @throws HermesError `CHANGED_ON_DISK` where it is another than when this session read or wrote it last */
  #requireUnchanged(path: ApprovedPath, attributes: Attributes | undefined): void {
    const known = this.known.get(path)
    if (known === undefined || (attributes && stampOf(attributes) === known)) return
    this.known.delete(path)
    throw new HermesError(
      'CHANGED_ON_DISK', `${path} was changed by someone else since this session read it: nothing was written`, {
        hint: 'Look at what it holds now, then send the block again, with the change in mind.',
      },
    )
  }

  /** With all that is below a directory. */
  #noteMoved(from: string, to: string): void {
    if (from === to) return
    for (const [path, stamp] of this.known) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      this.known.delete(path)
      this.known.set(to + path.slice(from.length), stamp)
    }
  }

  #existing(path: ApprovedPath, syscall: string): FileStat {
    const stat = this.lstat(path)
    if (!stat) throw fileError('ENOENT', syscall, path)
    return stat
  }

  #requireRegular(path: ApprovedPath, syscall: string): Attributes {
    const stat = lstatAt(this.client, path)
    if (!stat) throw fileError('ENOENT', syscall, path)
    requireRegular(stat, syscall, path)
    return stat
  }

  protected override record(change: FileChange, before?: string, after?: string): void {
    this.#listed.clear()
    super.record(change, before, after)
  }

  protected override diffText(path: ApprovedPath): string | undefined {
    const stat = this.lstat(path)
    if (stat?.kind !== 'file' || stat.size > MAX_DIFF_BYTES) return undefined
    return decodeUtf8(this.peekBytes(path, MAX_DIFF_BYTES))
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
