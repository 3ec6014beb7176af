import { COMMENT_REASON } from './place.js'
import { QuotedBlocks, type QuotedBlock } from './quoted-blocks.js'
import type { OpenSection, ScanState } from './scan-state.js'
import { SECTION_KINDS, SECTION_REASONS, strayCloser, THINK_CLOSERS, type SectionKind } from './section-kinds.js'

/** Think and echo sections and HTML comments: they quote everything up to their closing tag. */

export function skipQuoted(s: ScanState): (quoted: QuotedBlock) => void {
  return ({ block, isOpen }) => s.emit({ kind: 'skipped', block, ...(isOpen && { isOpen }) })
}

/** Opens the section with its opener at `index`. */
export function openSection(s: ScanState, kind: SectionKind, index: number, length: number): void {
  s.leaveProse()
  s.section = section(s, kind.name, kind.closers, index, SECTION_REASONS[kind.role])
  s.section.kind = kind
  if (kind.role === 'think') s.onThought?.({ from: s.abs(index), to: s.abs(index + length), opens: true })
}

/** Reading resumes inside a section that was opened on line `startLine`. */
export function openSectionAt(s: ScanState, kind: SectionKind, startLine: number): void {
  s.section = { ...section(s, kind.name, kind.closers, s.lineStart, SECTION_REASONS[kind.role]), kind, startLine }
}

/** Reading resumes inside a comment that was opened on line `startLine`. */
export function openCommentAt(s: ScanState, startLine: number): void {
  s.comment = { ...section(s, 'HTML comment', ['-->'], s.lineStart, COMMENT_REASON), startLine }
}

/** The text begins inside a think section of unknown kind, which any think closer ends. */
export function openThinkBefore(s: ScanState): void {
  s.section = section(s, SECTION_KINDS[0]!.name, THINK_CLOSERS, 0, SECTION_REASONS.think)
}

function section(
  s: ScanState, name: string, closers: readonly string[], index: number, reason: string,
): OpenSection {
  return {
    name, closers, reason, kind: undefined, startLine: Math.max(1, s.line), column: index - s.lineStart + 1,
    quotes: new QuotedBlocks(reason, skipQuoted(s), s.formats),
  }
}

/** A line that only a harness writes, behind a call whose result the model cannot know: reading stops. */
export function openMadeUp(s: ScanState, mark: string, index: number): number {
  s.leaveProse()
  const block = { startLine: s.line, endLine: s.line, reason: `the answer makes up what stands behind ${mark}` }
  s.emit({ kind: 'skipped', block })
  s.section = section(s, mark, [], index, `behind ${mark} that the answer makes up`)
  return index + mark.length
}

/**
 * A line of an open section; returns the index behind the closing tag, else -1.
 *
 *     <think>
 *     <tool_call>{"name": "ls"}</tool_call>      ← listed as skipped, never run
 *     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 *     Done.</think>                              ← ends it; text may go on behind the tag
 */
export function sectionLine(s: ScanState): number {
  const open = s.section!
  const close = firstOf(s, open.closers)
  const text = s.region.slice(s.at, close ? close.at : s.end)
  if (text.trim() !== '') open.quotes.line(text, s.line)
  if (!close) return -1
  open.quotes.close(text.trim() === '' ? s.line - 1 : s.line)
  if (open.kind?.role === 'echo') s.echoEnds.set(open.name, s.line)
  s.section = undefined
  if (open.reason === SECTION_REASONS.think) endThought(s, close)
  return close.at + close.tag.length
}

/** Opens a comment at `index`; its own line may close it. */
export function openComment(s: ScanState, index: number): number {
  s.leaveProse()
  s.comment = section(s, 'HTML comment', ['-->'], index, COMMENT_REASON)
  s.commentLine = s.line
  s.at = index + 2
  return commentLine(s)
}

/**
 * A line of an open comment, which ends with the line that holds `-->`: what stands behind it there is quoted too.
 *
 *     <!-- before:
 *     #!SHAM [@three-char-SHA-256: abc]          ← listed as skipped, never run
 *     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 *     -->
 */
export function commentLine(s: ScanState): number {
  const comment = s.comment!
  const close = firstOf(s, comment.closers)
  comment.quotes.line(s.region.slice(s.at, close?.at ?? s.end), s.line)
  if (close) {
    comment.quotes.line(s.region.slice(close.at + close.tag.length, s.end), s.line)
    comment.quotes.close(s.line)
    s.comment = undefined
  }
  return -1
}

/** The text has ended inside a section: an error if it hid a block. */
export function endSection(s: ScanState, open: OpenSection, code: 'UNCLOSED_THINK' | 'UNCLOSED_COMMENT'): void {
  open.quotes.close(s.line)
  const hid = open.quotes.count
  if (hid === 0 || open.closers.length === 0) return
  s.emit({
    kind: 'section-error',
    startLine: open.startLine,
    endLine: s.line,
    source: open === s.comment ? '<!--' : open.name,
    errors: [{
      code,
      message: `${open.name} is never closed and hides ${hid} block${hid === 1 ? '' : 's'}`,
      line: open.startLine,
      column: open.column,
      length: open === s.comment ? 4 : open.name.length,
      hint: `Close it with ${open.closers[0]!} before the blocks that should run.`,
    }],
  })
}

/**
 * Handles an unmatched closing tag: returns the index behind it, -1 at the end of the line, `undefined` without a tag.
 */
export function strayEnd(s: ScanState, from: number): number | undefined {
  const stray = strayCloser(s.region, from, s.end)
  if (!stray) return undefined
  const { at, tag, kind, first } = stray
  const since = kind.role === 'echo' ? s.echoEnds.get(kind.name) : 0
  s.endAside()
  if (since === undefined) {
    s.emit({ kind: 'skipped', block: { startLine: s.line, endLine: s.line, reason: `${tag} closes nothing` } })
  } else {
    if (kind.role === 'echo') s.echoEnds.set(kind.name, s.line)
    else endThought(s, { at, tag })
    s.emit({ kind: 'stray-section-end', line: s.line, column: at - s.lineStart + 1, tag, role: kind.role, since })
    s.list = []
    s.paragraph = false
  }
  return first ? at + tag.length : -1
}

function endThought(s: ScanState, { at, tag }: { at: number; tag: string }): void {
  s.onThought?.({ from: s.abs(at), to: s.abs(at + tag.length), opens: false })
}

function firstOf(s: ScanState, closers: readonly string[]): { at: number; tag: string } | undefined {
  let best: { at: number; tag: string } | undefined
  const line = s.region.slice(s.at, s.end)
  for (const tag of closers) {
    const at = line.indexOf(tag)
    if (at >= 0 && (!best || s.at + at < best.at)) best = { at: s.at + at, tag }
  }
  return best
}
