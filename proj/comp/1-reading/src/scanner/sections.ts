import { THINK_TAGS } from './grammar.js'
import { QuotedBlocks, type QuotedBlock } from './quoted-blocks.js'
import type { OpenSection, ScanState } from './scan-state.js'

/** Think sections and HTML comments: they quote everything up to their closing tag. */

const THINK_CLOSERS = THINK_TAGS.map((tag) => `</${tag}>`)

export function skipQuoted(s: ScanState): (quoted: QuotedBlock) => void {
  return ({ block }) => s.emit({ kind: 'skipped', block })
}

/** The think tag that opens at `at`, if any. */
export function thinkTagAt(text: string, at: number): string | undefined {
  return THINK_TAGS.find((tag) => text.startsWith(`<${tag}>`, at))
}

/** The closing think tag first on the line, or last on it: where it stands and its text. */
export function strayThinkEnd(s: ScanState, from: number): { at: number; tag: string; first: boolean } | undefined {
  const text = s.region
  for (const tag of THINK_CLOSERS) {
    if (text.startsWith(tag, from) && from + tag.length <= s.end) return { at: from, tag, first: true }
  }
  let end = s.end
  while (end > from && text.charCodeAt(end - 1) <= 0x20) end--
  for (const tag of THINK_CLOSERS) {
    if (end - tag.length >= from && text.startsWith(tag, end - tag.length)) {
      return { at: end - tag.length, tag, first: false }
    }
  }
  return undefined
}

/** Opens a think section; `tag` undefined when it was open before the text began, so that any closing tag ends it. */
export function openThink(s: ScanState, tag: string | undefined, index: number): void {
  s.paragraph = false
  s.think = {
    closers: tag === undefined ? THINK_CLOSERS : [`</${tag}>`],
    tag: tag ?? 'think',
    startLine: Math.max(1, s.line),
    column: index - s.lineStart + 1,
    quotes: new QuotedBlocks('in a think section', skipQuoted(s), s.formats),
  }
}

/** A line of an open think section; returns where a line of its own starts after the closing tag, else -1. */
export function thinkLine(s: ScanState): number {
  const think = s.think!
  const close = firstOf(s, think.closers)
  const text = s.region.slice(s.at, close ? close.at : s.end)
  if (text.trim() !== '') think.quotes.line(text, s.line)
  if (!close) return -1
  think.quotes.close(text.trim() === '' ? s.line - 1 : s.line)
  s.think = undefined
  return close.at + close.tag.length
}

/** Opens a comment at `index`, which its own line may close. */
export function openComment(s: ScanState, index: number): number {
  s.paragraph = false
  s.comment = {
    closers: ['-->'],
    tag: '!--',
    startLine: s.line,
    column: index - s.lineStart + 1,
    quotes: new QuotedBlocks('in an HTML comment', skipQuoted(s), s.formats),
  }
  s.at = index + 2
  return commentLine(s)
}

/** A comment ends with the line that holds `-->`. */
export function commentLine(s: ScanState): number {
  const comment = s.comment!
  comment.quotes.line(s.region.slice(s.at, s.end), s.line)
  const close = firstOf(s, comment.closers)
  if (close) {
    comment.quotes.line(s.region.slice(close.at + close.tag.length, s.end), s.line)
    comment.quotes.close(s.line)
    s.comment = undefined
  }
  return -1
}

/** The text has ended inside a section: an error if it hid a block. */
export function endSection(s: ScanState, section: OpenSection, code: 'UNCLOSED_THINK' | 'UNCLOSED_COMMENT'): void {
  section.quotes.close(s.line)
  const hid = section.quotes.count
  if (hid === 0) return
  const closer = section.closers[0]!
  s.emit({
    kind: 'section-error',
    startLine: section.startLine,
    endLine: s.line,
    source: `<${section.tag}${code === 'UNCLOSED_THINK' ? '>' : ''}`,
    errors: [{
      code,
      message: `${code === 'UNCLOSED_THINK' ? `<${section.tag}>` : 'HTML comment'} is never closed and hides ${hid} `
        + `block${hid === 1 ? '' : 's'}`,
      line: section.startLine,
      column: section.column,
      length: section.tag.length + 1,
      hint: `Close it with ${closer} before the blocks that should run.`,
    }],
  })
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
