import { CodeSpans } from './code-spans.js'
import { actionAtFalseBreak } from './false-breaks.js'
import { isBlockFence, readFenceOpener, skipInvisible } from './fences.js'
import { headerLine, mayBeMarker, readHeader, TOOL_CALL_OPEN, type Header } from './grammar.js'
import { openQuotingFence } from './quoting-fence.js'
import { CALL_HINT } from './radar/index.js'
import type { ScanState } from './scan-state.js'
import { openBlock } from './sham-lines.js'

/** Longest line that can be a header in backticks. */
const LONGEST_QUOTED = 300

/** Handles markers whose flaw is invisible: in backticks, behind invisible characters, or escaped for HTML. */
export function hiddenMarker(s: ScanState, from: number): boolean {
  const code = s.region.charCodeAt(from)
  if (code === 0x60) return quotedHeader(s, from) || brokenLines(s, from)
  if (code === 0x26) return escapedCall(s, from)
  if (code >= 0x80) {
    const at = skipInvisible(s.region, from, s.end)
    if (at > from && behindInvisible(s, at, nameOf(code))) return true
  }
  return brokenLines(s, from)
}

/**
 *     `#!SHAM [@three-char-SHA-256: abc]`
 *     ^ alone on its line
 */
function quotedHeader(s: ScanState, from: number): boolean {
  if (s.end - from > LONGEST_QUOTED) return false
  const inner = /^(`{1,3})[ \t]*([^`]*\[[^`]*)\1[ \t]*$/.exec(s.region.slice(from, s.end))?.[2]?.trimEnd()
  const header = inner === undefined ? undefined : readHeader(inner)
  if (!header) return false
  recognise(s, header, from, 'A header in backticks opens no block', 'without backticks, alone on its line.')
  return true
}

function behindInvisible(s: ScanState, at: number, name: string): boolean {
  const header = mayBeMarker(s.region.charCodeAt(at)) ? readHeader(s.region.slice(at, s.end)) : undefined
  if (header) {
    recognise(s, header, at, `A header opens no block behind ${name}`, 'with nothing but spaces before it.')
    return true
  }
  if (s.region.startsWith(TOOL_CALL_OPEN, at)) {
    s.nearMiss(s.error('NOT_LIVE', `A tool call does not count behind ${name}`, at, TOOL_CALL_OPEN.length, CALL_HINT))
    return true
  }
  const fence = readFenceOpener(s.region, at, s.end)
  if (!fence || !isBlockFence(fence.info)) return false
  s.paragraph = false
  const line = fence.char.repeat(fence.length) + fence.info
  s.nearMiss(s.error('NOT_LIVE', `A fence does not open behind ${name}`, at, fence.length,
    `Write ${line} with nothing but spaces before it, its closing line too.`))
  // What it quotes must not run; its closing line may stand behind the same invisible characters.
  openQuotingFence(s, { ...fence, isHidden: true }, 0, false)
  return true
}

function escapedCall(s: ScanState, from: number): boolean {
  const tag = /^&lt;tool[-_ ]?calls?&gt;(?=[ \t]*(?:\{|$))/i.exec(s.region.slice(from, Math.min(s.end, from + 60)))
  if (!tag) return false
  s.nearMiss(s.error('INVALID_TOOL_CALL', `The tag ${tag[0]} is escaped for HTML`, from, tag[0].length, CALL_HINT))
  return true
}

/**
 * Handles openers beside lone CRs, U+2028 or a literal `
 * `: one error for the line, since only LF ends lines.
 */
function brokenLines(s: ScanState, from: number): boolean {
  if (!s.openers.isIn(s.region, from, s.end)) return false
  const line = s.region.slice(from, s.end)
  const spans = new CodeSpans(line)
  const falseBreak = actionAtFalseBreak(line, (at) => spans.has(at))
  if (!falseBreak) return false
  const { name, at, opener } = falseBreak
  const isString = name.includes('\\n') && /^["']/.test(line)
  const message = isString ? 'Text written as one JSON string, with \\n in place of line breaks, is not read'
    : `Lines end in LF, and this one holds ${name} in place of a line break`
  const hint = 'Write the text again with real line breaks, so that each marker stands on a line of its own.'
  const header = opener.startsWith('#') ? readHeader(line.slice(at)) : undefined
  if (header && !header.isWhole) {
    recognise(s, header, from + at, message, 'after a real line break (LF).')
    return true
  }
  const code = header ? 'MALFORMED_HEADER' : opener.startsWith('<') ? 'INVALID_TOOL_CALL' : 'INVALID_ENVELOPE'
  s.nearMiss(s.error(code, message, from + at, opener.length, hint), header?.id)
  return true
}

/** Opens a block for a malformed header, so that what the block quotes never runs. */
function recognise(s: ScanState, header: Header, at: number, message: string, how: string): void {
  s.leaveProse()
  const hint = `Write ${headerLine(header.dialect, header.id ?? 'abc')} ${how}`
  openBlock(s, { ...header, problem: { code: 'MALFORMED_HEADER', message, hint, column: 1, length: 0 } }, at, 0)
}

function nameOf(code: number): string {
  if (code === 0xfeff) return 'a byte order mark'
  return code === 0xa0 || code === 0x202f ? 'a no-break space'
    : (code >= 0x200b && code <= 0x200d) || code === 0x2060 ? 'a zero-width space' : 'a space that is not ASCII'
}
