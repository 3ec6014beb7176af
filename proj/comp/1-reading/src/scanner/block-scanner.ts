import { allFormats, type ReadFormat } from '../../../0-contracts/src/index.js'
import { boundLine, boundOpen } from './bound-open.js'
import { callLine, openCall, resolveCall } from './calls/call-lines.js'
import { dialectLine, resolveDialect } from './calls/dialect-lines.js'
import { heldFrom } from './calls/dialect-state.js'
import { editLine, endEditAtEnd } from './edits/edit-lines.js'
import { endEnvelopeAtEnd, endFence, envelopeLine, fenceLine } from './fence-lines.js'
import { cutOffLong, resolveHeredoc, skipHeredoc } from './heredocs/heredoc-lines.js'
import { SOURCE_LIMIT, type ScanItem } from './items.js'
import { ASIDE_REASONS, COMMENT_REASON, quotedBecause } from './place.js'
import { ScanState } from './scan-state.js'
import type { ThoughtTag } from './section-kinds.js'
import { commentLine, endSection, openThinkBefore, sectionLine } from './sections.js'
import { blockLine, endBlockAtEnd } from './sham-lines.js'
import { skipAhead } from './skip-ahead.js'
import { TerminatorIndex } from './heredocs/terminators.js'
import { textLine } from './text-lines.js'
import { isTooLong, LONGEST } from './too-long.js'

/** Longest piece to read at once, so that a long text uses no more memory than a stream. */
const PIECE = 16 * 1024 * 1024

/** How a text is read: `parse` and `parseChunks` take these. */
export interface ScanOptions {
  /** The text begins inside a think section whose opening tag is missing. */
  startsInThink?: boolean | undefined
  /** Edit formats and dialects to read as well; blocks of others are errors. Default none. */
  editFormats?: readonly ReadFormat[] | undefined
  /** Longest block and line to hold, in UTF-16 units. Default 64 Mi: see `LONGEST`. */
  longest?: number | undefined
  /** Called with the tags around think sections. */
  onThought?: ((tag: ThoughtTag) => void) | undefined
}

/**
 * Finds the blocks of a text that may come in pieces (docs/formats.md). Emits each item in text order, as soon as its
 * end is certain; the result does not depend on the cuts. Linear in the length of the text.
 */
export class BlockScanner {
  readonly #state: ScanState
  /** The incomplete last line. */
  #rest: string[] = []
  #restLength = 0
  #started = false

