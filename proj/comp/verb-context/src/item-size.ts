import type { ContextItem, VerbContext } from '../../contracts/src/index.js'
import { approveIfAllowed } from '../../verb-paths/src/index.js'

/** Bytes of the item's file; `undefined` when there is no such file any more, or it may not be read any more. */
export function itemSize(item: ContextItem, { gate, files }: Pick<VerbContext, 'gate' | 'files'>): number | undefined {
  const path = approveIfAllowed(gate, item.resolved, 'read')
  const found = path && files.stat(path)
  return found?.kind === 'file' ? found.size : undefined
}
