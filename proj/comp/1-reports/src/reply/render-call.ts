import type { ActionResult } from '../../../0-contracts/src/index.js'
import { contentsOf } from './contents.js'
import { DEFAULT_CALL_TOKENS } from './limits.js'
import { shareRoom } from './share-room.js'

/** What one call gave, as text for a model. */
export interface CallText {
  text: string
  /** The text is not all of it; it says where the rest is. */
  truncated: boolean
}

/**
 * What one call gave, in at most `tokens`: contents as they are, lists a row a line, cut at lines, with the call that
 * reads on. The one bound of what models are given of a call; the data of the result stays whole.
 *
 * @param wholeIn where all of it is kept, for the line that says so
 */
export function renderCall(
  result: Pick<ActionResult, 'action' | 'params' | 'ranAs' | 'data'>,
  { tokens = DEFAULT_CALL_TOKENS, wholeIn }: { tokens?: number; wholeIn?: string } = {},
): CallText {
  const { parts, isCut } = shareRoom(contentsOf(result, wholeIn), tokens, { isMarked: false })
  const lines = parts.flatMap(({ lines: each }) => each)
  return { text: lines.length === 0 ? 'Done.' : lines.join('\n'), truncated: isCut }
}
