import { countBreaks } from '../../../0-text/src/index.js'
import { foundOwnEnd } from './block-end.js'
import type { BlockItem, ScanItem, SkippedItem } from './items.js'
import type { Place } from './place.js'
import type { Opener } from './radar/openers.js'
import { Radar } from './radar/radar.js'
import { SECTION_REASONS } from './section-kinds.js'

/** Something that begins an action, or nearly does, and what became of it. */
interface Sighted {
  row: Opener
  line: number
  /** 1-based UTF-16. */
  column: number
  /** Absolute offset of its line. */
  start: number
  /** `undefined` where its line was not read by itself. */
  place: Place | undefined
  /** An item tells of it. */
  isTold: boolean
}

/**
 * Keeps the law of reading (contract section 1): whatever the radar sights is a block, an error or a skipped entry of
 * its own, or lies inside a block whose own end was found. The radar knows nothing of the scanner's states, and this
 * only its items and, for each sighted line, the place it was read at; what no item tells of is told here when the
 * text has ended.
 */
export class Ledger {
  readonly #radar = new Radar()
  readonly #emit: (item: ScanItem) => void
  readonly #sighted: Sighted[] = []
  /** Index of the next whose line is still to be read. */
  #next = 0

  constructor(emit: (item: ScanItem) => void) {
    this.#emit = emit
  }

  /** Looks through the next lines, of which the first is `line`; `base` is the absolute offset of their start. */
  look(text: string, base: number, line: number): void {
    let [counted, at] = [line, 0]
    for (const { row, at: index, lineStart } of this.#radar.sightings(text, 0, text.length)) {
      counted += countBreaks(text, at, lineStart)
      at = lineStart
      this.#sighted.push({
        row, line: counted, column: index - lineStart + 1, start: base + lineStart, place: undefined, isTold: false,
      })
    }
  }

  /** Absolute offset of the next line at or after `from` with a sighting: it is to be read by itself. */
  nextFrom(from: number): number {
    while (this.#next < this.#sighted.length && this.#sighted[this.#next]!.start < from) this.#next++
    return this.#sighted[this.#next]?.start ?? Infinity
  }

  /** The line at the absolute offset `start` is read at this place. */
  place(start: number, place: Place): void {
    for (let index = this.#indexOf(start, 'start'); this.#sighted[index]?.start === start; index++) {
      this.#sighted[index]!.place = place
    }
  }

  /** Reading has gone back to `start`. */
  back(start: number): void {
    this.#next = this.#indexOf(start, 'start')
  }

  /** Notes what an item tells of, and passes it on. */
  take(item: ScanItem): void {
    if (this.#sighted.length > 0) this.#note(item)
    this.#emit(item)
  }

  #note(item: ScanItem): void {
    if (item.kind === 'stray-section-end') {
      this.#hide(item.since + 1, item.line, SECTION_REASONS[item.role])
      return
    }
    const { startLine, endLine, reason } = item.kind === 'skipped' ? item.block : { ...item, reason: undefined }
    if (item.kind === 'section-error') this.#tell(startLine, startLine)
    else if (hasOwnEnd(item)) this.#tell(startLine, endLine)
    else {
      this.#tell(startLine, startLine)
      this.#hide(startLine + 1, endLine, reason ?? `inside the block of line ${startLine}, whose end is in doubt`)
    }
  }

  #tell(first: number, last: number): void {
    for (let index = this.#indexOf(first, 'line'); (this.#sighted[index]?.line ?? Infinity) <= last; index++) {
      this.#sighted[index]!.isTold = true
    }
  }

  #hide(first: number, last: number, reason: string): void {
    for (let index = this.#indexOf(first, 'line'); (this.#sighted[index]?.line ?? Infinity) <= last; index++) {
      this.#sighted[index]!.place = { reason, source: '' }
    }
  }

  /** The text has ended: tells of what no item told of. */
  end(): void {
    for (const sighted of this.#sighted) {
      const { isTold, line, place, row } = sighted
      if (isTold || place === undefined) continue
      if (place.reason === '' && row.certain) this.#emit(notRead(sighted, place.source))
      else {
        const reason = place.reason === '' ? `${row.name} is not read` : place.reason
        this.#emit({ kind: 'skipped', block: { startLine: line, endLine: line, reason } })
      }
    }
    this.#sighted.length = 0
  }

  /** Index of the first at or after `value`. */
  #indexOf(value: number, key: 'line' | 'start'): number {
    let low = 0
    let high = this.#sighted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sighted[middle]![key] < value) low = middle + 1
      else high = middle
    }
    return low
  }
}

function hasOwnEnd(item: BlockItem | SkippedItem): boolean {
  if (item.isOpen) return false
  return item.kind === 'skipped' || foundOwnEnd(item.errors)
}

function notRead({ row, line, column }: Sighted, source: string): ScanItem {
  return {
    kind: 'near-miss', startLine: line, endLine: line, source,
    errors: [{
      code: 'NOT_READ', message: `${row.name} is not read`, line, column, length: row.find.length, hint: row.hint,
    }],
  }
}
