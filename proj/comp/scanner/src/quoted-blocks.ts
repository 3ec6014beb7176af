import type { SkippedBlock } from '../../contracts/src/index.js'
import { clipUtf8 } from '../../text/src/index.js'
import { closesFence, isBlockFence, readFenceOpener, type FenceOpener } from './fences.js'
import { readEndMarker, readHeader, TOOL_CALL_CLOSE, TOOL_CALL_OPEN, type Header } from './grammar.js'
import { SOURCE_LIMIT } from './items.js'

/** A quoted block whose end is still to come. */
interface OpenQuote {
  block: SkippedBlock
  kind: 'header' | 'call' | 'fence'
  header?: Header
  fence?: FenceOpener
  /** Its text so far, as far as an error message needs it. */
  source: string
  isCut?: boolean
}

/** A block that was seen where blocks are quoted. */
export interface QuotedBlock {
  block: SkippedBlock
  source: string
  /** For a fence opener inside another fence. */
  fence?: FenceOpener
}

/**
 * Finds what looks like a block in the lines of one quoting section (a fence, a blockquote, a comment, a think
 * section, indented text). It never decides about live text: a quoted block ends with its section at the latest.
 */
export class QuotedBlocks {
  readonly #reason: string
  readonly #report: (quoted: QuotedBlock) => void
  #open: OpenQuote | undefined
  /** The last line seen. */
  #last = 0
  /** How many blocks the section hid so far. */
  count = 0

  constructor(reason: string, report: (quoted: QuotedBlock) => void) {
    this.#reason = reason
    this.#report = report
  }

  /** The next line, without line end; markers count wherever they stand first on it. */
  line(text: string, line: number): void {
    this.#read(text, line)
    this.#last = line
  }

  #read(text: string, line: number): void {
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

  /** The section has ended; `line` was its last, or a blank one after it. */
  close(line: number): void {
    this.#finish(Math.min(line, this.#last))
  }

  #finish(line: number): void {
    if (!this.#open) return
    const { block, source, fence } = this.#open
    this.#open = undefined
    this.#report({ block: { ...block, endLine: Math.max(block.startLine, line) }, source, ...(fence && { fence }) })
  }

  #marker(text: string, marker: string, line: number): void {
    const header = readHeader(marker)
    if (header && !header.problem) {
      if (this.#open?.kind === 'fence' && !this.#open.header) {
        this.#open.header = header
        if (header.id !== undefined) this.#open.block.blockId = header.id
        this.#append(text)
      } else {
        this.#finish(line - 1)
        this.#begin({ kind: 'header', header, block: this.#block(line, header.id), source: '' }, text)
      }
      return
    }
    this.#append(text)
    const end = readEndMarker(marker)
    if (this.#open?.kind === 'header' && end?.id !== undefined && end.id === this.#open.header?.id) this.#finish(line)
  }

  #tag(text: string, start: number, line: number): void {
    if (text.startsWith(TOOL_CALL_OPEN, start) && this.#open?.kind !== 'fence') {
      this.#finish(line - 1)
      this.#begin({ kind: 'call', block: this.#block(line), source: '' }, text)
    } else this.#append(text)
    if (this.#open?.kind === 'call' && text.includes(TOOL_CALL_CLOSE)) this.#finish(line)
  }

  #fence(text: string, start: number, line: number): void {
    const inner = this.#open?.fence
    if (inner && closesFence(inner, text, start, text.length)) {
      this.#append(text)
      this.#finish(line)
      return
    }
    const opener = readFenceOpener(text, start, text.length)
    if (opener && isBlockFence(opener.info)) {
      this.#finish(line - 1)
      this.#begin({ kind: 'fence', fence: opener, block: this.#block(line), source: '' }, text)
    } else this.#append(text)
  }

  #block(line: number, id?: string): SkippedBlock {
    return { startLine: line, endLine: line, reason: this.#reason, ...(id !== undefined && { blockId: id }) }
  }

  #begin(quote: OpenQuote, text: string): void {
    this.count++
    this.#open = quote
    this.#append(text)
  }

  #append(text: string): void {
    const open = this.#open
    if (!open || open.isCut) return
    const source = `${open.source && `${open.source}\n`}${text}`
    open.source = clipUtf8(source, SOURCE_LIMIT)
    open.isCut = open.source.length < source.length
  }
}

/** Whether a line that starts with this character, white space apart, can begin a quoted block. */
export function mayStartQuote(code: number): boolean {
  return isMark(code) || isQuoting(code)
}

function isMark(code: number): boolean {
  return code === 0x23 || code === 0x3c || code === 0x60 || code === 0x7e
}

function isQuoting(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x3e || code === 0x2d || code === 0x2a || code === 0x2b
}

/** Index of the first character that is not white space or a quoting sign, where it can start a block; else -1. */
function firstMark(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isMark(code)) return at
    if (!isQuoting(code)) return -1
  }
  return -1
}
