import { join } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { compareNames, approveIfAllowed } from '../../../2-files/src/index.js'
import { lineExcerpt } from './line-excerpt.js'
import type { RipgrepRecord } from './ripgrep-records.js'
import type { FoundMatch, SearchOutcome, SearchRequest } from './search-request.js'
import { linesAt } from './lines-at.js'

/** Collects what ripgrep finds, as far as the gate and the request let it through. */
export class RipgrepMatches {
  readonly #request: SearchRequest
  readonly #prefix: string
  readonly #enough: number
  readonly #context: VerbContext
  /** By path below the start; `undefined` for files that do not count. */
  readonly #files = new Map<string, { path: ApprovedPath; records: RipgrepRecord[] } | undefined>()
  readonly #unreadable = new Set<string>()
  #count = 0

  /**
   * @param prefix what ripgrep writes before the path below the start
   * @param enough how many to collect, at least those of the request and one more
   */
  constructor(request: SearchRequest, prefix: string, enough: number, context: VerbContext) {
    this.#request = request
    this.#prefix = prefix
    this.#enough = enough
    this.#context = context
  }

  get isFull(): boolean {
    return this.#count >= this.#enough
  }

  add(record: RipgrepRecord): void {
    if (this.isFull) return
    const relative = this.#relative(record.path)
    if (relative === undefined) return
    if (!this.#files.has(relative)) this.#files.set(relative, this.#accept(relative))
    const file = this.#files.get(relative)
    if (file === undefined) return
    // The piece it is part of need not be kept.
    file.records.push({ ...record, text: record.text && Buffer.from(record.text) })
    this.#count++
  }

  /** Takes back what was found in a file that is not text. */
  drop(path: string): void {
    const relative = this.#relative(path)
    if (relative === undefined) return
    this.#count -= this.#files.get(relative)?.records.length ?? 0
    this.#files.set(relative, undefined)
  }

  addUnreadable(path: string): void {
    const relative = this.#relative(path)
    if (relative !== undefined && this.#approve(relative) !== undefined) this.#unreadable.add(relative)
  }

  async outcome(): Promise<SearchOutcome> {
    const { most } = this.#request
    const matches: FoundMatch[] = []
    for (const [relative, file] of [...this.#files].sort(([a], [b]) => comparePaths(a, b))) {
      if (file === undefined || matches.length === most) continue
      const records = file.records.slice(0, most - matches.length)
      for (const match of await this.#read(file.path, records)) matches.push({ relative, ...match })
    }
    return { matches, truncated: this.#count > most, unreadable: [...this.#unreadable].sort(comparePaths) }
  }

  #relative(path: string): string | undefined {
    if (this.#request.isFile) return path === this.#prefix ? '' : undefined
    return path.startsWith(this.#prefix) ? path.slice(this.#prefix.length) : undefined
  }

  #accept(relative: string): { path: ApprovedPath; records: RipgrepRecord[] } | undefined {
    if (!this.#request.isFile && !this.#request.includes(relative)) return undefined
    const path = this.#approve(relative)
    return path && { path, records: [] }
  }

  #approve(relative: string): ApprovedPath | undefined {
    const { start, isFile } = this.#request
    return isFile ? start : approveIfAllowed(this.#context.gate, join(start, relative), 'read')
  }

  /**
   * What is shown is what the file store reads again: ripgrep follows a link that another program puts in the place of
   * a directory while it walks. Lines that are not the same any more are left out.
   */
  async #read(path: ApprovedPath, records: readonly RipgrepRecord[]): Promise<Omit<FoundMatch, 'relative'>[]> {
    const found = await linesAt(path, new Map(records.map(({ line, offset }) => [line, offset])), this.#context)
    return records.flatMap(({ line, offset, text }) => {
      const place = found.get(line)
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

/** Name by name, as ripgrep sorts. */
export function comparePaths(a: string, b: string): number {
  return compareNames(a.replaceAll('/', '\0'), b.replaceAll('/', '\0'))
}
