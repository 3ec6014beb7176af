import { EDIT_FORMATS, type ReadFormat } from '../../../0-contracts/src/index.js'
import { countBreaks, lowerBound } from '../../../0-text/src/index.js'
import type { ScanItem } from './items.js'
import { foundOwnEnd } from './own-end.js'
import { BLOCK_HINT, EDIT_OPENERS, OPENERS, Radar, START_HINT, type Marks, type Opener } from './radar/index.js'
import { SECTION_REASONS } from './section-kinds.js'

/** Context of a line. */
interface Place {
  /** Why its content is quoted; `''` where it is live. */
  reason: string
  /** Text of the line. */
  source: string
}

/** A sighting of the radar (something that begins or nearly begins an action), and what became of it. */
interface Sighted {
  row: Opener
  isMidLine: boolean
  line: number
  /** Last line of its action, if the end was seen. */
  endLine: number
  /** Line where its action ends at the latest: `endLine`, or before the next opener of the same row. */
  overLine: number
  /** 1-based, in UTF-16 units. */
  column: number
  /** Absolute offset of its line. */
  start: number
  /** `undefined` where the scanner did not read its line individually. */
  place: Place | undefined
  /** An item accounts for it. */
  isTold: boolean
}

/**
 * Enforces the law of reading (proj/doc/READING.md): each sighting of the radar is a block, an error or a skipped entry
 * of its own, or lies inside a block whose end was found. The radar does not know the scanner's states; the ledger only
 * knows its items and the context of each sighted line. Sightings that no item accounts for are reported at the end of
 * the text.
 */
export class Ledger {
  readonly #radar: Radar
  #sighted: Sighted[] = []
  /** Sightings before this index are settled. */
  #head = 0
  /** The last sighting whose action may contain others. */
  #outer: Sighted | undefined
  /** By row, the last sighting whose end was not found yet. */
  readonly #unended = new Map<Opener, Sighted>()
  /** Index of the next sighting whose line has not been read. */
  #next = 0

