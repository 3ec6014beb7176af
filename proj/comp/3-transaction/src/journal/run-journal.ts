import {
  closeSync, fdatasyncSync, fstatSync, ftruncateSync, lstatSync, openSync, readdirSync, readSync, rmSync, writeSync,
} from 'node:fs'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { isNodeError, type Rewrite } from '../../../0-contracts/src/index.js'
import { stateDirectory, undoing } from '../../../2-files/src/index.js'
import { ownIdentity } from '../../../2-processes/src/index.js'
import type { ContentSink } from './file-state.js'
import { journalKey } from './journal-key.js'
import { LineSigner } from './line-macs.js'
import { flushDirectory } from './flush-paths.js'
import type { FileOperation, Operation, RewritesLine, RunBegin, RunEnd } from './operations.js'
import { isZeros } from './zeros.js'

export const LOG_FILE = 'log.jsonl'
export const DATA_FILE = 'data'
const COPY_BYTES = 1024 * 1024

/**
 * The journal of one run in `.hermes/journal/<runId>`: `log.jsonl` has one operation a line, written before it is done;
 * `data` has the contents that lines refer to. Both only grow, so that a process that dies at any moment leaves at most
 * a last line that is cut off, whose operation was not begun.
 */
export class RunJournal implements ContentSink {
  readonly directory: string
  #log: number
  #data: number
  /** Descriptors of further files beside the log, by name. */
  readonly #held = new Map<string, number>()
  #dataSize = 0
  #logSize = 0
  #lastLine = 0
  readonly #signer: LineSigner
  /** Signature of the line before the last one. */
  #lastMac = ''
  #last: Operation | undefined
  #unflushedData = false
  #unflushedLog = false

