import type { PageItem } from './run-page-model.js'

/**
 * By their first lines; what begins on one line stays in its order. Hooks come before and after the blocks,
 * as they ran.
 */
export function inTextOrder(items: readonly PageItem[]): PageItem[] {
  const rank = ({ hook, startLine }: PageItem): number => (hook && hook.on !== 'before'
    ? Number.MAX_SAFE_INTEGER : startLine)
  return [...items].sort((a, b) => rank(a) - rank(b))
}
