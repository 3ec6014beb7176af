import type { EditFormat, ReadFormat } from '../../../0-contracts/src/index.js'
import type { Dialect as CallDialect } from '../dialects/index.js'
import type { CallEnd } from './calls/call-end.js'
import type { ListItem } from './containers.js'
import type { OpenDialect } from './calls/dialect-state.js'
import type { DiffStart, FenceEdits, OpenEdit } from './edits/edit-state.js'
import { OpenerSearch } from './false-breaks.js'
import type { FenceOpener } from './fences.js'
import { readEndMarker, readHeader, type EndMarker, type Header } from './grammar.js'
import { SOURCE_LIMIT, type BodyLine, type Dialect, type NearMissItem, type ScanError, type ScanItem } from './items.js'
import type { QuotedHeredocs } from './heredocs/quoted-heredocs.js'
import { Ledger } from './ledger.js'
import { Landmarks } from './landmarks.js'
import { LineNumber } from './line-number.js'
import type { QuotedBlock, QuotedBlocks } from './quoted-blocks.js'
import { Marks } from './radar/index.js'
import type { SectionKind, ThoughtTag } from './section-kinds.js'
import { SourceWindow } from './source-window.js'
import type { TerminatorIndex } from './heredocs/terminators.js'
import { TextAbove } from './edits/text-above.js'

/** An open fence that is not an envelope's. */
export interface OpenFence extends FenceOpener {
  indent: number
  startLine: number
  live: boolean
  /** Its info string nearly is an envelope's. */
  nearEnvelope: boolean
  /** Inside a live fence: the fence being shown, whose lines are quoted. */
  inner: FenceOpener | undefined
  quotes: QuotedBlocks | undefined
  edits: FenceEdits
  /** Lines before its first edit, a path or comments. */
  preamble: number
  /** Told of: it holds a block of a format that is not enabled. */
  noticed: EditFormat | undefined
  /** It would be this file, and whole files are not read. */
  namesFile: string | undefined
  /** It is a diff's by its language, and diffs are not read. */
  isDiff: boolean
  /** An opener inside it closes with it: blocks below that are recognised. */
  showsBlocks: boolean
  /** Blocks it hid, not yet reported as errors. */
  hidden: QuotedBlock[]
}

export interface OpenEnvelope extends FenceOpener {
  indent: number
  startLine: number
  start: number
  contentStart: number
  /** As of `OpenBlock`. */
  isTooLong?: true
  /** The line of the first header or call in the fence's own column, which no envelope holds. */
  foreign?: number
  /** The first line there that begins anything else: reading goes on with it if the fence never ends. */
  resume?: { at: number; line: number }
}

export interface OpenHeredoc {
  delimiter: string
  line: number
  column: number
  /** The opener line ended in CRLF, so the value's last line break is one too. */
  crlf: boolean
  contentStart: number
  /** The body line that receives the value; absent when the opener is malformed and only recognised. */
  target: BodyLine | undefined
  /** What its content may quote, as far as it was looked through. */
  quoted: QuotedHeredocs
  /** Absolute. */
  lookedTo: number
}

export interface OpenBlock {
  dialect: Dialect
  id: string | undefined
  startLine: number
  start: number
  /** Columns the header stands in; at most as many are stripped from each line. */
  column: number
  inFence: boolean
  /** A line of it alone is longer than `ScanState.longest`. */
  isTooLong?: true
  /** Opened by a line that only resembles a header: recognised, never run. */
  nearMiss: boolean
  /** Only shown: recognised, and listed as skipped by these. */
  quotes?: QuotedBlocks
  body: BodyLine[]
  errors: ScanError[]
  heredoc: OpenHeredoc | undefined
  /** The text ended with the block open. */
  atEnd?: true
  /** Something else ended it. */
  isOpen?: true
}

export interface OpenCall {
  startLine: number
  start: number
  /** Where its line starts. */
  lineStart: number
  contentStart: number
  contentOffset: number
  /** What stands before the tag on its line; `undefined` where it is long. */
  before: string | undefined
  end: CallEnd
  /** Where reading resumes if this turns out to be no call, or one that balanced without a closing tag. */
  resume: { at: number; line: number }
  /** A fence opened between the tag and its object. */
  isFenced?: boolean
}

/** A think or echo section, or a comment. */
export interface OpenSection {
  /** For messages. */
  name: string
  closers: readonly string[]
  /** Absent for a comment, and for a thought that was open before the text began. */
  kind: SectionKind | undefined
  reason: string
  startLine: number
  column: number
  quotes: QuotedBlocks
}

/** Lines of one kind that quote what stands in them; over when a line of another kind comes. */
export interface Aside {
  kind: 'blockquote' | 'indented'
  quotes: QuotedBlocks
}

/**
 * Everything the line states share. Indices (`at`, `end`, …) count from the region's start, `abs()` from the start of
 * the whole text.
 */
