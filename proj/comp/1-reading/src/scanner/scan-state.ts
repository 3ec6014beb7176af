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

/** An open fence other than an envelope's. */
export interface OpenFence extends FenceOpener {
  indent: number
  startLine: number
  live: boolean
  /** Its info string is nearly an envelope's. */
  nearEnvelope: boolean
  /** In a live fence: an inner fence, whose lines are quoted. */
  inner: FenceOpener | undefined
  quotes: QuotedBlocks | undefined
  edits: FenceEdits
  /** Number of lines (path, comments) before its first edit. */
  preamble: number
  /** It contains a block of this format, which is not enabled; already reported. */
  noticed: EditFormat | undefined
  /** The file that it would be, where whole files are not read. */
  namesFile: string | undefined
  /** Its language is a diff's, and diffs are not read. */
  isDiff: boolean
  /** An opener inside closes together with it: blocks below are recognised. */
  showsBlocks: boolean
  /** Hidden blocks that are not reported as errors yet. */
  hidden: QuotedBlock[]
}

export interface OpenEnvelope extends FenceOpener {
  indent: number
  startLine: number
  start: number
  contentStart: number
  /** As in `OpenBlock`. */
  isTooLong?: true
  /** Line of the first header or call in the fence's own column, where an envelope cannot have one. */
  foreign?: number
  /** The first line there that begins anything else: reading resumes there if the fence never ends. */
  resume?: { at: number; line: number }
}

export interface OpenHeredoc {
  delimiter: string
  line: number
  column: number
  /** The opener line ended in CRLF, and so does the value's last line. */
  crlf: boolean
  contentStart: number
  /** The body line that receives the value; absent for a malformed opener. */
  target: BodyLine | undefined
  /** Heredocs quoted by its content, as far as examined. */
  quoted: QuotedHeredocs
  /** Absolute offset up to which the content was examined. */
  lookedTo: number
}

export interface OpenBlock {
  dialect: Dialect
  id: string | undefined
  startLine: number
  start: number
  /** Column of the header; at most that many columns are stripped from each line. */
  column: number
  inFence: boolean
  /** A single line of it is longer than `ScanState.longest`. */
  isTooLong?: true
  /** Opened by a malformed header: recognised, never run. */
  nearMiss: boolean
  /** Set for a block that is only shown: it is recognised and listed as skipped by these. */
  quotes?: QuotedBlocks
  body: BodyLine[]
  errors: ScanError[]
  heredoc: OpenHeredoc | undefined
  /** The text ended inside the block. */
  atEnd?: true
  /** It was ended by something other than its end marker. */
  isOpen?: true
}

export interface OpenCall {
  startLine: number
  start: number
  /** Start of its line. */
  lineStart: number
  contentStart: number
  contentOffset: number
  /** Text before the tag on its line; `undefined` where it is long. */
  before: string | undefined
  end: CallEnd
  /** Where reading resumes if this is no call, or one that was balanced without a closing tag. */
  resume: { at: number; line: number }
  /** A fence opened between the tag and the object. */
  isFenced?: boolean
}

/** A think or echo section, or a comment. */
export interface OpenSection {
  /** Name in messages. */
  name: string
  closers: readonly string[]
  /** Absent for a comment, and for a thought that began before the text. */
  kind: SectionKind | undefined
  reason: string
  startLine: number
  column: number
  quotes: QuotedBlocks
}

/** Consecutive lines of one kind, which quote their content; ended by a line of another kind. */
export interface Aside {
  kind: 'blockquote' | 'indented'
  quotes: QuotedBlocks
}

/**
 * State shared by all line states. Indices (`at`, `end`, …) are relative to the region; `abs()` makes offsets in the
 * whole text.
 */
export class ScanState {
  readonly source = new SourceWindow()
  readonly ledger: Ledger
  readonly emit: (item: ScanItem) => void
  /** Index to read next. */
  pos = 0
  readonly lineNumber: LineNumber
  /** The current line: start, reading position, end without line break, start of the next line. */
  lineStart = 0
  at = 0
  end = 0
  next = 0
  list: ListItem[] = []
  /** Whether the last line was paragraph text of the innermost container. */
  paragraph = false
  aside: Aside | undefined
  fence: OpenFence | undefined
  envelope: OpenEnvelope | undefined
  block: OpenBlock | undefined
  /** The last block, if its end marker is missing, and the line that ended it. */
  lastUnclosed: { dialect: Dialect; id: string; endLine: number; next: string } | undefined
  call: OpenCall | undefined
  dialect: OpenDialect | undefined
  /** Absolute offset where a call could have begun, and the dialects that did not match there. */
  rejected: { at: number; dialects: readonly CallDialect[] } | undefined
  /** What the harness of the last call writes below it. */
  resultMark: string | undefined
  /** Most text to read again behind values that never end, in UTF-16 units. */
  rereadable = 64 * 1024 * 1024
  edit: OpenEdit | undefined
  /** The path of the last SEARCH/REPLACE block, used by a next one without path. */
  editPath: string | undefined
  /** Absolute end of the last edit: text before it does not concern the next. */
  editFloor = 0
  /** The last line that names the old file of a diff. */
  diffStart: DiffStart | undefined
  readonly above = new TextAbove()
  /** Another call begins at `at`, right behind a closing tag. */
  callNext = false
  section: OpenSection | undefined
  comment: OpenSection | undefined
  /** Start of the last comment: its whole line is quoted. */
  commentLine = 0
  /** End of the last echo section by name: a repeated closer may end it later. */
  readonly echoEnds = new Map<string, number>()
  /** Built once a heredoc is open at the end of the text. */
  index: TerminatorIndex | undefined
  /** The answer was cut off inside a block: nothing behind it is read. */
  cutOff = false
  /** Cached index of the next `<`; stale where below `at`. */
  nextAngle = -1
  readonly landmarks: Landmarks
  readonly openers = new OpenerSearch()
  /** Up to this index lines are read one by one. */
  readUntil = 0

