import { openCall } from './calls/call-lines.js'
import { dialectHere } from './calls/dialect-here.js'
import { skipIndent, type Cursor } from './columns.js'
import { isSetextUnderline, matchContainers, openListItem, thematicBreakEnd } from './containers.js'
import { beginEdit, mayBeEdit } from './edits/edit-lines.js'
import { openFence } from './fence-lines.js'
import { readFenceOpener } from './fences.js'
import { openDialect } from './calls/dialect-lines.js'
import { mayBeMarker, TOOL_CALL_OPEN } from './grammar.js'
import { tail } from './line-tail.js'
import { indented, markerLine } from './marker-lines.js'
import { ASIDE_REASONS } from './place.js'
import { QuotedBlocks } from './quoted-blocks.js'
import type { ScanState } from './scan-state.js'
import { sectionAt } from './section-kinds.js'
import { openComment, openMadeUp, openSection, skipQuoted } from './sections.js'
import { seenIn } from './what-begins.js'

/**
 * A line outside fences, blocks and sections: first its containers, then what its first character can start. Like every
 * line state, it returns where something of its own begins within the line, or -1.
 *
 *     - I list the files:
 *       <tool_call>{"name": "ls"}</tool_call>    ← in a bullet's text, begins a call
 *       ^^^^^^^^^^^
 */
export function textLine(s: ScanState): number {
  const text = s.region
  const first = text.charCodeAt(s.at)
  if (
    s.list.length === 0 && first > 0x3e && first !== 0x5f && first !== 0x60 && first !== 0x7e && !mayBeMarker(first)
    && s.resultMark === undefined && !sectionAt(text, s.at, s.end) && !dialectHere(s, s.at)
  ) {
    return (mayBeEdit(first) ? beginEdit(s, s.at, 0) : undefined) ?? prose(s, s.at)
  }
  const cursor = { at: s.at, column: 0 }
  const matched = matchContainers(s.list, text, cursor, s.end)
  if (matched < s.list.length) {
    s.list.length = matched
    s.paragraph = false
  }
  let opened = false
  /** No thematic break begins before this index; else nested bullets would each search the line for one. */
  let noBreak = -1
  for (;;) {
    const indent = skipIndent(text, cursor, s.end)
    if (cursor.at >= s.end) return blank(s, opened)
    if (!opened && matched > 0) for (const item of s.list) item.hasContent = true
    if (indent >= 4) return indented(s, cursor.at)
    const code = text.charCodeAt(cursor.at)
    const edit = !opened && mayBeEdit(code) ? beginEdit(s, cursor.at, cursor.column) : undefined
    if (edit !== undefined) return edit
    if (code === 0x3e) return blockquote(s, cursor.at)
    const next = opens(s, cursor, indent, opened)
    if (next !== undefined) return next
    if (s.paragraph && !opened && isSetextUnderline(text, cursor.at, s.end)) return leaf(s)
    if (noBreak <= cursor.at) noBreak = thematicBreakEnd(text, cursor.at, s.end)
    if (noBreak === s.end) return leaf(s)
    if (!openListItem(s.list, text, cursor, s.end, indent, s.paragraph && !opened)) {
      if (code === 0x23 && /^#{1,6}(?:[ \t]|$)/.test(text.slice(cursor.at, Math.min(s.end, cursor.at + 8)))) {
        const after = prose(s, cursor.at)
        s.paragraph = false
        return after
      }
      return prose(s, cursor.at)
    }
    opened = true
    s.paragraph = false
  }
}

function blank(s: ScanState, isItem: boolean): number {
  s.paragraph = false
  if (s.aside?.kind === 'blockquote') s.endAside()
  // The first blank line ends an item without content; further ones change nothing.
  if (isItem) return -1
  const text = s.region
  let next = s.next
  while (text.charCodeAt(next) === 0x0a) next++
  if (next > s.next) s.passTo(next)
  return -1
}

function leaf(s: ScanState): number {
  s.leaveProse()
  return -1
}

function blockquote(s: ScanState, at: number): number {
  s.paragraph = false
  s.asideOf('blockquote', () => new QuotedBlocks(ASIDE_REASONS.blockquote, skipQuoted(s), s.formats))
    .line(s.region.slice(at + 1, s.end), s.line)
  return -1
}

/** Opens what begins here; `undefined` where nothing does. */
function opens(s: ScanState, { at, column }: Cursor, indent: number, behindBullet: boolean): number | undefined {
  if (s.resultMark !== undefined && s.region.startsWith(s.resultMark, at)) return openMadeUp(s, s.resultMark, at)
  switch (seenIn(s, behindBullet ? 'text behind a bullet' : 'text', at)) {
    case 'hermes fence':
    case 'other fence': return openFence(s, readFenceOpener(s.region, at, s.end)!, indent)
    case 'comment': return openComment(s, at)
    case 'section': {
      const { kind, length } = sectionAt(s.region, at, s.end)!
      openSection(s, kind, at, length)
      return at + length
    }
    case 'call':
    case 'bracket':
      s.endAside()
      return s.region.startsWith(TOOL_CALL_OPEN, at) ? openCall(s, at)
        : openDialect(s, dialectHere(s, at)!, at)
    case 'header':
    case 'end marker':
      markerLine(s, at, column)
      return -1
    // The edit has been opened already.
    case 'edit':
    case undefined: return undefined
  }
}

function prose(s: ScanState, at: number): number {
  s.paragraph = true
  if (s.aside) s.endAside()
  return tail(s, at)
}
