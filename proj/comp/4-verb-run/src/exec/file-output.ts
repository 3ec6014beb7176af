import { closeSync, fstatSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { bytesAt } from '../../../2-files/src/index.js'
import type { OutputSink } from './run-process.js'

/** Writes an output stream to a new file, byte for byte; drops what exceeds the limit. */
export class FileOutput implements OutputSink {
  readonly #fd: number
  #bytes = 0
  /** Whether output exceeded the limit. */
  isFull = false
  /** The error that writing failed with, e.g. `ENOSPC`. */
  failure: Error | undefined

  /**
   * @param limit largest size of the file, in bytes
   * @param stop called when the limit is exceeded, or when writing fails
   * @throws Node's error, `EEXIST` where anything is at the path already
   */
  constructor(readonly path: string, private readonly limit: number, private readonly stop: () => void) {
    this.#fd = openSync(path, 'wx+', 0o600)
  }

  push(chunk: Uint8Array): void {
    if (this.isFull || this.failure) return
    const kept = chunk.subarray(0, this.limit - this.#bytes)
    try {
      // Write synchronously, so that nothing piles up in memory: a program that prints faster has to wait.
      for (let at = 0; at < kept.length;) at += writeSync(this.#fd, kept, at)
    } catch (error) {
      if (!isNodeError(error)) throw error
      this.failure = error
    }
    this.#bytes += kept.length
    this.isFull = kept.length < chunk.length
    if (this.isFull || this.failure) this.stop()
  }

  /** The last `count` bytes as text. */
  end(count: number): string {
    const { size } = fstatSync(this.#fd)
    const length = Math.min(count, size)
    return bytesAt(this.#fd, size - length, length).toString()
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** Removes the file of a program that never started. */
  remove(): void {
    unlinkSync(this.path)
  }
}