  /** Cache: absolute offset of the last search for a header and an end marker, and the results. */
  #headerAt = -1
  #header: Header | undefined
  #endMarkerAt = -1
  #endMarker: EndMarker | undefined

  onThought: ((tag: ThoughtTag) => void) | undefined

  constructor(
    emit: (item: ScanItem) => void,
    /** Enabled edit formats; blocks of others are only reported. */
    readonly formats: ReadonlySet<ReadFormat>,
    /** See `LONGEST`. */
    readonly longest: number,
  ) {
    const marks = new Marks()
    this.ledger = new Ledger(emit, formats, marks)
    this.lineNumber = new LineNumber(this.source, this.ledger)
    this.emit = (item) => this.ledger.take(item)
    this.landmarks = new Landmarks(this.formats, marks)
  }

  get region(): string {
    return this.source.region
  }

  /** Number of the current line, or of the last one skipped. */
  get line(): number {
    return this.lineNumber.value
  }

  abs(index: number): number {
    return this.source.base + index
  }

  /** Index of the first non-blank character at or after `from` in the current line; else the line's end. */
  skipBlanks(from: number): number {
    let at = from
    while (at < this.end && this.region.charCodeAt(at) <= 0x20) at++
    return at
  }

  /** Skips to `index`, the end of a line or of the text. */
  passTo(index: number): void {
    this.pos = index
    this.lineNumber.passTo(this.abs(index))
  }

  /** Skips the rest of the text, whose last line becomes the current one. */
  passToEnd(): void {
    this.passTo(this.region.length)
    if (this.region !== '' && !this.region.endsWith('\n')) this.lineNumber.begin(this.abs(this.pos), false)
  }

  /** Continues reading at the start of another line, which may lie before the region. */
  resumeAt(at: number, line: number): void {
    if (at < this.source.base) this.source.widen()
    this.pos = at - this.source.base
    this.lineNumber.set(at, line)
    this.passTo(this.pos)
    this.nextAngle = -1
    this.readUntil = 0
    this.ledger.back(at)
  }

  /** The text from `start` to `end` (absolute), cut to the length that error messages carry. */
  sourceText(start: number, end: number): string {
    return this.source.slice(start, Math.min(end, start + SOURCE_LIMIT))
  }

  /** The header at `at` of the current line. The last result is cached, since several states ask. */
  headerAt(at: number): Header | undefined {
    const place = this.abs(at)
    if (place !== this.#headerAt) this.#header = readHeader(this.region.slice(at, this.end))
    this.#headerAt = place
    return this.#header
  }

  /** The end marker at `at`, cached in the same way. */
  endMarkerAt(at: number): EndMarker | undefined {
    const place = this.abs(at)
    if (place !== this.#endMarkerAt) this.#endMarker = readEndMarker(this.region.slice(at, this.end))
    this.#endMarkerAt = place
    return this.#endMarker
  }

  /** An error at the current line. */
  error(code: ScanError['code'], message: string, index: number, length: number, hint: string): ScanError {
    return { code, message, line: this.line, column: index - this.lineStart + 1, length, hint }
  }

  /** Emits a near miss of a marker; what it belongs to may begin above it. */
  nearMiss(error: ScanError, blockId?: string, startLine = this.line): void {
    const source = this.sourceText(this.abs(this.lineStart), this.abs(this.end))
    const item: NearMissItem = { kind: 'near-miss', startLine, endLine: this.line, source, errors: [error] }
    if (blockId !== undefined) item.blockId = blockId
    this.emit(item)
  }

  /** The quotes of the aside of this kind: opens or continues it, and ends any other. */
  asideOf(kind: Aside['kind'], open: () => QuotedBlocks): QuotedBlocks {
    if (this.aside?.kind !== kind) {
      this.endAside()
      this.aside = { kind, quotes: open() }
    }
    return this.aside!.quotes
  }

  /** Something other than prose begins. */
  leaveProse(): void {
    this.endAside()
    this.paragraph = false
  }

  endAside(): void {
    this.aside?.quotes.close(this.line - 1)
    this.aside = undefined
  }
}
