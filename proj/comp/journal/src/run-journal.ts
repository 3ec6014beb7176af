import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'
import { stateDirectory } from '../../files/src/index.js'
import type { ContentSink } from './file-state.js'
import type { Operation, RunBegin, RunEnd } from './operations.js'

export const LOG_FILE = 'log.jsonl'
export const DATA_FILE = 'data'

/**
 * The journal of one run below `.hermes/journal/<runId>`: `log.jsonl`, one operation a line, written before it is done,
 * and `data`, the contents the lines refer to. Both only grow, so that a process that dies at any moment leaves at
 * most a last line that is cut off, whose operation was not begun.
 */
export class RunJournal implements ContentSink {
  readonly directory: string
  readonly #root: string
  readonly #log: number
  readonly #data: number
  readonly #durable: boolean
  #dataSize = 0
  #logSize = 0
  #lastLine = 0
  #unflushed = false

  /** @throws Node's errors, and HermesError `POLICY_DENIED` where `.hermes` is a link */
  constructor(root: string, begin: Omit<RunBegin, 'op' | 'format'>, durable: boolean) {
    this.#root = root
    this.#durable = durable
    this.directory = stateDirectory(root, 'journal', begin.runId)
    const opened: number[] = []
    try {
      this.#data = openSync(join(this.directory, DATA_FILE), 'ax', 0o600)
      opened.push(this.#data)
      this.#log = openSync(join(this.directory, LOG_FILE), 'ax', 0o600)
      opened.push(this.#log)
      this.#line({ op: 'begin', format: 1, ...begin })
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
    this.#dataSize += writeWhole(this.#data, bytes, at)
    this.#unflushed ||= bytes.length > 0
    return at
  }

  record(operation: Operation): void {
    this.#line(operation)
  }

  /** The change that was recorded last was not done. Where there is no room to say so, its line is taken back. */
  recordFailed(): void {
    try {
      this.#line({ op: 'failed' })
    } catch (error) {
      if (!isNodeError(error)) throw error
      this.#logSize -= this.#lastLine
      ftruncateSync(this.#log, this.#logSize)
    }
  }

  /** With `durable`: returns when what was recorded survives a loss of power. */
  flush(): void {
    if (!this.#durable || !this.#unflushed) return
    fdatasyncSync(this.#data)
    fdatasyncSync(this.#log)
    this.#unflushed = false
  }

  /** The run has ended; nothing can be recorded after it. */
  end(end: Omit<RunEnd, 'op'>): void {
    try {
      this.#line({ op: 'end', ...end })
      this.flush()
    } finally {
      this.close()
    }
  }

  close(): void {
    closeSync(this.#log)
    closeSync(this.#data)
  }

  /** Paths below the root are kept relative, with `/`: the root may be moved. */
  stored(path: string): string {
    const below = relative(this.#root, path)
    if (below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return path
    return sep === '/' ? below : below.replaceAll(sep, '/')
  }

  #line(line: Operation | RunBegin | RunEnd): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.#logSize += writeWhole(this.#log, bytes, this.#logSize)
    this.#lastLine = bytes.length
    this.#unflushed = true
  }
}

/** At the end of a file of that size, wholly or not at all: what comes after must be where the log says it is. */
function writeWhole(fd: number, bytes: Uint8Array, size: number): number {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done)
  } catch (error) {
    ftruncateSync(fd, size)
    throw error
  }
  return bytes.length
}

/** Makes the entries of a directory survive a loss of power. */
function flushDirectory(directory: string): void {
  // Windows cannot open directories, and keeps their entries without being asked.
  if (process.platform === 'win32') return
  const fd = openSync(directory, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
