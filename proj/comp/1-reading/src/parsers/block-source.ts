import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import type { EnvelopeItem, ShamItem, ToolCallItem } from '../scanner/index.js'

/** What a block was read from: what its verb finds wrong with it is mended where it stands. */
export type BlockSource = ShamItem | ToolCallItem | (EnvelopeItem & {
  /** Its document: where that begins in the content, and which of a list the block is. */
  document: { text: string; offset: number; at?: number }
})

/** As long as their blocks are there: a stream lets go of both. */
const sources = new WeakMap<ParsedBlock, BlockSource>()

export function keepSource(block: ParsedBlock, source: BlockSource): void {
  sources.set(block, source)
}

export function sourceOf(block: ParsedBlock): BlockSource | undefined {
  return sources.get(block)
}
