import type { PageItem } from './run-page-model.js'

/** What the blocks of an answer do to one file. */
export interface FileGroup {
  path: string
  /** In text order. */
  items: readonly PageItem[]
  /** Lines, over all of them. */
  added: number
  removed: number
}

/** The files that blocks change, or failed to change, in the order in which they are first named. */
export function fileGroups(items: readonly PageItem[]): FileGroup[] {
  const groups = new Map<string, { items: PageItem[]; added: number; removed: number }>()
  const groupOf = (path: string, item: PageItem) => {
    const known = groups.get(path) ?? { items: [], added: 0, removed: 0 }
    groups.set(path, known)
    if (known.items.at(-1) !== item) known.items.push(item)
    return known
  }
  for (const item of items) {
    for (const { path, added, removed } of item.changes) {
      const group = groupOf(path, item)
      group.added += added
      group.removed += removed
    }
    if (item.changes.length === 0 && item.file !== undefined) groupOf(item.file, item)
  }
  return [...groups].map(([path, group]) => ({ path, ...group }))
}

/** The file under which a card stands where cards stand by file: of several the first. */
export function fileOf({ changes: [change], file }: PageItem): string | undefined {
  return change?.path ?? file
}

/** Cards by file: those of one file together, in text order, files as they are first named; then those of no file. */
export function inFileOrder(items: readonly PageItem[]): PageItem[] {
  const byFile = new Map<string | undefined, PageItem[]>()
  for (const item of items) {
    const path = fileOf(item)
    const known = byFile.get(path)
    if (known) known.push(item)
    else byFile.set(path, [item])
  }
  const others = byFile.get(undefined) ?? []
  byFile.delete(undefined)
  return [...[...byFile.values()].flat(), ...others]
}
