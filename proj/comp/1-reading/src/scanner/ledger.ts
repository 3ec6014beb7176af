import { EDIT_FORMATS, type ReadFormat } from '../../../0-contracts/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import type { BlockItem, ScanItem, SkippedItem } from './items.js'
import { foundOwnEnd } from './own-end.js'
import { BLOCK_HINT, EDIT_OPENERS, OPENERS, Radar, START_HINT, type Marks, type Opener } from './radar/index.js'
import { SECTION_REASONS } from './section-kinds.js'

/** Where a line stands. */
interface Place {
  /** Why what it holds is quoted; `''` where it is live. */
  reason: string
  /** The line. */
  source: string
}

/** Something that begins an action, or nearly does, and what became of it. */
interface Sighted {
  row: Opener
  isMidLine: boolean
  line: number
  /** The last line of its action, where its end was seen. */
  endLine: number
  /** Where its action is over at the latest: that line, or the next opener's of its row. */
  overLine: number
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
  readonly #radar: Radar
  readonly #formats: ReadonlySet<ReadFormat>
  readonly #emit: (item: ScanItem) => void
  #sighted: Sighted[] = []
  /** Sightings before this one are settled. */
  #head = 0
  /** The last whose action may hold others. */
  #outer: Sighted | undefined
  /** The last of each row whose end is still to come. */
  readonly #unended = new Map<Opener, Sighted>()
  /** Index of the next whose line is still to be read. */
  #next = 0

