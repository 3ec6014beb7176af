import type { EndMarker } from './grammar.js'
import type { OpenBlock, ScanState } from './scan-state.js'
import { isTooLong, tooLong } from './too-long.js'

/** The end marker of this very block, spelled as its header is. */
export function isOwnEnd(block: OpenBlock, marker: EndMarker | undefined): boolean {
  return marker !== undefined && marker.exact && marker.dialect === block.dialect && marker.id === block.id
}

/**
 * Emits the open block, whose last line is `lastLine`; `end` is where its text ends, absolute. `open`: that is where
 * reading goes on, and what its lines hold may not be its content.
 */
export function endBlock(s: ScanState, block: OpenBlock, lastLine: number, end: number, own: 'own' | 'open' = 'own'): void {
  const isLong = block.isTooLong || isTooLong(s, block.start, end)
  s.block = undefined
  s.emit({
    kind: 'sham',
    dialect: block.dialect,
    id: block.id,
    startLine: block.startLine,
    endLine: Math.max(block.startLine, lastLine),
    source: s.sourceText(block.start, end).trimEnd(),
    body: block.nearMiss || isLong ? [] : block.body,
    errors: isLong ? [tooLong(s, block.startLine), ...block.errors] : block.errors,
    ...(own === 'open' && { isOpen: true }),
  })
}
