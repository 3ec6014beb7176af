import type {
  ApprovedPath, FileChange, FileStore, OverwriteCheck, WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { PatchedText } from '../../../1-edits/src/index.js'
import { getByteLength } from './byte-length.js'
import { decodeUtf8 } from './decode-utf8.js'
import { ForwardedFiles } from './forwarding-store.js'

interface Held {
  path: ApprovedPath
  text: PatchedText
  /** Length of `text` in bytes, if it is well-formed; computed when first needed. */
  bytes?: number
  /** It may have CRLF line endings, to which new lines must be fitted, so it is not edited in place. */
  mayHaveCrlf?: boolean
}

/**
 * A store for consecutive calls that change one existing text file: reads it once, changes it in memory, and writes it
 * once in `flush`. All other operations first write what is held, then go to the underlying store.
 */
export class HeldFile extends ForwardedFiles {
  #held: Held | undefined
  /** Changes not written yet. */
  #unwritten: FileChange[] = []
  #brokeHardLink = false
  #writes = 0

  /** @param onWritten called when the held text was written, or with the error by which all its changes are lost */
  constructor(inner: FileStore, private readonly onWritten: (error?: unknown) => void) {
    super(inner)
  }

  override get changes(): readonly FileChange[] {
    return this.#unwritten.length === 0 ? this.inner.changes : [...this.inner.changes, ...this.#unwritten]
  }

  /** Number of changes to the held file so far. */
  get writes(): number {
    return this.#writes
  }

  /** Writes the held text; nothing is held afterwards. Never throws. */
  flush(): void {
    const held = this.#held
    const isChanged = this.#unwritten.length > 0
    this.#held = undefined
    this.#unwritten = []
    if (!held || !isChanged) return
    try {
      this.inner.write(held.path, held.text.toString())
    } catch (error) {
      this.onWritten(error)
      return
    }
    this.onWritten()
  }

  heldText(path: ApprovedPath, maxBytes: number): string | undefined {
    if (this.#held?.path === path) return this.#held.text.toString()
    this.flush()
    const text = decodeUtf8(this.inner.readBytes(path, maxBytes))
    if (text === undefined) return undefined
    this.#held = { path, text: new PatchedText(text) }
    this.#brokeHardLink = (this.inner.stat(path)?.links ?? 1) > 1
    return text
  }

  override write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    if (this.#held?.path !== path || typeof content !== 'string' || check) return super.write(path, content, check)
    this.#held = { path, text: new PatchedText(content) }
    this.#unwritten.push({ kind: 'modify', path })
    this.#writes++
    const brokeHardLink = this.#brokeHardLink
    this.#brokeHardLink = false
    return {
      // Only computed on demand, since the file may be large and the edits many.
      get bytes() {
        return getByteLength(content)
      },
      created: false,
      brokeHardLink,
    }
  }

  replaceOnly(path: ApprovedPath, oldText: string, newText: string, maxBytes: number): boolean {
    const held = this.#held
    // The first change has to report its details. Lone surrogates would make the byte count wrong.
    if (held?.path !== path || this.#unwritten.length === 0) return false
    if (!oldText.isWellFormed() || !newText.isWellFormed()) return false
    if (!this.#isInPlace(held, oldText, newText)) return false
    held.bytes ??= getByteLength(held.text.toString())
    const bytes = held.bytes + getByteLength(newText) - getByteLength(oldText)
    if (bytes > maxBytes || !held.text.replaceOnly(oldText, newText)) return false
    held.bytes = bytes
    this.#unwritten.push({ kind: 'modify', path })
    this.#writes++
    return true
  }

  /** Whether the edit need not consider line endings. */
  #isInPlace(held: Held, oldText: string, newText: string): boolean {
    if (newText.includes('\r')) held.mayHaveCrlf = true
    if (oldText.includes('\r') || newText.includes('\r')) return true
    if (!oldText.includes('\n') && !newText.includes('\n')) return true
    held.mayHaveCrlf ??= held.text.toString().includes('\r\n')
    return !held.mayHaveCrlf
  }

  /** What is held stays so: a file of that size is not held. */
  override readAhead(): Promise<void> {
    return Promise.resolve()
  }

  protected override to(): FileStore {
    this.flush()
    return this.inner
  }
}
