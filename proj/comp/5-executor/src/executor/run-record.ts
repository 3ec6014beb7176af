import type {
  ActionResult, ExecutionResult, OmittedCounts, ParseError, SkippedBlock,
} from '../../../0-contracts/src/index.js'
import { SummaryWriter, type RunSummary, type SummaryPlaces } from '../../../3-transaction/src/index.js'
import { ownCopy } from './own-copy.js'

/**
 * Adds up the result of one run. Its size is bounded where the caller asks: successes are left out first, then the
 * latest entries. Counts and the summary include all.
 */
export class RunRecord {
  readonly result: ExecutionResult = {
    success: true, totalBlocks: 0, executedActions: 0, results: [], parseErrors: [], skipped: [], durationMs: 0,
  }
  readonly #summary: SummaryWriter
  #bytes = 0
  #results = 0
  #parseErrors = 0
  #holdsSuccesses = true

  /** @param mostBytes approximate limit on kept results, parse errors and skipped blocks; may be `Infinity` */
  constructor(private readonly mostBytes: number, places: SummaryPlaces) {
    this.#summary = new SummaryWriter(places)
  }

  /** `seq` of the next result. */
  get nextSeq(): number {
    return this.#results + 1
  }

  addResult(result: ActionResult): void {
    this.#results++
    this.#summary.add(result)
    if (!result.success) this.result.success = false
    if (result.success && !this.#holdsSuccesses) this.#omit('succeeded')
    else this.#hold(this.result.results, result, result.success ? 'succeeded' : 'failed')
  }

  addParseError(error: ParseError): void {
    this.#parseErrors++
    this.result.success = false
    this.#hold(this.result.parseErrors, error, 'parseErrors')
  }

  addSkipped(block: SkippedBlock): void {
    this.#hold(this.result.skipped, block, 'skipped')
  }

  summary(): RunSummary {
    return this.#summary.end(this.#parseErrors)
  }

  /** Sorts by first line: a section is reported only at its end, after things that began later. */
  sort(): void {
    this.result.parseErrors.sort((a, b) => a.startLine - b.startLine)
    this.result.skipped.sort((a, b) => a.startLine - b.startLine)
  }

  #hold<T>(list: T[], item: T, kind: keyof OmittedCounts): void {
    if (this.mostBytes === Infinity) {
      list.push(item)
      return
    }
    const { copy, bytes } = ownCopy(item)
    if (this.#bytes + bytes > this.mostBytes && this.#holdsSuccesses) this.#dropSuccesses()
    if (this.#bytes + bytes > this.mostBytes || (kind === 'succeeded' && !this.#holdsSuccesses)) {
      this.#omit(kind)
      return
    }
    this.#bytes += bytes
    list.push(copy)
  }

  #dropSuccesses(): void {
    this.#holdsSuccesses = false
    const failures = this.result.results.filter(({ success }) => !success)
    for (const result of this.result.results) {
      if (!result.success) continue
      this.#bytes -= ownCopy(result).bytes
      this.#omit('succeeded')
    }
    this.result.results = failures
  }

  #omit(kind: keyof OmittedCounts): void {
    this.result.omitted ??= { succeeded: 0, failed: 0, parseErrors: 0, skipped: 0 }
    this.result.omitted[kind]++
  }
}
