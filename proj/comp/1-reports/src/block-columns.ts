import { oneLine } from './safe-text.js'

/** How wide the columns of lists of blocks are, in UTF-16 units. */
export interface BlockColumns {
  id: number
  action: number
}

const LEAST: BlockColumns = { id: 3, action: 18 }
/** One long name shall not push all others to the edge. */
const MOST: BlockColumns = { id: 16, action: 24 }

/** As wide as these blocks need. @param known of blocks that came before */
export function columnsFor(
  blocks: Iterable<{ id: string; action?: string }>, known: BlockColumns = LEAST,
): BlockColumns {
  let { id: ids, action: actions } = known
  for (const { id, action = '' } of blocks) {
    ids = Math.max(ids, Math.min(oneLine(id, 40).length, MOST.id))
    actions = Math.max(actions, Math.min(oneLine(action, 80).length, MOST.action))
  }
  return { id: ids, action: actions }
}

/** An id as its column has it. */
export function idColumn(id: string, { id: width }: BlockColumns = LEAST): string {
  return oneLine(id, 40).padEnd(width)
}

/** What stands in the column of actions. */
export function actionColumn(text: string, { action: width }: BlockColumns = LEAST): string {
  return text.padEnd(width)
}
