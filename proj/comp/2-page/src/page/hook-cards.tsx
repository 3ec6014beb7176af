import { useEffect, useRef, type StateUpdater, type Dispatch } from 'preact/hooks'
import type { PageItem } from '../run-page-model.js'

/** The hooks that ran for what a block wrote, by the block's id. */
export function hooksByBlock(items: readonly PageItem[]): ReadonlyMap<string, readonly PageItem[]> {
  const byBlock = new Map<string, PageItem[]>()
  for (const item of items) {
    for (const id of item.hook?.blocks ?? []) byBlock.set(id, [...byBlock.get(id) ?? [], item])
  }
  return byBlock
}

/** Opens each failed hook once, when it comes: what it printed is why the run failed. */
export function useOpenFailedHooks(
  items: readonly PageItem[], open: Dispatch<StateUpdater<ReadonlySet<string>>>,
): void {
  const seen = useRef(new Set<string>()).current
  useEffect(() => {
    const failed = items.filter(({ key, hook, state }) => hook && state === 'failed' && !seen.has(key))
      .map(({ key }) => key)
    if (failed.length === 0) return
    for (const key of failed) seen.add(key)
    open((before) => new Set([...before, ...failed]))
  }, [items])
}
