import { isBlockFence, languageOf } from './fences.js'
import type { OpenFence, ScanState } from './scan-state.js'

/** Why the current line is quoted by what is open; `''` where it is live, or belongs to an open block. */
export function quotedBecause(s: ScanState): string {
  if (s.section) return s.section.reason
  if (s.comment) return s.comment.reason
  return s.fence ? fenceReason(s.fence) : ''
}

/** What a fence says of the blocks that it quotes. */
export function fenceReason(fence: OpenFence): string {
  return fence.live || isBlockFence(fence.info) ? 'inside another fence'
    : `in a fence of language ${languageOf(fence.info)}`
}

export const ASIDE_REASONS = { blockquote: 'in a blockquote', indented: 'indented four or more columns' } as const
export const COMMENT_REASON = 'in an HTML comment'
