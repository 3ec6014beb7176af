import { dialectHere } from './calls/dialect-here.js'
import { beginsEdit } from './edits/edit-lines.js'
import { isBlockFence, readFenceOpener } from './fences.js'
import { mayBeMarker, TOOL_CALL_OPEN } from './grammar.js'
import type { ScanState } from './scan-state.js'
import { sectionAt } from './section-kinds.js'

/**
 * What a line can begin, by its first characters. `hermes fence`: a fence meant to hold blocks (`hermes`, `sham`,
 * `nesl`); `bracket`: a call without a sentinel (JSON, Python), which elsewhere may be ordinary content.
 */
export type Beginning =
  | 'header' | 'end marker' | 'hermes fence' | 'other fence' | 'call' | 'bracket' | 'edit' | 'comment' | 'section'

/** Contexts of a line. Heredocs, sections and comments are missing, since only their end is recognised in them. */
export type Within =
  | 'text' | 'text behind a bullet' | 'live fence' | 'block' | 'block in a fence' | 'call' | 'envelope'

const MARKERS = ['header', 'end marker'] as const
const FENCES = ['hermes fence', 'other fence'] as const
const SECTIONS = ['comment', 'section'] as const

/**
 * The grammar (docs/formats.md): what is recognised in which context; everything else is content. In text and in a live
 * fence it opens. In an open block it ends the block, whose own end is missing: only this block fails, and the line is
 * read again with its usual meaning:
 *
 *     #!SHAM [@three-char-SHA-256: abc]
 *     action = "ls"
 *     <tool_call>{"name": "ls"}</tool_call>      ← ends block abc, and is a call
 *     ^^^^^^^^^^^
 */
export const SEEN_IN: Readonly<Record<Within, ReadonlySet<Beginning>>> = {
  text: new Set([...MARKERS, ...FENCES, ...SECTIONS, 'call', 'bracket', 'edit']),
  // Calls and sections must be first on their line; `- <tool_call>` may be part of a list that describes tags.
  'text behind a bullet': new Set([...MARKERS, ...FENCES, 'comment']),
  // A fence that opens in it only shows something. Calls, comments and sections have no meaning there.
  'live fence': new Set([...MARKERS, ...FENCES, 'edit']),
  block: new Set([...MARKERS, ...FENCES, ...SECTIONS, 'call', 'edit']),
  'block in a fence': new Set([...MARKERS, ...FENCES, 'edit']),
  // Outside its JSON strings.
  call: new Set(['header', ...FENCES, ...SECTIONS, 'call', 'edit']),
  // Only in the fence's own column, where YAML has no scalars.
  envelope: new Set(['header', ...FENCES, ...SECTIONS, 'call']),
}

/** What begins at `at`, behind the indentation, if the context recognises it. */
export function seenIn(s: ScanState, within: Within, at: number): Beginning | undefined {
  const begins = within === 'text' && isFencedCall(s, at) ? 'call' : beginning(s, at)
  return begins !== undefined && SEEN_IN[within].has(begins) ? begins : undefined
}

/** Whether a bullet is followed by a block that would open in text. */
export function bulletWithBlock(s: ScanState, at: number): boolean {
  if (!mayBeBullet(s.region.charCodeAt(at))) return false
  const bullet = BULLET.exec(s.region.slice(at, Math.min(s.end, at + MAX_BULLET)))
  const begins = bullet && seenIn(s, 'text behind a bullet', at + bullet[0].length)
  return begins === 'header' || begins === 'hermes fence'
}

const BULLET = /^(?:[-+*]|\d{1,9}[.)])[ \t]{1,4}(?=[#`~])/
const MAX_BULLET = 20

function mayBeBullet(code: number): boolean {
  return code === 0x2d || code === 0x2a || code === 0x2b || (code >= 0x30 && code <= 0x39)
}

const BRACKETS = new Set(['{', '['])

/** Whether a fence here belongs to a dialect that puts its calls in fences. */
function isFencedCall(s: ScanState, at: number): boolean {
  return s.formats.size > 0 && s.region.charCodeAt(at) === 0x60 && dialectHere(s, at) !== undefined
}

function beginning(s: ScanState, at: number): Beginning | undefined {
  const text = s.region
  const code = text.charCodeAt(at)
  if (code === 0x60 || code === 0x7e) {
    const fence = readFenceOpener(text, at, s.end)
    if (fence) return isBlockFence(fence.info) ? 'hermes fence' : 'other fence'
  }
  if (code === 0x3c) {
    if (text.startsWith(TOOL_CALL_OPEN, at)) return 'call'
    if (text.startsWith('<!--', at)) return 'comment'
  }
  const opener = dialectHere(s, at)
  if (opener) return BRACKETS.has(opener.text) ? 'bracket' : 'call'
  if (sectionAt(text, at, s.end)) return 'section'
  if (mayBeMarker(code)) {
    if (s.headerAt(at)) return 'header'
    if (s.endMarkerAt(at)) return 'end marker'
  }
  return beginsEdit(s, at) ? 'edit' : undefined
}
