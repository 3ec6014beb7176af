import { addTo, valueAt } from '../../0-text/src/index.js'
import type { PageChange, PageItem } from './run-page-model.js'

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
    const known = valueAt(groups, path, () => ({ items: [], added: 0, removed: 0 }))
    if (known.items.at(-1) !== item) known.items.push(item)
    return known
  }
  for (const item of items) {
    for (const { path, added, removed } of toFiles(item)) {
      const group = groupOf(path, item)
      group.added += added
      group.removed += removed
    }
    if (item.changes.length === 0 && item.file !== undefined) groupOf(item.file, item)
  }
  return [...groups].map(([path, group]) => ({ path, ...group }))
}

/** Whether a file has several blocks: those are looked at best beside each other. */
export function hasSharedFiles(items: readonly PageItem[]): boolean {
  return fileGroups(items).some(({ items: ofFile }) => ofFile.length > 1)
}

/** The file under which a card stands where cards stand by file: of several the first. */
export function fileOf(item: PageItem): string | undefined {
  return toFiles(item)[0]?.path ?? item.file
}

/** Changes without the directories that were made for files. */
function toFiles({ changes }: PageItem): readonly PageChange[] {
  const ofFiles = changes.filter(({ kind }) => !kind.endsWith('-directory'))
  return ofFiles.length > 0 ? ofFiles : changes
}

/** What stands above the cards of a file. */
export interface FileHead {
  /** `undefined`: above those that are of no file. */
  path: string | undefined
  added: number
  removed: number
  /** How many blocks, and how many of them failed. */
  words: string
}

/** By the key of the first card of each file, of cards that stand by file. */
export function fileHeads(items: readonly PageItem[]): ReadonlyMap<string, FileHead> {
  const groups = new Map(fileGroups(items).map((group) => [group.path, group]))
  const heads = new Map<string, FileHead>()
  items.forEach((item, at) => {
    const path = fileOf(item)
    const before = items[at - 1]
    if (before && fileOf(before) === path) return
    const { items: ofFile, added, removed } = (path === undefined ? undefined : groups.get(path))
      ?? { items: items.slice(at), added: 0, removed: 0 }
    heads.set(item.key, { path, added, removed, words: countWords(ofFile) })
  })
  return heads
}

function countWords(items: readonly PageItem[]): string {
  const failed = items.filter(({ state }) => state === 'failed' || state === 'unparsed').length
  const blocks = items.length === 1 ? '1 block' : `${items.length.toLocaleString('en')} blocks`
  return failed === 0 ? blocks : `${blocks}, ${failed.toLocaleString('en')} with an error`
}

/** Cards by file: those of one file together, in text order, files as they are first named; then those of no file. */
export function inFileOrder(items: readonly PageItem[]): PageItem[] {
  const byFile = new Map<string | undefined, PageItem[]>()
  for (const item of items) addTo(byFile, fileOf(item), item)
  const others = byFile.get(undefined) ?? []
  byFile.delete(undefined)
  return [...[...byFile.values()].flat(), ...others]
}
