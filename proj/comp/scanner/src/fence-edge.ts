import { skipIndent } from './columns.js'
import { matchContainers } from './containers.js'
import { closesFence, readFenceOpener } from './fences.js'
import type { ScanState } from './scan-state.js'

/** Where the current line stands towards the fence around it. */
export function fenceEdge(s: ScanState): 'inside' | 'outside' | 'edge' {
  const cursor = { at: s.at, column: 0 }
  const matched = matchContainers(s.list, s.region, cursor, s.end)
  if (matched < s.list.length) return 'outside'
  if (skipIndent(s.region, cursor, s.end) > 3) return 'inside'
  return readFenceOpener(s.region, cursor.at, s.end) || closesFence(s.fence!, s.region, cursor.at, s.end) ? 'edge' : 'inside'
}
