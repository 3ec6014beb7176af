import { dirname } from 'node:path'
import {
  isNodeError, type ApprovedPath, type FileChange, type FileStat, type OverwriteCheck, type WriteOutcome,
} from '../../../0-contracts/src/index.js'
import { checkFirst } from './check-first.js'
import { decodeUtf8 } from './decode-utf8.js'
import { MAX_DIFF_BYTES } from './diff-text.js'
import { fileError } from './node-errors.js'

/** What stores of real files share: each change is recorded once it is made. Contents only with `keepsTexts`. */
export abstract class RecordedFiles {
  readonly #changes: FileChange[] = []

  /** @param kept `keepsTexts`: record texts in `changes`, as a dry run does: reads each file before it is changed */
  constructor(private readonly kept: { readonly keepsTexts?: boolean | undefined } = {}) {}

  get changes(): readonly FileChange[] {
    return this.#changes
  }

  stat(path: ApprovedPath): FileStat | undefined {
    return this.lstat(path)
  }

  write(path: ApprovedPath, content: string | Uint8Array, check?: OverwriteCheck): WriteOutcome {
    checkFirst(this, path, check)
    const before = this.textAt(path)
    const outcome = this.replace(path, content)
    return this.recordWrite(path, outcome, before, this.kept.keepsTexts ? textOf(content) : undefined)
  }

  copy(from: ApprovedPath, to: ApprovedPath): WriteOutcome {
    const before = this.textAt(to)
    const outcome = this.replaceByCopy(from, to)
    return this.recordWrite(to, outcome, before, this.textAt(to))
  }

  setExecutable(path: ApprovedPath, executable: boolean): boolean {
    if (!this.changeExecutable(path, executable)) return false
    const text = this.textAt(path)
    this.record({ kind: 'modify', path }, text, text)
    return true
  }

  makeDirectories(path: ApprovedPath): string[] {
    const missing: ApprovedPath[] = []
    for (let here = path; this.stat(here) === undefined; here = dirname(here) as ApprovedPath) missing.unshift(here)
    if (missing.length === 0 && this.stat(path)?.kind !== 'directory') throw fileError('EEXIST', 'mkdir', path)
    // One by one, so that each is recorded even if a later one fails.
    return missing.filter((directory) => this.#makeDirectory(directory))
  }

  #makeDirectory(path: ApprovedPath): boolean {
    try {
      this.mkdir(path)
    } catch (error) {
      // Another process may have created it first.
      if (isNodeError(error) && error.code === 'EEXIST' && this.stat(path)?.kind === 'directory') return false
      throw error
    }
    this.record({ kind: 'create-directory', path })
    return true
  }

  remove(path: ApprovedPath): void {
    const before = this.textAt(path)
    this.unlink(path)
    this.record({ kind: 'delete', path }, before)
  }

  removeDirectory(path: ApprovedPath): void {
    this.rmdir(path)
    this.record({ kind: 'delete-directory', path })
  }

  move(from: ApprovedPath, to: ApprovedPath): void {
    const before = this.textAt(to)
    this.rename(from, to)
    this.record({ kind: 'move', path: to, from }, before, this.textAt(to))
  }

  protected recordWrite(path: ApprovedPath, outcome: WriteOutcome, before?: string, after?: string): WriteOutcome {
    this.record({ kind: outcome.created ? 'create' : 'modify', path }, before, after)
    return outcome
  }

  protected record(change: FileChange, before?: string, after?: string): void {
    this.#changes.push({ ...change, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
  }

  protected textAt(path: ApprovedPath): string | undefined {
    return this.kept.keepsTexts ? this.diffText(path) : undefined
  }

  abstract lstat(path: ApprovedPath): FileStat | undefined
  abstract peekBytes(path: ApprovedPath, maxBytes: number): Uint8Array
  protected abstract replace(path: ApprovedPath, content: string | Uint8Array): WriteOutcome
  protected abstract replaceByCopy(from: ApprovedPath, to: ApprovedPath): WriteOutcome
  protected abstract changeExecutable(path: ApprovedPath, executable: boolean): boolean
  /** @throws Node's `EEXIST` where something is there */
  protected abstract mkdir(path: ApprovedPath): void
  protected abstract unlink(path: ApprovedPath): void
  protected abstract rmdir(path: ApprovedPath): void
  protected abstract rename(from: ApprovedPath, to: ApprovedPath): void
  protected abstract diffText(path: ApprovedPath): string | undefined
}

function textOf(content: string | Uint8Array): string | undefined {
  if (content.length > MAX_DIFF_BYTES) return undefined
  return typeof content === 'string' ? content : decodeUtf8(content)
}
