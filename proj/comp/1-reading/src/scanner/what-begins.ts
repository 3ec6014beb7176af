import { beginsEdit } from './edits/edit-lines.js'
import { isBlockFence, readFenceOpener } from './fences.js'
import { mayBeMarker, readEndMarker, readHeader, TOOL_CALL_OPEN } from './grammar.js'
import type { ScanState } from './scan-state.js'
import { sectionAt } from './section-kinds.js'

/** What a line can begin outside of heredocs, by its first characters. */
export type Beginning =
  | 'header' | 'end marker' | 'hermes fence' | 'other fence' | 'call' | 'edit' | 'comment' | 'section'

/** What can be open without a heredoc; a section and a comment know only their closer. */
export type Unclosed = 'block' | 'block in a fence' | 'call' | 'envelope'

/**
 * What ends a block that lacks its own end (contract section 1, 'what a forgotten terminator costs'). A row for what is
 * open; whatever is not named in it is content. Reading goes on at the line that ends it, which then means what it
 * means anywhere:
 *
 *     #!SHAM [@three-char-SHA-256: abc]
 *     action = "ls"
 *     <tool_call>{"name": "ls"}</tool_call>      ← ends block abc, and is a call
 *     ^^^^^^^^^^^
 */
export const ENDED_BY: Readonly<Record<Unclosed, ReadonlySet<Beginning>>> = {
  block: new Set(['header', 'end marker', 'hermes fence', 'other fence', 'call', 'edit', 'comment', 'section']),
  // Calls, comments and sections have no meaning inside a fence; its own edge ends the block as well.
  'block in a fence': new Set(['header', 'end marker', 'hermes fence', 'other fence', 'edit']),
  // Only outside of JSON strings.
  call: new Set(['header', 'hermes fence', 'other fence', 'call', 'edit', 'comment', 'section']),
  // Only in the fence's own column, where no YAML scalar stands.
  envelope: new Set(['header', 'hermes fence', 'call']),
}

/** What ends `open` at `at`, if anything there does. The indentation is already past. */
export function endsUnclosed(s: ScanState, open: Unclosed, at: number): Beginning | undefined {
  const begins = beginning(s, at)
  return begins !== undefined && ENDED_BY[open].has(begins) ? begins : undefined
}

function beginning(s: ScanState, at: number): Beginning | undefined {
  const text = s.region
  const code = text.charCodeAt(at)
  if (code === 0x60 || code === 0x7e) {
    const fence = readFenceOpener(text, at, s.end)
    return fence && (isBlockFence(fence.info) ? 'hermes fence' : 'other fence')
  }
  if (code === 0x3c) {
    if (text.startsWith(TOOL_CALL_OPEN, at)) return 'call'
    if (text.startsWith('<!--', at)) return 'comment'
  }
  if (sectionAt(text, at, s.end)) return 'section'
  if (mayBeMarker(code)) {
    const line = text.slice(at, s.end)
    if (readHeader(line)) return 'header'
    if (readEndMarker(line)) return 'end marker'
  }
  return beginsEdit(s, at) ? 'edit' : undefined
}