  /**
   * @param formats edit formats that are read, whose openers are searched as well
   * @param marks positions of signs in the text, shared with the scanner
   */
  constructor(
    private readonly emit: (item: ScanItem) => void, private readonly formats: ReadonlySet<ReadFormat>, marks: Marks,
  ) {
    this.#radar = new Radar([...OPENERS, ...EDIT_FORMATS.flatMap((format) => (
      formats.has(format) ? EDIT_OPENERS[format] : []))], marks)
  }

  /**
   * Searches the next lines for openers.
   *
   * @param base absolute offset of their start
   * @param firstLine returns the number of the first line
   */
  look(text: string, base: number, firstLine: () => number): void {
    const sightings = this.#radar.sightings(text, 0, text.length)
    if (sightings.length === 0 && this.#unended.size === 0) return
    const line = firstLine()
    /** For each row, up to where in this text the end of its last action was searched. */
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
      // The next opener of the same row ends it at the latest.
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

  /** Absolute offset of the next line at or after `from` with a sighting, which must be read individually. */
  nextFrom(from: number): number {
    while (this.#next < this.#sighted.length && this.#sighted[this.#next]!.start < from) this.#next++
    return this.#sighted[this.#next]?.start ?? Infinity
  }

  /** Number of that line. */
  get nextLine(): number {
    return this.#sighted[this.#next]!.line
  }

  /** Records the context of the line at the absolute offset `start`. */
  place(start: number, place: Place): void {
    this.nextFrom(start)
    for (let index = this.#next; this.#sighted[index]?.start === start; index++) this.#sighted[index]!.place = place
  }

  /** The scanner went back to `start`. */
  back(start: number): void {
    this.#next = this.#indexOf(start, 'start')
  }

  /** Marks what an item accounts for, and passes it on; everything before it is settled. */
  take(item: ScanItem): void {
    if (this.#sighted.length > 0) {
      if (item.kind !== 'stray-section-end' && item.kind !== 'section-error') {
        this.#settle(item.kind === 'skipped' ? item.block.startLine : item.startLine)
      }
      this.#note(item)
    }
    this.emit(item)
  }

  #note(item: ScanItem): void {
    if (item.kind === 'stray-section-end') {
      this.#hide(item.since + 1, item.line, SECTION_REASONS[item.role])
      return
    }
    const reason = item.kind === 'skipped' ? item.block.reason : undefined
    const { startLine, endLine } = item.kind === 'skipped' ? item.block : item
    if (item.kind === 'section-error') this.#tell(startLine, startLine)
    else if (!item.isOpen && (item.kind === 'skipped' || foundOwnEnd(item.errors))) this.#tell(startLine, endLine)
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
      // A place's line would keep the surrounding text in memory.
      sighted.place = undefined
    }
  }

  #hide(first: number, last: number, reason: string): void {
    for (let index = this.#indexOf(first, 'line'); (this.#sighted[index]?.line ?? Infinity) <= last; index++) {
      this.#sighted[index]!.place = { reason, source: '' }
    }
  }

  /** The text has ended: reports what no item accounts for. */
  end(): void {
    this.#unended.clear()
    this.#settle(Infinity)
  }

  /** Settles the sightings before `line`, up to the first whose action goes on there. */
  #settle(line: number): void {
    for (; this.#head < this.#sighted.length; this.#head++) {
      const sighted = this.#sighted[this.#head]!
      if (sighted.line >= line) break
      if (!sighted.isTold && line !== Infinity && this.#goesOn(sighted, line)) break
      this.#tellOf(sighted)
    }
    // Settled sightings are removed in large batches.
    if (this.#head < MANY || this.#head * 2 < this.#sighted.length) return
    this.#sighted = this.#sighted.slice(this.#head)
    this.#next = Math.max(0, this.#next - this.#head)
    this.#head = 0
  }

  /** Whether its action extends to `line`, however much text behind it was searched. */
  #goesOn(sighted: Sighted, line: number): boolean {
    return line - sighted.line < MOST_LINES && sighted.overLine >= line
  }

  #tellOf(sighted: Sighted): void {
    const { isTold, isMidLine, endLine, line, place, row } = sighted
    const outer = this.#outer
    // JSON right below a sentinel belongs to its call, whether that ends or not.
    const last = row.isInside ? Math.max(outer?.endLine ?? 0, (outer?.line ?? 0) + 1) : outer?.endLine
    if (outer && line <= last! && outer.row.holds?.includes(row.name)) return
    if (row.holds) this.#outer = sighted
    // In quoted text only what is first on its line would be an action.
    if (isTold || place === undefined || (isMidLine && place.reason !== '')) return
    let next = this.#head + 1
    while (row.holds?.includes(this.#sighted[next]?.row.name ?? '')) next++
    const end = Math.min(endLine, (this.#sighted[next]?.line ?? Infinity) - 1)
    const isRead = row.isRead === true || (row.dialect !== undefined && this.formats.has(row.dialect))
    this.emit(itemOf({ ...sighted, endLine: Math.max(line, end) }, place, isRead))
  }

  /** Index of the first sighting at or after `value`. */
  #indexOf(value: number, key: 'line' | 'start'): number {
    let low = this.#head
    let high = low
    // Usually one of the next few.
    for (let step = 1; high < this.#sighted.length && this.#sighted[high]![key] < value; step *= 2) {
      low = high + 1
      high += step
    }
    return lowerBound(low, Math.min(high, this.#sighted.length), (index) => this.#sighted[index]![key] < value)
  }
}

/** Most lines to wait for the end of an action. */
const MOST_LINES = 10_000

/** Fewer settled sightings than this are kept. */
const MANY = 100

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
    // The row's own form is read, so it is malformed here.
    : !isMidLine ? { message: `This ${what} is not written as it is read`, hint: BLOCK_HINT }
      : { message: `A call in the format of ${row.name} counts only at the start of a line`, hint: START_HINT }
  const error = { ...told, code: isRead ? 'NOT_LIVE' : 'NOT_READ', line, column, length: row.find.length } as const
  return { kind: 'near-miss', startLine: line, endLine, source, errors: [error] }
}
