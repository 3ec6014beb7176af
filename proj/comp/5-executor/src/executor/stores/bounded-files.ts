import { basename } from 'node:path'
import {
  HermesError, type ApprovedPath, type FileStore, type OverwriteCheck, type WriteOutcome,
} from '../../../../0-contracts/src/index.js'
import { hermesCommandOf } from '../../../../2-packages/src/index.js'
import { ForwardedFiles } from '../../../../2-files/src/index.js'

/** npm reads no larger manifests. */
const MAX_MANIFEST_BYTES = 10_000_000

/** A store with a limit on the bytes that one run may write. */
export class BoundedFiles extends ForwardedFiles {
  #written = 0

  constructor(files: FileStore, private readonly maxBytes: number) {
    super(files)
  }

  /** @throws HermesError `POLICY_DENIED` beyond the limit; and as the store */
  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    this.#require(typeof content === 'string' ? Buffer.byteLength(content) : content.length)
    this.#keepCommand(path, () => (typeof content === 'string' ? content : Buffer.from(content).toString('utf8')))
    return this.#count(super.write(path, content, check))
  }

  /** @throws HermesError `POLICY_DENIED` beyond the limit; and as the store */
  override copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    this.#require(this.inner.stat(from)?.size ?? 0)
    this.#keepCommand(to, () => this.#textOf(from))
    return this.#count(super.copy(from, to))
  }

  override move(from: ApprovedPath, to: ApprovedPath): void {
    this.#keepCommand(to, () => this.#textOf(from))
    super.move(from, to)
  }

  #require(bytes: number): void {
    if (this.#written + bytes <= this.maxBytes) return
    throw new HermesError(
      'POLICY_DENIED', `Not written: a run may write ${this.maxBytes} bytes, and ${this.#written} are written`,
      { hint: 'Write less, or send the rest in another answer. Only the user can raise the limit (limits.written).' },
    )
  }

  /**
   * Protects `bin` of a project's package.json, which decides what the next `npx hermes` runs; other fields may change.
   */
  #keepCommand(path: ApprovedPath, text: () => string): void {
    if (basename(path) !== 'package.json' || hermesCommandOf(text()) === hermesCommandOf(this.#textOf(path))) return
    const why = 'bin of a package.json decides what the next "npx hermes" runs'
    throw new HermesError('POLICY_DENIED', `Not written: ${why}`, {
      hint: 'Leave the command hermes in bin (and directories.bin) as it is; ask the user to change it.',
    })
  }

  #textOf(path: ApprovedPath): string {
    const isFile = this.inner.stat(path)?.kind === 'file'
    return isFile ? Buffer.from(this.inner.peekBytes(path, MAX_MANIFEST_BYTES)).toString('utf8') : ''
  }

  #count(outcome: WriteOutcome): WriteOutcome {
    this.#written += outcome.bytes
    return outcome
  }
}