  constructor(emit: (item: ScanItem) => void, options: ScanOptions = {}) {
    this.#state = new ScanState(emit, allFormats(options.editFormats ?? []), options.longest ?? LONGEST)
    this.#state.onThought = options.onThought
    if (options.startsInThink) openThinkBefore(this.#state)
  }

  /** Takes the next piece of the text. */
  push(chunk: string): void {
    const piece = Math.min(PIECE, this.#state.longest)
    let at = 0
    while (chunk.length - at > piece) {
      const next = chunk.slice(at, at + piece)
      // Cut behind a line break if possible: an incomplete line is joined with the next piece, which copies both.
      const length = next.lastIndexOf('\n') + 1 || piece
      this.#push(next.slice(0, length))
      at += length
    }
    this.#push(at === 0 ? chunk : chunk.slice(at))
  }

  #push(chunk: string): void {
    const s = this.#state
    if (s.cutOff || (this.#restLength + chunk.length > s.longest && !this.#boundRest(chunk))) return
    const lastBreak = chunk.lastIndexOf('\n')
    if (lastBreak < 0) {
      if (chunk !== '') this.#rest.push(chunk)
      this.#restLength += chunk.length
      return
    }
    const head = chunk.slice(0, lastBreak + 1)
    const lines = this.#rest.length === 0 ? head : this.#rest.join('') + head
    this.#rest = lastBreak + 1 < chunk.length ? [chunk.slice(lastBreak + 1)] : []
    this.#restLength = chunk.length - lastBreak - 1
    this.#read(lines)
  }

  /** @returns whether the incomplete line is still read */
  #boundRest(chunk: string): boolean {
    const newline = chunk.indexOf('\n')
    if (this.#restLength + (newline < 0 ? chunk.length : newline) <= this.#state.longest) return true
    const goesOn = boundLine(this.#state)
    // Keep enough of it that it cannot be taken for a marker.
    this.#rest = goesOn ? [this.#rest.join('').slice(0, SOURCE_LIMIT)] : []
    this.#restLength = goesOn ? SOURCE_LIMIT : 0
    return goesOn
  }

  /** The text has ended: resolves what is still open. */
  end(): void {
    const s = this.#state
    this.#read(this.#rest.join(''))
    this.#rest = []
    for (;;) {
      if (s.cutOff) break
      if (s.block?.heredoc && (s.block.isTooLong || isTooLong(s, s.block.start, s.abs(s.region.length)))) cutOffLong(
        s, s.block,
      )
      else if (s.block?.heredoc) {
        s.source.widen()
        s.index ??= new TerminatorIndex(s.region, s.source.base)
        resolveHeredoc(s)
      } else if (s.call) resolveCall(s, true)
      else if (s.dialect) resolveDialect(s)
      else if (s.edit) endEditAtEnd(s)
      else if (s.envelope?.resume) endEnvelopeAtEnd(s, s.envelope)
      else break
      this.#lines()
    }
    this.#endOpen()
  }

  #read(lines: string): void {
    const s = this.#state
    if (s.cutOff) return
    const end = s.abs(s.region.length)
    s.above.leave(s.region, end)
    s.lineNumber.leave(end)
    s.source.advance(lines, (s.block ?? s.envelope ?? s.edit)?.start ?? s.call?.lineStart ?? dialectStart(s))
    s.ledger.look(lines, s.source.base, () => s.line + 1)
    s.pos = 0
    s.nextAngle = -1
    s.readUntil = 0
    if (!this.#started && lines !== '') {
      this.#started = true
      if (lines.charCodeAt(0) === 0xfeff) s.pos = 1
    }
    this.#lines()
    boundOpen(s)
  }

  #lines(): void {
    const s = this.#state
    while (s.pos < s.region.length && !s.cutOff) {
      if (s.block?.heredoc) {
        if (skipHeredoc(s)) continue
        return
      }
      skipAhead(s)
      const text = s.region
      if (s.pos >= text.length) return
      const newline = text.indexOf('\n', s.pos)
      const start = s.abs(s.pos)
      s.lineNumber.begin(start, s.pos === s.next)
      s.lineStart = s.pos
      s.next = newline < 0 ? text.length : newline + 1
      s.end = newline < 0 ? text.length
        : newline > s.pos && text.charCodeAt(newline - 1) === 0x0d ? newline - 1 : newline
      // The text was cut inside CRLF: the CR is not part of the last line.
      if (newline < 0 && text.endsWith('\r')) s.end--
      s.pos = s.next
      s.at = s.lineStart
      if (s.ledger.nextFrom(start) === start) sightedLine(s)
      else while (s.at >= 0) s.at = step(s)
    }
  }

  #endOpen(): void {
    const s = this.#state
    s.endAside()
    if (s.block) endBlockAtEnd(s)
    if (s.envelope) endEnvelopeAtEnd(s, s.envelope)
    if (s.fence) endFence(s)
    if (s.section) endSection(s, s.section, 'UNCLOSED_THINK')
    if (s.comment) endSection(s, s.comment, 'UNCLOSED_COMMENT')
    s.ledger.end()
  }
}

function dialectStart({ dialect }: ScanState): number | undefined {
  if (!dialect) return undefined
  const { at, offset } = heldFrom(dialect)
  return at - offset
}

/**
 * Reads what stands at `s.at` of the current line. Returns where something of its own begins within the line; -1 at its
 * end; or `s.at` again where something ended before the line, which is then read once more.
 */
function step(s: ScanState): number {
  if (s.callNext) return openCall(s, s.at)
  if (s.section) return sectionLine(s)
  if (s.comment) return commentLine(s)
  if (s.call) return callLine(s)
  if (s.dialect) return dialectLine(s)
  if (s.block) return blockLine(s)
  if (s.edit) return editLine(s)
  if (s.envelope) return envelopeLine(s)
  if (s.fence) return fenceLine(s)
  return textLine(s)
}

/** For a line with a sighting of the radar: tells the ledger where the line stands. */
function sightedLine(s: ScanState): void {
  const start = s.abs(s.lineStart)
  s.lineNumber.set(start, s.ledger.nextLine)
  let reason = ''
  while (s.at >= 0) {
    reason = quotedBecause(s)
    s.ledger.place(start, { reason, source: s.sourceText(start, s.abs(s.end)) })
    s.at = step(s)
  }
  if (reason !== '') return
  if (s.aside) s.ledger.place(start, { reason: ASIDE_REASONS[s.aside.kind], source: '' })
  else if (s.commentLine === s.line) s.ledger.place(start, { reason: COMMENT_REASON, source: '' })
}
