import type { Fix } from '../../../0-contracts/src/index.js'
import { applyFix, BlockScanner, type ScanItem } from '../scanner/index.js'
import type { FailedBlock, ReadBlock, ReadEvent } from './read-event.js'

/** The block without a fix that does not mend it: its text is read again, alone, with the fix in it. */
export function proven(read: ReadBlock, text: string, again: (item: ScanItem) => ReadEvent[]): ReadBlock {
  if (read.type === 'block') return read
  const { fix } = read.errors[0]?.error ?? {}
  return fix === undefined || mends(read, fix, text, again) ? read : withoutFix(read)
}

function mends(block: FailedBlock, fix: Fix, text: string, again: (item: ScanItem) => ReadEvent[]): boolean {
  const shift = block.startLine - 1
  const mended = applyFix(text, { ...fix, startLine: fix.startLine - shift, endLine: fix.endLine - shift })
  const events: ReadEvent[] = []
  const scanner = new BlockScanner((item) => events.push(...again(item)))
  scanner.push(dedented(mended))
  scanner.end()
  const [event] = events
  return events.length === 1 && event?.type === 'block' && event.block.id === block.blockId
}

/** Without the blanks its first line begins with, which may be those of a list item. Of a tab nothing is taken. */
function dedented(text: string): string {
  const columns = /^ */.exec(text)![0].length
  return columns === 0 ? text : text.replace(new RegExp(`^ {1,${columns}}`, 'gm'), '')
}

export function withoutFix(block: FailedBlock): FailedBlock {
  // Most have none, and a text can be nothing but errors.
  if (block.errors.every(({ error }) => error.fix === undefined)) return block
  const errors = block.errors.map((each) => {
    const { fix: _, ...error } = each.error
    return { ...each, error }
  })
  return { ...block, errors }
}
