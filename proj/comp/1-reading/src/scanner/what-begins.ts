import { dialectHere } from './calls/dialect-here.js'
import { beginsEdit } from './edits/edit-lines.js'
import { isBlockFence, readFenceOpener } from './fences.js'
import { mayBeMarker, TOOL_CALL_OPEN } from './grammar.js'
import type { ScanState } from './scan-state.js'
import { sectionAt } from './section-kinds.js'

/**
 * What a line can begin, by its first characters. `hermes fence`: one meant to hold blocks (`hermes`, `sham`, `nesl`);
 * `bracket`: a call without a sentinel (JSON, Python), which in anything else may be part of that.
 */
export type Beginning =
  | 'header' | 'end marker' | 'hermes fence' | 'other fence' | 'call' | 'bracket' | 'edit' | 'comment' | 'section'

/** What a line can stand in. Heredocs, sections and comments are not here: of them only the end is seen. */
export type Within =
  | 'text' | 'text behind a bullet' | 'live fence' | 'block' | 'block in a fence' | 'call' | 'envelope'

const MARKERS = ['header', 'end marker'] as const
const FENCES = ['hermes fence', 'other fence'] as const
const SECTIONS = ['comment', 'section'] as const

/**
 * The grammar (contract section 1): what is seen to begin in what; all else is content there. In text and in a live
 * fence it opens. In an open block it ends the block, which lacked its own end: that costs only this block, and the
 * line is read again for what it means anywhere:
 *
 *     #!SHAM [@three-char-SHA-256: abc]
 *     action = "ls"
 *     <tool_call>{"name": "ls"}</tool_call>      ← ends block abc, and is a call
 *     ^^^^^^^^^^^
 */
export const SEEN_IN: Readonly<Record<Within, ReadonlySet<Beginning>>> = {
  text: new Set([...MARKERS, ...FENCES, ...SECTIONS, 'call', 'bracket', 'edit']),
  // Calls and sections stand first on their line; `- <tool_call>` may be a list of what there is.
  'text behind a bullet': new Set([...MARKERS, ...FENCES, 'comment']),
  // A fence that opens in it shows something. Calls, comments and sections mean nothing there.
  'live fence': new Set([...MARKERS, ...FENCES, 'edit']),
  block: new Set([...MARKERS, ...FENCES, ...SECTIONS, 'call', 'edit']),
  'block in a fence': new Set([...MARKERS, ...FENCES, 'edit']),
  // Outside of its JSON strings.
  call: new Set(['header', ...FENCES, ...SECTIONS, 'call', 'edit']),
  // Only in the fence's own column, where no YAML scalar stands.
  envelope: new Set(['header', ...FENCES, ...SECTIONS, 'call']),
}

/** What begins at `at`, as far as it is seen there. The indentation is already past. */
export function seenIn(s: ScanState, within: Within, at: number): Beginning | undefined {
  const begins = within === 'text' && isFencedCall(s, at) ? 'call' : beginning(s, at)
  return begins !== undefined && SEEN_IN[within].has(begins) ? begins : undefined
}

/** A bullet with a block behind it, which it would open in text. */
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

/** A fence that a dialect has around its calls. */
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
