import { stripColumns } from '../columns.js'
import type { OpenTakenFence } from './edit-state.js'
import { isLiveLanguage, readFenceOpener, type FenceOpener } from '../fences.js'
import { lineError, type ScanError } from '../items.js'
import { openQuotingFence } from '../quoting-fence.js'
import type { ScanState } from '../scan-state.js'

/** State of a fence that opens on the current line and whose text is kept. */
export function takenFence(s: ScanState, opener: FenceOpener, indent: number): OpenTakenFence {
  return {
    ...opener, indent, startLine: s.line, start: s.abs(s.lineStart),
    column: s.list.reduce((sum, item) => sum + item.width, indent), lines: [], errors: [], undecided: true,
    innerFence: 0,
  }
}

/** It turns out that the fence is no edit and no call: from the current line on it is read as any other. */
export function giveUpFence(s: ScanState, fence: OpenTakenFence): number {
  s.edit = undefined
  openQuotingFence(s, fence, fence.indent, isLiveLanguage(fence.info), fence.startLine)
  return s.at
}

/** Notes a fence that opens inside with the same sign, and so closes together with the outer one. */
export function noteInnerFence(s: ScanState, fence: OpenTakenFence, at: number): void {
  const inner = readFenceOpener(s.region, at, s.end)
  if (inner && inner.char === fence.char && inner.length >= fence.length) fence.innerFence ||= s.line
}

/** Adds the current line to the fence's text. */
export function takeLine(s: ScanState, fence: OpenTakenFence): void {
  fence.lines.push(s.region.slice(stripColumns(s.region, s.at, s.end, fence.column), s.next))
}

/** @param what the fence is, for the sentence */
export function endInDoubt(
  code: ScanError['code'], { char, length, innerFence }: OpenTakenFence, what: string,
): ScanError {
  const run = char.repeat(length)
  return lineError(code, innerFence,
    `The ${what} holds a fence of its own in line ${innerFence}, so where it ends is in doubt`,
    `Put the whole ${what} between longer fences: ${run}${char} instead of ${run}.`)
}

export function notClosed({ char, length, startLine }: OpenTakenFence, fence: string, what: string): ScanError {
  const hint = `Write the whole ${what} again and close its fence with ${char.repeat(length)}.`
  return lineError('UNCLOSED_BLOCK', startLine, `The ${fence} is not closed`, hint, length)
}
