import { isNearEnvelopeFence, type FenceOpener } from './fences.js'
import type { ScanState } from './scan-state.js'

/** Opens a fence that is no envelope's, at `startLine`. */
export function openQuotingFence(
  s: ScanState, { char, length, info, isHidden }: FenceOpener, indent: number, live: boolean, startLine = s.line,
): void {
  s.fence = {
    char, length, info, indent, startLine, live, nearEnvelope: isNearEnvelopeFence(info), inner: undefined,
    quotes: undefined, edits: 'unknown', preamble: 0, noticed: undefined, namesFile: undefined, isDiff: false,
    showsBlocks: false, hidden: [],
    ...(isHidden && { isHidden }),
  }
}
