import { Fragment, type ComponentChildren } from 'preact'
import type { FileHead } from '../file-groups.js'
import type { PageItem } from '../run-page-model.js'
import { Card, type CardSlots } from './card.js'
import { Visible } from './code-text.js'
import { LineCounts } from './diff-view.js'
import { Windowed } from './windowed.js'

interface Props {
  items: readonly PageItem[]
  /** What stands above cards, by their keys: where those of a file begin. */
  heads: ReadonlyMap<string, FileHead> | undefined
  current: string | undefined
  isOpen: (key: string) => boolean
  sourceOf: (item: PageItem) => string | undefined
  hooksOf: ReadonlyMap<string, readonly PageItem[]>
  slots: CardSlots | undefined
  onToggle: (key: string) => void
  onLine: ((line: number) => void) | undefined
  onItem: (key: string) => void
  nothing: ComponentChildren
}

/** Cards that are drawn, and left out, together. */
const PART = 4
/** About the pixels of a closed card, and of an open one. */
const [CLOSED, OPEN] = [72, 900]

/** The cards of a run; only those near the window are in the document. */
export function CardList(props: Props) {
  const { items, heads, current, isOpen, sourceOf, hooksOf, slots, onToggle, onLine, onItem, nothing } = props
  const pinned = current === undefined ? undefined : items.findIndex(({ key }) => key === current)
  const estimate = (from: number, to: number): number => (
    items.slice(from, to).reduce((sum, { key }) => sum + (isOpen(key) ? OPEN : CLOSED), 0)
  )
  return <section class="cards" aria-label="Blocks">
    <Windowed count={items.length} size={PART} estimate={estimate} pinned={pinned} draw={(from, to) => (
      items.slice(from, to).map((item, index) => <Fragment key={item.key}>
        <Head head={heads?.get(item.key)} />
        {slots?.before?.(item)}
        <Card item={item} position={from + index + 1} count={items.length} isOpen={isOpen(item.key)}
          isCurrent={item.key === current} source={sourceOf(item)} slots={slots} onToggle={onToggle} onLine={onLine}
          hooks={item.blockId === undefined ? undefined : hooksOf.get(item.blockId)} onItem={onItem} />
      </Fragment>)
    )} />
    {slots?.end}
    {items.length === 0 && (nothing ?? <p class="nothing">Nothing to show here.</p>)}
  </section>
}

/** Where the cards of a file begin: which, and what all of them do to it. */
function Head({ head }: { head: FileHead | undefined }) {
  if (!head) return null
  const { path, added, removed, words } = head
  return <h2 class="file-head">
    {path === undefined ? 'No file' : <span class="path"><Visible text={path} /></span>}{' '}
    <LineCounts added={added} removed={removed} />{' '}<span class="meta">{words}</span>
  </h2>
}
