import type { EditFormat, ReadFormat, SkippedBlock } from '../../../0-contracts/src/index.js'
import { clipUtf8, utf8Length } from '../../../0-text/src/index.js'
import {
  beginsGitDiff, NEW_FILE, OLD_FILE, readPatchMarker, readSearchMarker, replaceMarkerLength,
} from './edits/edit-markers.js'
import { closesFence, isBlockFence, readFenceOpener, type FenceOpener } from './fences.js'
import { readEndMarker, readHeader, TOOL_CALL_CLOSE, TOOL_CALL_OPEN, type Header } from './grammar.js'
import { SOURCE_LIMIT } from './items.js'

/** A quoted block that has not ended yet. */
interface OpenQuote {
  block: SkippedBlock
  kind: 'header' | 'call' | 'fence' | 'edit'
  edit?: EditFormat
  header?: Header
  /** The end marker of `header` was seen. */
  isHeaderEnded?: boolean
  fence?: FenceOpener
  /** It contains a near-miss header, and becomes an entry of its own if the fence does not end. */
  isNearHeader?: true
  /** Its text so far, as much as an error message needs. */
  source: string
  /** Length of `source` in UTF-8. */
  bytes: number
  isCut?: boolean
}

/** A block found where blocks are quoted. */
export interface QuotedBlock {
  block: SkippedBlock
  source: string
  /** Set for a fence opener inside another fence. */
  fence?: FenceOpener
  /** It was ended by something other than its own end. */
  isOpen: boolean
}

/**
 * Finds what looks like a block in the lines of one quoting section (fence, blockquote, comment, think section,
 * indented text). It never decides about live text: a quoted block ends with its section at the latest.
 */
export class QuotedBlocks {
  #open: OpenQuote | undefined
  /** Number of the last line seen. */
  #last = 0
  /** A line that names the old file of a diff, if the next one names the new file. */
  #oldFile: { text: string; line: number } | undefined
  /** Number of blocks hidden by the section so far. */
  count = 0

  /** @param formats edit formats that are read in live text */
  constructor(
    private readonly reason: string, private readonly report: (quoted: QuotedBlock) => void,
    private readonly formats: ReadonlySet<ReadFormat>,
  ) {}

  /** Whether a block is open, or the next line decides whether one began. */
  get isOpen(): boolean {
    return this.#open !== undefined || (this.#oldFile !== undefined && this.#oldFile.line === this.#last)
  }

  /** Takes the next line, without line end; markers count wherever they are first on it. */
  line(text: string, line: number): void {
    this.#read(text, line)
    this.#last = line
  }

  #read(text: string, line: number): void {
    if (this.formats.size > 0 && this.#edit(text, line)) return
    const start = firstMark(text)
    if (start < 0) {
      this.#append(text)
      return
    }
    const mark = text.charCodeAt(start)
    if (mark === 0x23) this.#marker(text, text.slice(start), line)
    else if (mark === 0x3c) this.#tag(text, start, line)
    else if (mark === 0x60 || mark === 0x7e) this.#fence(text, start, line)
    else this.#append(text)
  }

  /**
   * The section has ended.
   *
   * @param line its last line, or a blank one behind it
   * @param closesFences its end is the end of a fence, which also closes a fence shown inside
   */
  close(line: number, closesFences = false): void {
    const open = this.#open
    const isWhole = open?.kind === 'fence' && !open.isNearHeader
      && (open.header === undefined || open.isHeaderEnded === true)
    this.#finish(Math.min(line, this.#last), !(closesFences && isWhole))
  }

  #finish(line: number, isOpen: boolean): void {
    if (!this.#open) return
    const { block, source, fence } = this.#open
    this.#open = undefined
    const lines = { ...block, endLine: Math.max(block.startLine, line) }
    this.report({ block: lines, source, isOpen, ...(fence && { fence }) })
  }

