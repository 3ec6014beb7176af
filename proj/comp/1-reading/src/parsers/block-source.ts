import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import type { EnvelopeItem, ShamItem, ToolCallItem } from '../scanner/index.js'

/** What a block was read from: what its verb finds wrong with it is mended where it stands. */
export type BlockSource = ShamItem | ToolCallItem | (EnvelopeItem & {
  /** Its document: where that begins in the content, and which of a list the block is. */
  document: { text: string; offset: number; at?: number }
})

/** As long as their blocks are there: a stream lets go of both. */
export const BLOCK_SOURCES = new WeakMap<ParsedBlock, BlockSource>()