  /** @throws Node's errors, and HermesError `POLICY_DENIED` where `.hermes` is a link */
  constructor(
    /** Root of the run. */
    readonly root: string,
    begin: Omit<RunBegin, 'op' | 'format' | 'durable' | 'owner'>,
    /** Recorded operations, and the changes themselves, have to survive a loss of power. */
    readonly durable: boolean,
  ) {
    this.#signer = new LineSigner(journalKey(true), begin.runId)
    this.directory = stateDirectory(root, 'journal', begin.runId)
    const opened: number[] = []
    try {
      this.#data = openSync(join(this.directory, DATA_FILE), 'ax+', 0o600)
      opened.push(this.#data)
      this.#log = openSync(join(this.directory, LOG_FILE), 'ax+', 0o600)
      opened.push(this.#log)
      this.#line({ op: 'begin', format: 2, ...begin, owner: ownIdentity(), ...(durable && { durable }) })
    } catch (error) {
      for (const fd of opened) closeSync(fd)
      rmSync(this.directory, { recursive: true, force: true })
      throw error
    }
    if (!durable) return
    for (const directory of [this.directory, join(this.directory, '..'), join(this.directory, '..', '..'), root]) {
      flushDirectory(directory)
    }
  }

  append(bytes: Uint8Array): number {
    const at = this.#dataSize
    // A hole needs no disk space.
    if (isZeros(bytes)) ftruncateSync(this.#data, at + bytes.length)
    else writeWhole(this.#data, bytes, at)
    this.#dataSize += bytes.length
    this.#unflushedData ||= bytes.length > 0
    return at
  }

  record(operation: Operation): void {
    this.#line(operation)
    this.#last = operation
  }

  /** Records how extensions changed the answer; call it before any operation. */
  recordRewrites(by: readonly Rewrite[]): void {
    this.#line({ op: 'rewrites', by: [...by] })
  }

  /**
   * Records that the last recorded command was not started.
   *
   * @returns false where something was recorded since
   */
  takeBackCommand(): boolean {
    if (this.#last?.op !== 'command') return false
    this.record({ op: 'failed' })
    return true
  }

  /**
   * Records that a recorded change was not made. Where the disk has no room for that, removes the line if it is the
   * last one; other failed changes can be recognised, since their path is as before.
   */
  recordFailed(operation: FileOperation): void {
    const isLast = operation === this.#last
    try {
      this.#line({ op: 'failed', ...(!isLast && operation.op === 'set' && { path: operation.path }) })
    } catch (error) {
      if (!isNodeError(error)) throw error
      if (!isLast) return
      this.#logSize -= this.#lastLine
      ftruncateSync(this.#log, this.#logSize)
      this.#signer.last = this.#lastMac
    }
  }

  /** With `durable`: returns when everything recorded survives a loss of power. */
  flush(): void {
    if (!this.durable) return
    // Contents first: a change whose content is lost could not be undone.
    if (this.#unflushedData) fdatasyncSync(this.#data)
    this.#unflushedData = false
    if (this.#unflushedLog) fdatasyncSync(this.#log)
    this.#unflushedLog = false
  }

  /** Records the end of the run, and closes the journal. */
  end(end: Omit<RunEnd, 'op'>): void {
    try {
      this.#line({ op: 'end', ...end })
      this.flush()
    } finally {
      this.close()
    }
  }

  close(): void {
    for (const fd of [this.#log, this.#data, ...this.#held.values()]) closeSync(fd)
    this.#held.clear()
  }

  /** Keeps the files beside the log open, so that `writeAgain` writes them too. */
  holdFiles(): void {
    for (const entry of readdirSync(this.directory, { withFileTypes: true })) {
      const isOwn = entry.name === LOG_FILE || entry.name === DATA_FILE
      if (isOwn || !entry.isFile() || this.#held.has(entry.name)) continue
      this.#held.set(entry.name, openSync(join(this.directory, entry.name), 'r'))
    }
  }

  /**
   * Writes the journal again if a command has removed it, from the files that are still open.
   *
   * @returns whether it was gone
   * @throws Node's errors, and HermesError `POLICY_DENIED` where `.hermes` is a link now
   */
  writeAgain(): boolean {
    if (this.#isThere(LOG_FILE, this.#log) && this.#isThere(DATA_FILE, this.#data)) return false
    stateDirectory(this.root, 'journal', basename(this.directory))
    this.#data = this.#copyOf(DATA_FILE, this.#data)
    this.#log = this.#copyOf(LOG_FILE, this.#log)
    for (const [name, fd] of this.#held) this.#held.set(name, this.#copyOf(name, fd))
    this.#unflushedData = true
    this.#unflushedLog = true
    this.flush()
    return true
  }

  #isThere(name: string, fd: number): boolean {
    return lstatSync(join(this.directory, name), { throwIfNoEntry: false })?.ino === fstatSync(fd).ino
  }

  /** @returns the descriptor of the file that replaces the open one */
  #copyOf(name: string, from: number): number {
    if (this.#isThere(name, from)) return from
    const path = join(this.directory, name)
    rmSync(path, { recursive: true, force: true })
    const to = openSync(path, 'ax+', 0o600)
    const piece = Buffer.alloc(COPY_BYTES)
    for (let at = 0, count = 0; (count = readSync(from, piece, 0, COPY_BYTES, at)) > 0; at += count) {
      writeWhole(to, piece.subarray(0, count), at)
    }
    closeSync(from)
    return to
  }

  /** A path as stored: relative with `/` below the root, so that the root may be moved; else absolute. */
  stored(path: string): string {
    // Fast path: both are free of links, so nearly all start with the root.
    if (sep === '/' && this.root !== sep && path.startsWith(this.root + sep)) return path.slice(this.root.length + 1)
    // The root itself has no name below it.
    return storedAs(this.root, path) || path
  }

  #line(line: Operation | RunBegin | RewritesLine | RunEnd): void {
    const signed = this.#signer.sign(JSON.stringify(line))
    const bytes = Buffer.from(`${signed.line}\n`)
    writeWhole(this.#log, bytes, this.#logSize)
    this.#logSize += bytes.length
    this.#lastMac = this.#signer.last
    signed.done()
    this.#lastLine = bytes.length
    this.#unflushedLog = true
  }
}

/** A path relative with `/` below the root, else absolute. */
export function storedAs(root: string, path: string): string {
  const below = relative(root, path)
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? path : below.split(sep).join('/')
}

/** Appends to a file of this size, completely or not at all: later content must be where the log says. */
function writeWhole(fd: number, bytes: Uint8Array, size: number): void {
  undoing(() => {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done)
  }, () => ftruncateSync(fd, size))
}
