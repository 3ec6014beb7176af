import type { OpenBlock, ScanState } from './scan-state.js'

/** Emits the open block, whose last line is `lastLine`; `end` is where its text ends, absolute. */
export function endBlock(s: ScanState, block: OpenBlock, lastLine: number, end: number): void {
  s.block = undefined
  s.emit({
    kind: 'sham',
    dialect: block.dialect,
    id: block.id,
    startLine: block.startLine,
    endLine: Math.max(block.startLine, lastLine),
    source: s.sourceText(block.start, end).trimEnd(),
    body: block.nearMiss ? [] : block.body,
    errors: block.errors,
  })
}
