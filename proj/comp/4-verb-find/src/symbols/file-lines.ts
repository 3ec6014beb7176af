import { ifPossible, type VerbContext } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { readText } from '../../../2-files/src/index.js'
import type { IndexedFile } from '../../../3-code-index/src/index.js'
import { excerpt, linesOf } from './symbol-lines.js'

/** Shows lines of files as they are now, reading each file once, and notes files that differ from the index. */
export class FileLines {
  /** Paths of files that differ from the index. */
  readonly stale = new Set<string>()
  readonly #lines = new Map<string, string[]>()

  constructor(private readonly context: VerbContext) {}

  /** @returns `undefined` where the name is not at this place */
  at(file: IndexedFile, { name, line, column }: { name: string; line: number; column: number }): string | undefined {
    const lines = this.#linesOf(file)
    if (lines[line - 1]?.startsWith(name, column - 1) === true || name.includes('\n')) return excerpt(lines, line, line)
    this.stale.add(file.path)
    return undefined
  }

  #linesOf({ path, shown }: IndexedFile): string[] {
    const { files, limits } = this.context
    return valueAt(this.#lines, path, () => (
      ifPossible(() => linesOf(readText(files, path, limits.maxFileBytes, shown)), [])
    ))
  }
}
