import { skipIndent } from './columns.js'
import { matchContainers } from './containers.js'
import { closesFence, readFenceOpener, readGluedOpener } from './fences.js'
import type { OpenFence, ScanState } from './scan-state.js'

/** Where the current line stands towards the fence around it. */
export function fenceEdge(s: ScanState): 'inside' | 'outside' | 'edge' {
  const cursor = { at: s.at, column: 0 }
  if (matchContainers(s.list, s.region, cursor, s.end) < s.list.length) return 'outside'
  if (skipIndent(s.region, cursor, s.end) > 3) return 'inside'
  return readFenceOpener(s.region, cursor.at, s.end) || closesFence(s.fence!, s.region, cursor.at, s.end)
    ? 'edge' : 'inside'
}

/**
 * Whether the current line ends the fence around a patch or diff. Its lines begin with a sign, so that a fence they
 * show stands further in than the closing one.
 */
export function leavesFence(s: ScanState, fence: OpenFence): boolean {
  const cursor = { at: s.at, column: 0 }
  if (matchContainers(s.list, s.region, cursor, s.end) < s.list.length) return true
  if (skipIndent(s.region, cursor, s.end) > fence.indent) return false
  return closesFence(fence, s.region, cursor.at, s.end)
    || readGluedOpener(fence, s.region, cursor.at, s.end) !== undefined
}