export class ScanState {
  readonly source = new SourceWindow()
  readonly ledger: Ledger
  readonly emit: (item: ScanItem) => void
  /** Next index to read. */
  pos = 0
  readonly lineNumber: LineNumber
  /** The current line: its start, where reading of it stands, end without line break, start of the next. */
  lineStart = 0
  at = 0
  end = 0
  next = 0
  list: ListItem[] = []
  /** The last line was paragraph text of the innermost container. */
  paragraph = false
  aside: Aside | undefined
  fence: OpenFence | undefined
  envelope: OpenEnvelope | undefined
  block: OpenBlock | undefined
  /** The last block, where it lacks its end marker, and the line that ended it. */
  lastUnclosed: { dialect: Dialect; id: string; endLine: number; next: string } | undefined
  call: OpenCall | undefined
  dialect: OpenDialect | undefined
  /** Where a call could have begun, and none of these dialects had one: absolute. */
  rejected: { at: number; dialects: readonly CallDialect[] } | undefined
  /** What the harness of the last call writes below it. */
  resultMark: string | undefined
  /** How much of the text may still be read again behind values that never end, in UTF-16 units. */
  rereadable = 64 * 1024 * 1024
  /** Edit formats that are read; blocks of others are only told of. */
  readonly formats: ReadonlySet<ReadFormat>
  edit: OpenEdit | undefined
  /** The path of the last SEARCH/REPLACE block, which the next may leave out. */
  editPath: string | undefined
  /** Absolute offset of the end of the last edit: what stands before says nothing about the next. */
  editFloor = 0
  /** The last line that names the old file of a diff. */
  diffStart: DiffStart | undefined
  readonly above = new TextAbove()
  /** Right after a closing tag another call stands at `at`. */
  callNext = false
  section: OpenSection | undefined
  comment: OpenSection | undefined
  /** Where the last comment opened: all of its line is quoted. */
  commentLine = 0
  /** Where the last echo section of each name ended: a closer of it that comes again may end it too. */
  readonly echoEnds = new Map<string, number>()
  /** Built when a heredoc was still open at the end of the text. */
  index: TerminatorIndex | undefined
  /** The answer was cut off inside a block: nothing after it is read. */
  cutOff = false
  /** Index of the next `<`, cached; below `at` when stale. */
  nextAngle = -1
  readonly landmarks: Landmarks
  readonly openers = new OpenerSearch()
  /** Up to here each line is read by itself. */
  readUntil = 0

  /** Absolute: where a header and an end marker were looked for last, and what stood there. */
  #headerAt = -1
  #header: Header | undefined
  #endMarkerAt = -1
  #endMarker: EndMarker | undefined

  /** See `LONGEST`. */
  readonly longest: number

  onThought: ((tag: ThoughtTag) => void) | undefined

  constructor(emit: (item: ScanItem) => void, formats: ReadonlySet<ReadFormat>, longest: number) {
    const marks = new Marks()
    this.ledger = new Ledger(emit, formats, marks)
    this.lineNumber = new LineNumber(this.source, this.ledger)
    this.emit = (item) => this.ledger.take(item)
    this.longest = longest
    this.formats = formats
    this.landmarks = new Landmarks(this.formats, marks)
  }

  get region(): string {
    return this.source.region
  }

  /** The number of the current line, or of the last that was passed over. */
  get line(): number {
    return this.lineNumber.value
  }

  abs(index: number): number {
    return this.source.base + index
  }

  /** Index of the current line's first character at or after `from` that is no white space; else the line's end. */
  skipBlanks(from: number): number {
    let at = from
    while (at < this.end && this.region.charCodeAt(at) <= 0x20) at++
    return at
  }

  /** Passes over all up to `index`, where a line ends, or the text. */
  passTo(index: number): void {
    this.pos = index
    this.lineNumber.passTo(this.abs(index))
  }

  /** Passes over all the rest of the text; the current line is its last then. */
  passToEnd(): void {
    this.passTo(this.region.length)
    if (this.region !== '' && !this.region.endsWith('\n')) this.lineNumber.begin(this.abs(this.pos), false)
  }

  /** Goes on reading at the start of another line, which may lie before the region. */
  resumeAt(at: number, line: number): void {
    if (at < this.source.base) this.source.widen()
    this.pos = at - this.source.base
    this.lineNumber.set(at, line)
    this.passTo(this.pos)
    this.nextAngle = -1
    this.readUntil = 0
    this.ledger.back(at)
  }

  /** The text from `start` to `end` (absolute), no more than error messages can carry. */
  sourceText(start: number, end: number): string {
    return this.source.slice(start, Math.min(end, start + SOURCE_LIMIT))
  }

  /** The header that begins at `at` of the current line. A line is looked at for several states: the last is kept. */
  headerAt(at: number): Header | undefined {
    const place = this.abs(at)
    if (place !== this.#headerAt) this.#header = readHeader(this.region.slice(at, this.end))
    this.#headerAt = place
    return this.#header
  }

  /** The end marker there, likewise. */
  endMarkerAt(at: number): EndMarker | undefined {
    const place = this.abs(at)
    if (place !== this.#endMarkerAt) this.#endMarker = readEndMarker(this.region.slice(at, this.end))
    this.#endMarkerAt = place
    return this.#endMarker
  }

  /** An error at the current line. */
  error(code: ScanError['code'], message: string, index: number, length: number, hint?: string): ScanError {
    const column = index - this.lineStart + 1
    return hint === undefined ? { code, message, line: this.line, column, length }
      : { code, message, line: this.line, column, length, hint }
  }

  /** A lone line that nearly is a marker; what it belongs to may begin above it. */
  nearMiss(error: ScanError, blockId?: string, startLine = this.line): void {
    const source = this.sourceText(this.abs(this.lineStart), this.abs(this.end))
    const item: NearMissItem = { kind: 'near-miss', startLine, endLine: this.line, source, errors: [error] }
    if (blockId !== undefined) item.blockId = blockId
    this.emit(item)
  }

  /** Opens or continues an aside of this kind; ends any other. */
  asideOf(kind: Aside['kind'], open: () => QuotedBlocks): QuotedBlocks {
    if (this.aside?.kind !== kind) {
      this.endAside()
      this.aside = { kind, quotes: open() }
    }
    return this.aside!.quotes
  }

  endAside(): void {
    this.aside?.quotes.close(this.line - 1)
    this.aside = undefined
  }
}
