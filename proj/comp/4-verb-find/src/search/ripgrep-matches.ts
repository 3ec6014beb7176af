import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { comparePaths } from './compare-paths.js'
import { lineExcerpt } from './cut-line.js'
import { type RipgrepPaths, ripgrepPaths } from './ripgrep-paths.js'
import type { RipgrepRecord } from './ripgrep-records.js'
import type { FoundMatch, SearchOutcome, SearchRequest } from './search-request.js'
import { linesAt } from './lines-at.js'

/** Collects ripgrep's matches that the path gate and the request allow. */
export class RipgrepMatches {
  readonly #paths: RipgrepPaths
  /** By path relative to the start; `undefined` for files that are excluded. */
  readonly #files = new Map<string, { path: ApprovedPath; records: RipgrepRecord[] } | undefined>()
  #unreadable: string[] = []
  #count = 0

  /**
   * @param prefix that ripgrep writes before the relative path
   * @param enough how many to collect, more than those of the request
   */
  constructor(
    private readonly request: SearchRequest, prefix: string, private readonly enough: number,
    private readonly context: VerbContext,
  ) {
    this.#paths = ripgrepPaths(request, prefix, context)
  }

  get isFull(): boolean {
    return this.#count >= this.enough
  }

  add(record: RipgrepRecord): void {
    if (this.isFull) return
    const relative = this.#paths.relativeOf(record.path)
    if (relative === undefined) return
    const file = valueAt(this.#files, relative, () => {
      const accepted = this.#paths.accept(relative)
      return accepted && { path: accepted.path, records: [] }
    })
    if (file === undefined) return
    // Copied, so that the whole piece can be freed.
    file.records.push({ ...record, text: record.text && Buffer.from(record.text) })
    this.#count++
  }

  /** Removes the matches of a file that turned out not to be text. */
  drop(path: string): void {
    const relative = this.#paths.relativeOf(path)
    if (relative === undefined) return
    this.#count -= this.#files.get(relative)?.records.length ?? 0
    this.#files.set(relative, undefined)
  }

  /** Takes what ripgrep has written to standard error. @throws as `complaints` */
  complain(complained: string): void {
    this.#unreadable = this.#paths.unreadable(complained)
  }

  async outcome(): Promise<SearchOutcome> {
    const { most } = this.request
    const matches: FoundMatch[] = []
    for (const [relative, file] of [...this.#files].sort(([a], [b]) => comparePaths(a, b))) {
      if (file === undefined || matches.length === most) continue
      const records = file.records.slice(0, most - matches.length)
      for (const match of await this.#read(file.path, records)) matches.push({ relative, ...match })
    }
    return { matches, truncated: this.#count > most, unreadable: this.#unreadable }
  }

  /**
   * Reads the matching lines again through the store, since ripgrep follows a link that another program puts in place
   * of a directory while it walks. Lines that have changed are left out.
   */
  async #read(path: ApprovedPath, records: readonly RipgrepRecord[]): Promise<Omit<FoundMatch, 'relative'>[]> {
    const lines = await linesAt(path, new Map(records.map(({ line, offset }) => [line, offset])), this.context)
    return records.flatMap(({ line, offset, text }) => {
      const place = lines.get(line)
      if (place?.at !== undefined) {
        return { line, column: place.from + place.at + 1, text: lineExcerpt(place.text, place.at) }
      }
      const shown = place?.text
      const printed = text?.toString('utf8').replace(/\r$/, '')
      if (shown === undefined || (printed !== undefined && printed !== shown)) return []
      const at = offset === undefined ? shown.length : (text ?? Buffer.from(shown)).toString('utf8', 0, offset).length
      return { line, column: at + 1, text: lineExcerpt(shown, at) }
    })
  }
}
