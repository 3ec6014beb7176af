import type { PageItem } from '../run-page-model.js'
import { Card, type CardSlots } from './card.js'
import { Windowed } from './windowed.js'

interface Props {
  items: readonly PageItem[]
  current: string | undefined
  isOpen: (key: string) => boolean
  sourceOf: (item: PageItem) => string | undefined
  hooksOf: ReadonlyMap<string, readonly PageItem[]>
  slots: CardSlots | undefined
  onToggle: (key: string) => void
  onLine: ((line: number) => void) | undefined
  onItem: (key: string) => void
}

/** Cards that are drawn, and left out, together. */
const PART = 4
/** About the pixels of a closed card, and of an open one. */
const [CLOSED, OPEN] = [72, 900]

/** The cards of a run; only those near the window are in the document. */
export function CardList({ items, current, isOpen, sourceOf, hooksOf, slots, onToggle, onLine, onItem }: Props) {
  const pinned = current === undefined ? undefined : items.findIndex(({ key }) => key === current)
  const estimate = (from: number, to: number): number => (
    items.slice(from, to).reduce((sum, { key }) => sum + (isOpen(key) ? OPEN : CLOSED), 0)
  )
  return <div class="cards" role="feed" aria-label="Blocks" aria-busy={false}>
    <Windowed count={items.length} size={PART} estimate={estimate} pinned={pinned} draw={(from, to) => (
      items.slice(from, to).map((item, index) => (
        <Card key={item.key} item={item} position={from + index + 1} count={items.length} isOpen={isOpen(item.key)}
          isCurrent={item.key === current} source={sourceOf(item)} slots={slots} onToggle={onToggle} onLine={onLine}
          hooks={item.blockId === undefined ? undefined : hooksOf.get(item.blockId)} onItem={onItem} />
      ))
    )} />
    {items.length === 0 && <p class="nothing">Nothing to show here.</p>}
  </div>
}
