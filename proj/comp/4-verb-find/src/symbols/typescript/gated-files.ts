import { dirname, join } from 'node:path'
import { type ApprovedPath, type FileStat, ifPossible, type VerbContext } from '../../../../0-contracts/src/index.js'
import { readText, checkSignal, CLOCK_STEP_MS, approveIfAllowed } from '../../../../2-files/src/index.js'
import type { TypeScript } from './load-typescript.js'

/** Most files read for one call, so that no project exhausts memory. */
const MOST_FILES = 20_000

/**
 * The files that the language service sees: those the path gate allows, and outside only TypeScript's own library.
 * Everything else does not exist for it.
 */
export class GatedFiles {
  readonly #system: TypeScript['sys'] | undefined
  readonly #library: string | undefined
  #read = 0

  /** @param ts absent if its library is read elsewhere */
  constructor(private readonly context: VerbContext, ts?: TypeScript) {
    this.#system = ts?.sys
    this.#library = ts && dirname(ts.getDefaultLibFilePath({}))
  }

  /** False in a dry run, where modification times do not show changes. */
  get isOnDisk(): boolean {
    return !this.context.dryRun
  }

  /** Size and modification times of a file; `''` where there is none. */
  stampOf(path: string): { stamp: string; mtimeMs?: number } {
    const stat = this.#stat(path)
    if (stat?.kind !== 'file') return { stamp: '' }
    const { size, mtimeMs, ctimeMs = 0 } = stat
    return { stamp: `${size} ${mtimeMs} ${ctimeMs}`, mtimeMs }
  }

  /** As `stampOf`, if that proves the file's content; for a file changed just now a unique text each time. */
  provenStampOf(path: string): string {
    const { stamp, mtimeMs } = this.stampOf(path)
    return mtimeMs !== undefined && Date.now() - mtimeMs <= CLOCK_STEP_MS ? `${stamp} ${Math.random()}` : stamp
  }

  /** Time of the last change of a directory's names, in milliseconds since the epoch. */
  mtimeOf(directory: string): number | undefined {
    const stat = this.#stat(directory)
    return stat?.kind === 'directory' ? stat.mtimeMs : undefined
  }

  namesIn(directory: string): string[] {
    const approved = this.approve(directory)
    return ifPossible(() => approved ? this.context.files.list(approved).map(({ name }) => name) : [], [])
  }

  isLibrary(path: string): boolean {
    return dirname(path) === this.#library && /\/lib\.[^/]*d\.ts$/.test(path)
  }

  readonly fileExists = (path: string): boolean => (
    this.isLibrary(path) ? this.#system?.fileExists(path) === true : this.#stat(path)?.kind === 'file'
  )

  readonly directoryExists = (path: string): boolean => this.#stat(path)?.kind === 'directory'

  readonly readFile = (path: string): string | undefined => {
    checkSignal(this.context.signal)
    if (this.isLibrary(path)) return this.#system?.readFile(path)
    const approved = this.approve(path)
    if (approved === undefined || this.#read === MOST_FILES) return undefined
    this.#read++
    // It counts as missing, like all that cannot be read.
    return ifPossible(() => {
      const text = readText(this.context.files, approved, this.context.limits.maxFileBytes, path)
      return text.startsWith('\ufeff') ? text.slice(1) : text
    }, undefined)
  }

  readonly getDirectories = (path: string): string[] => {
    const approved = this.approve(path)
    if (approved === undefined || !this.directoryExists(path)) return []
    return this.context.files.list(approved)
      .filter(({ name, kind }) => kind === 'directory' || (kind === 'link' && this.directoryExists(join(path, name))))
      .map(({ name }) => name)
  }

  readonly realpath = (path: string): string => this.approve(path) ?? path

  approve(path: string): ApprovedPath | undefined {
    return approveIfAllowed(this.context.gate, path, 'read')
  }

  #stat(path: string): FileStat | undefined {
    const approved = this.approve(path)
    return approved && this.context.files.stat(approved)
  }
}