  #marker(text: string, marker: string, line: number): void {
    const header = readHeader(marker)
    if (header && !header.problem) {
      if (this.#open?.kind === 'fence' && !this.#open.header) {
        this.#open.header = header
        if (header.id !== undefined) this.#open.block.blockId = header.id
        this.#append(text)
      } else {
        this.#finish(line - 1, true)
        this.#begin({ kind: 'header', header, block: this.#block(line, header.id), source: '', bytes: 0 }, text)
      }
      return
    }
    if (header && this.#open?.kind === 'fence') this.#open.isNearHeader = true
    this.#append(text)
    const end = readEndMarker(marker)
    const isOwn = end?.id !== undefined && end.id === this.#open?.header?.id
    if (isOwn && this.#open) this.#open.isHeaderEnded = true
    if (isOwn && this.#open?.kind === 'header') this.#finish(line, false)
  }

  /** Handles a marker of an edit format; false for other lines. */
  #edit(text: string, line: number): boolean {
    const mark = EDIT_MARK.exec(text.slice(0, 300))?.[1]
    if (mark === undefined) return false
    if (this.#diff(text, mark, line)) return true
    const begins = editBegun(mark)
    // The next file of the same diff.
    if (begins === 'unified' && this.#open?.edit === begins) return false
    if (begins && this.formats.has(begins)) {
      this.#finish(line - 1, true)
      this.#begin({ kind: 'edit', edit: begins, block: this.#block(line), source: '', bytes: 0 }, text)
      return true
    }
    const open = this.#open?.edit
    const marker = readPatchMarker(mark)
    const ends = open === 'v4a' ? marker?.exact && !marker.begins
      : open === 'search-replace' && replaceMarkerLength(mark) > 0
    if (!ends) return false
    this.#append(text)
    this.#finish(line, false)
    return true
  }

  /** A diff without `diff --git` begins with the names of two files. */
  #diff(text: string, mark: string, line: number): boolean {
    const old = this.#oldFile
    this.#oldFile = OLD_FILE.test(mark) ? { text, line } : undefined
    if (old?.line !== line - 1 || !NEW_FILE.test(mark) || this.#open || !this.formats.has('unified')) return false
    this.#begin({ kind: 'edit', edit: 'unified', block: this.#block(old.line), source: '', bytes: 0 }, old.text)
    this.#append(text)
    return true
  }

  #tag(text: string, start: number, line: number): void {
    if (text.startsWith(TOOL_CALL_OPEN, start) && this.#open?.kind !== 'fence') {
      this.#finish(line - 1, true)
      this.#begin({ kind: 'call', block: this.#block(line), source: '', bytes: 0 }, text)
    } else this.#append(text)
    if (this.#open?.kind === 'call' && text.includes(TOOL_CALL_CLOSE)) this.#finish(line, false)
  }

  #fence(text: string, start: number, line: number): void {
    const inner = this.#open?.fence
    if (inner && closesFence(inner, text, start, text.length)) {
      this.#append(text)
      this.#finish(line, false)
      return
    }
    const opener = readFenceOpener(text, start, text.length)
    if (opener && isBlockFence(opener.info)) {
      this.#finish(line - 1, true)
      this.#begin({ kind: 'fence', fence: opener, block: this.#block(line), source: '', bytes: 0 }, text)
    } else this.#append(text)
  }

  #block(line: number, id?: string): SkippedBlock {
    return { startLine: line, endLine: line, reason: this.reason, ...(id !== undefined && { blockId: id }) }
  }

  #begin(quote: OpenQuote, text: string): void {
    this.count++
    this.#open = quote
    this.#append(text)
  }

  #append(text: string): void {
    const open = this.#open
    if (!open || open.isCut) return
    const added = open.source === '' ? text : `\n${text}`
    const kept = clipUtf8(added, SOURCE_LIMIT - open.bytes)
    open.source += kept
    open.bytes += utf8Length(kept)
    open.isCut = kept.length < added.length
  }
}

function editBegun(mark: string): EditFormat | undefined {
  const search = readSearchMarker(mark)
  if (search) return search.problem === undefined ? 'search-replace' : undefined
  const marker = readPatchMarker(mark)
  if (marker) return marker.exact && marker.begins ? 'v4a' : undefined
  return beginsGitDiff(mark) ? 'unified' : undefined
}

/** First text of an edit marker, behind white space and quoting signs. */
const EDIT_MARK = /^[\s>*+-]*?([<>]{5}.*|-{3}.*|\+{3}.*|\*\*\* .*|diff --git .*)$/

/** Whether a line whose first character (behind white space) is this one can begin a quoted block. */
export function mayStartQuote(code: number): boolean {
  return isMark(code) || isQuoting(code)
}

function isMark(code: number): boolean {
  return code === 0x23 || code === 0x3c || code === 0x60 || code === 0x7e
}

function isQuoting(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x3e || code === 0x2d || code === 0x2a || code === 0x2b
}

/** Index of the first character behind white space and quoting signs, if it can start a block; else -1. */
function firstMark(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isMark(code)) return at
    if (!isQuoting(code)) return -1
  }
  return -1
}
