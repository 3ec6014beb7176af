import type { IScriptSnapshot } from 'typescript'
import { CLOCK_STEP_MS } from '../../../../2-files/src/index.js'
import type { GatedFiles } from './gated-files.js'
import type { TypeScript } from './load-typescript.js'

interface Source {
  text: string | undefined
  snapshot: IScriptSnapshot | undefined
  version: number
  /** Size and modification time at the last check. */
  stamp: string
  /** Whether the stamp is old enough to prove the file's content. */
  isProven: boolean
  /** The call in which it was last checked. */
  call: number
}

/** Texts for the language service, with version numbers that change with them. Each file is checked once per call. */
export class SourceVersions {
  readonly #sources = new Map<string, Source>()
  #call = 0
  /** Size of all texts, in UTF-16 units, without TypeScript's own library. */
  chars = 0

  constructor(private readonly ts: TypeScript, private gated: GatedFiles) {}

  /** Called at the beginning of each call: files may have changed. */
  begin(gated: GatedFiles): void {
    this.gated = gated
    this.#call++
  }

  /** Drops files that the service no longer uses. */
  keepOnly(used: ReadonlySet<string>): void {
    for (const [path, { text }] of this.#sources) {
      if (used.has(path)) continue
      this.#sources.delete(path)
      this.chars -= text?.length ?? 0
    }
  }

  version(path: string): string {
    if (this.gated.isLibrary(path)) return 'library'
    const { text, version } = this.#look(path)
    return text === undefined ? '' : String(version)
  }

  text(path: string): string | undefined {
    return this.gated.isLibrary(path) ? this.gated.readFile(path) : this.#look(path).text
  }

  snapshot(path: string): IScriptSnapshot | undefined {
    if (!this.gated.isLibrary(path)) return this.#look(path).snapshot
    const text = this.gated.readFile(path)
    return text === undefined ? undefined : this.ts.ScriptSnapshot.fromString(text)
  }

  #look(path: string): Source {
    const before = this.#sources.get(path)
    if (before?.call === this.#call) return before
    const { stamp, mtimeMs } = this.gated.stampOf(path)
    if (before && before.isProven && before.stamp === stamp && this.gated.isOnDisk) {
      before.call = this.#call
      return before
    }
    const isProven = mtimeMs !== undefined && Date.now() - mtimeMs > CLOCK_STEP_MS
    const text = stamp === '' ? undefined : this.gated.readFile(path)
    const looked = { stamp, isProven, call: this.#call }
    const isSame = before !== undefined && before.text === text
    const source: Source = isSame ? { ...before, ...looked } : {
      text,
      snapshot: text === undefined ? undefined : this.ts.ScriptSnapshot.fromString(text),
      version: (before?.version ?? 0) + 1,
      ...looked,
    }
    this.#sources.set(path, source)
    this.chars += (source.text?.length ?? 0) - (before?.text?.length ?? 0)
    return source
  }
}
