import type { FileChange, ParsedBlock } from '../../../0-contracts/src/index.js'
import type { ReadEvent } from '../../../1-reading/src/index.js'
import type { BlockRun, RunParts } from './run-parts.js'

/** One of several blocks that were written together. */
export interface RanBlock {
  block: ParsedBlock
  run: BlockRun
  durationMs: number
  /** What is told of it. */
  changes: readonly FileChange[]
  /** What it had a part in. */
  written: readonly FileChange[]
}

/** Runs one block. Never rejects. */
export type Attempt = (block: ParsedBlock, parts: RunParts) => Promise<BlockRun>

export function blockOf(event: ReadEvent | undefined): ParsedBlock | undefined {
  return event?.type === 'block' ? event.block : undefined
}