  /**
   * @param formats edit formats that are read, which are looked for as well
   * @param marks where the scanner looks up the signs of the text as well
   */
  constructor(emit: (item: ScanItem) => void, formats: ReadonlySet<ReadFormat>, marks: Marks) {
    this.#emit = emit
    this.#formats = formats
    this.#radar = new Radar([...OPENERS, ...EDIT_FORMATS.flatMap((format) => (
      formats.has(format) ? EDIT_OPENERS[format] : []))], marks)
  }

  /**
   * Looks through the next lines; `base` is the absolute offset of their start.
   * @param firstLine counts the number of the first of them
   */
  look(text: string, base: number, firstLine: () => number): void {
    const sightings = this.#radar.sightings(text, 0, text.length)
    if (sightings.length === 0 && this.#unended.size === 0) return
    const line = firstLine()
    /** Up to where the end of each row's last action was looked for in this text. */
    const looked = new Map<Opener, { at: number; line: number }>()
    let [counted, at] = [line, 0]
    for (const { row, at: index, lineStart, isMidLine } of sightings) {
      counted += countBreaks(text, at, lineStart)
      at = lineStart
      const sighted = {
        row, isMidLine, line: counted, endLine: counted, overLine: counted, column: index - lineStart + 1,
        // The scanner begins behind a byte order mark.
        start: base + lineStart + (base + lineStart === 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0),
        place: undefined, isTold: false,
      }
      this.#sighted.push(sighted)
      if (row.ends === undefined || row.fenced) continue
      // The next of its row ends it at the latest.
      this.#findEnd(row, text, looked.get(row) ?? { at: 0, line }, index)
      const before = this.#unended.get(row)
      if (before) before.overLine = counted
      sighted.overLine = Infinity
      this.#unended.set(row, sighted)
      looked.set(row, { at: index + row.find.length, line: counted })
    }
    for (const row of this.#unended.keys()) this.#findEnd(row, text, looked.get(row) ?? { at: 0, line }, text.length)
  }

  #findEnd(row: Opener, text: string, from: { at: number; line: number }, to: number): void {
    const sighted = this.#unended.get(row)
    if (!sighted) return
    const end = text.slice(from.at, to).indexOf(row.ends!)
    if (end < 0) return
    sighted.endLine = from.line + countBreaks(text, from.at, from.at + end)
    sighted.overLine = sighted.endLine
    this.#unended.delete(row)
  }

  /** Absolute offset of the next line at or after `from` with a sighting: it is to be read by itself. */
  nextFrom(from: number): number {
    while (this.#next < this.#sighted.length && this.#sighted[this.#next]!.start < from) this.#next++
    return this.#sighted[this.#next]?.start ?? Infinity
  }

  /** The number of that line. */
  get nextLine(): number {
    return this.#sighted[this.#next]!.line
  }

  /** The line at the absolute offset `start` is read at this place. */
  place(start: number, place: Place): void {
    this.nextFrom(start)
    for (let index = this.#next; this.#sighted[index]?.start === start; index++) this.#sighted[index]!.place = place
  }

  /** Reading has gone back to `start`. */
  back(start: number): void {
    this.#next = this.#indexOf(start, 'start')
  }

  /** Notes what an item tells of, and passes it on. What stands before it is settled by then. */
  take(item: ScanItem): void {
    if (this.#sighted.length > 0) {
      if (item.kind !== 'stray-section-end' && item.kind !== 'section-error') {
        this.#settle(item.kind === 'skipped' ? item.block.startLine : item.startLine)
      }
      this.#note(item)
    }
    this.#emit(item)
  }

  #note(item: ScanItem): void {
    if (item.kind === 'stray-section-end') {
      this.#hide(item.since + 1, item.line, SECTION_REASONS[item.role])
      return
    }
    const reason = item.kind === 'skipped' ? item.block.reason : undefined
    const { startLine, endLine } = item.kind === 'skipped' ? item.block : item
    if (item.kind === 'section-error') this.#tell(startLine, startLine)
    else if (hasOwnEnd(item)) this.#tell(startLine, endLine)
    else {
      const openerLine = item.kind === 'dialect-call' ? item.sentinelLine : startLine
      this.#tell(startLine, openerLine)
      this.#hide(openerLine + 1, endLine, reason ?? `inside the block of line ${startLine}, whose end is in doubt`)
    }
  }

  #tell(first: number, last: number): void {
    for (let index = this.#indexOf(first, 'line'); (this.#sighted[index]?.line ?? Infinity) <= last; index++) {
      const sighted = this.#sighted[index]!
      sighted.isTold = true
      // A place's line keeps the text around it in memory.
      sighted.place = undefined
    }
  }

  #hide(first: number, last: number, reason: string): void {
    for (let index = this.#indexOf(first, 'line'); (this.#sighted[index]?.line ?? Infinity) <= last; index++) {
      this.#sighted[index]!.place = { reason, source: '' }
    }
  }

  /** The text has ended: tells of what no item told of. */
  end(): void {
    this.#unended.clear()
    this.#settle(Infinity)
  }

  /** Tells of the sightings before `line` that no item told of, up to the first whose action goes on there. */
  #settle(line: number): void {
    for (; this.#head < this.#sighted.length; this.#head++) {
      const sighted = this.#sighted[this.#head]!
      if (sighted.line >= line) break
      if (!sighted.isTold && line !== Infinity && this.#goesOn(sighted, line)) break
      this.#tellOf(sighted)
    }
    // Not each time: what is settled is taken out in large pieces.
    if (this.#head < MANY || this.#head * 2 < this.#sighted.length) return
    this.#sighted = this.#sighted.slice(this.#head)
    this.#next = Math.max(0, this.#next - this.#head)
    this.#head = 0
  }

  /** Its action is not over before `line`, however much of the text behind that was looked through. */
  #goesOn(sighted: Sighted, line: number): boolean {
    return line - sighted.line < MOST_LINES && sighted.overLine >= line
  }

  #tellOf(sighted: Sighted): void {
    const { isTold, isMidLine, endLine, line, place, row } = sighted
    const outer = this.#outer
    // JSON right below a sentinel is its call's, whether that ends or not.
    const last = row.isInside ? Math.max(outer?.endLine ?? 0, (outer?.line ?? 0) + 1) : outer?.endLine
    if (outer && line <= last! && outer.row.holds?.includes(row.name)) return
    if (row.holds) this.#outer = sighted
    // In a quote only what stands first on its line would be an action.
    if (isTold || place === undefined || (isMidLine && place.reason !== '')) return
    let next = this.#head + 1
    while (row.holds?.includes(this.#sighted[next]?.row.name ?? '')) next++
    const end = Math.min(endLine, (this.#sighted[next]?.line ?? Infinity) - 1)
    const isRead = row.isRead === true || (row.dialect !== undefined && this.#formats.has(row.dialect))
    this.#emit(itemOf({ ...sighted, endLine: Math.max(line, end) }, place, isRead))
  }

  /** Index of the first at or after `value`. */
  #indexOf(value: number, key: 'line' | 'start'): number {
    let low = this.#head
    let high = low
    // Mostly one of the next few.
    for (let step = 1; high < this.#sighted.length && this.#sighted[high]![key] < value; step *= 2) {
      low = high + 1
      high += step
    }
    high = Math.min(high, this.#sighted.length)
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sighted[middle]![key] < value) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** An action that has not ended by then is not waited for. */
const MOST_LINES = 10_000

/** Fewer settled sightings are kept. */
const MANY = 100

function hasOwnEnd(item: BlockItem | SkippedItem): boolean {
  if (item.isOpen) return false
  return item.kind === 'skipped' || foundOwnEnd(item.errors)
}

function itemOf(
  { row, line, endLine, column, isMidLine }: Sighted, { reason, source }: Place, isRead: boolean,
): ScanItem {
  const what = `${row.kind === 'own' ? 'block' : 'action'} in the format of ${row.name} (${row.find.trim()})`
  if (reason !== '' || !row.certain) {
    const flag = row.dialect === undefined || isRead ? '' : ` without --dialect ${row.dialect}`
    const why = reason || row.says || `looks like an ${what}, which is not read${flag}`
    return { kind: 'skipped', block: { startLine: line, endLine, reason: why } }
  }
  const told = !isRead ? { message: `${row.kind === 'own' ? 'A' : 'An'} ${what} is not read`, hint: row.hint }
    // It stands there: what follows it is none of the form.
    : !isMidLine ? { message: `This ${what} is not written as it is read`, hint: BLOCK_HINT }
      : { message: `A call in the format of ${row.name} counts only at the start of a line`, hint: START_HINT }
  const error = { ...told, code: isRead ? 'NOT_LIVE' : 'NOT_READ', line, column, length: row.find.length } as const
  return { kind: 'near-miss', startLine: line, endLine, source, errors: [error] }
}
