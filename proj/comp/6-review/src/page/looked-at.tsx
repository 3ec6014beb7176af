import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PageItem } from '../../../2-page/src/index.js'
import { cardId } from '../../../2-page/src/page/index.js'
import type { ReviewItem } from '../review-state.js'

/** What of a card has to have been on the screen: what it changes or, where that is nothing, its text. */
const CHANGED = '.card-head, .ask, .change .change-head, .change tr:not(.hunk), .change .note'
const PLAIN = '.card-head, .ask, .source[open] .line'
/** Of a long text only parts near the window are drawn; one that is not drawn has to have been on the screen before. */
const PART = '.source[open] .part'
/** Folded lines have not been on the screen. */
const [FOLDED_CHANGE, FOLDED_TEXT] = ['.change .more', '.source[open] .more']

export interface LookedAt {
  /** Blocks that would run and have not been on the screen as a whole. */
  unseen: readonly ReviewItem[]
  /** Goes to the next part of a card that was not on the screen yet. @param reach opens a card and goes there */
  showNext: (key: string, reach: (key: string) => void) => void
}

/** Follows which cards have been on the screen, as they are now: a card that changes has to be looked at again. */
export function useLookedAt(items: readonly ReviewItem[]): LookedAt {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map())
  const screen = useMemo(() => new Screen(), [])
  const marks = useMemo(() => new Map(items.map(({ key, card }) => [key, markOf(card)])), [items])
  useEffect(() => screen.watch(marks, (keys) => setSeen((before) => {
    const added = keys.filter((key) => before.get(key) !== marks.get(key))
      .map((key) => [key, marks.get(key) ?? ''] as const)
    return added.length === 0 ? before : new Map([...before, ...added])
  })), [screen, marks])
  const unseen = useMemo(() => items.filter(({ key, ticked, card }) => (
    ticked && card.state === 'pending' && seen.get(key) !== marks.get(key)
  )), [items, seen, marks])
  return { unseen, showNext: (key, reach) => screen.showNext(key, reach) }
}

const known = new WeakMap<PageItem, string>()

/** Another text where the card shows something else. */
function markOf(card: PageItem): string {
  let mark = known.get(card)
  if (mark === undefined) {
    mark = JSON.stringify([card.subject, card.changes, card.source])
    known.set(card, mark)
  }
  return mark
}

/** What has been in the window. */
class Screen {
  /** Elements that were, with what their card showed then: elements are used again for other content. */
  readonly #shown = new WeakMap<Element, string | undefined>()
  #marks: ReadonlyMap<string, string> = new Map()

  /**
   * @param marks of the cards, by key
   * @param tell is given the keys of cards that have been shown as a whole
   * @returns what ends it
   */
  watch(marks: ReadonlyMap<string, string>, tell: (keys: string[]) => void): () => void {
    this.#marks = marks
    let frame = 0
    const watched = new WeakSet<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue
        const card = target.closest<HTMLElement>('.card[data-key]')
        if (card) this.#shown.set(target, this.#markOf(card))
        observer.unobserve(target)
      }
      later()
    })
    const look = (): void => {
      const whole: string[] = []
      for (const card of document.querySelectorAll<HTMLElement>('.card[data-key]')) {
        const left = this.#left(card)
        for (const element of left) {
          // That the place of a part is on the screen says nothing of its lines.
          if (!watched.has(element) && !element.matches(PART)) observer.observe(element)
          watched.add(element)
        }
        const { key } = card.dataset
        if (key !== undefined && left.length === 0 && foldedOf(card) === null) whole.push(key)
      }
      tell(whole)
    }
    const later = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    const drawn = new MutationObserver(later)
    drawn.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['open'] })
    later()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      drawn.disconnect()
    }
  }

  showNext(key: string, reach: (key: string) => void): void {
    const card = document.getElementById(cardId(key))
    if (!card?.querySelector('.card-body')) {
      reach(key)
      // It is drawn in the first frame, and scrolled to in the second.
      requestAnimationFrame(() => requestAnimationFrame(() => this.#scroll(key)))
    } else this.#scroll(key)
  }

  #scroll(key: string): void {
    const card = document.getElementById(cardId(key))
    if (!card) return
    const [first] = this.#left(card)
    if (first) first.scrollIntoView({ block: 'start' })
    else foldedOf(card)?.click()
  }

  /** What of a card was not shown yet. A closed one has none of it. */
  #left(card: HTMLElement): Element[] {
    const body = card.querySelector('.card-body')
    if (hasChange(card)) return this.#unseen(card, card.querySelectorAll(CHANGED))
    for (const part of card.querySelectorAll(PART)) {
      const lines = part.querySelectorAll('.line')
      if (lines.length > 0 && this.#unseen(card, lines).length === 0) this.#shown.set(part, this.#markOf(card))
    }
    // Lines are drawn anew with their part, also where it was read before.
    const left = this.#unseen(card, card.querySelectorAll(`${PLAIN}, ${PART}:empty`))
      .filter((element) => !this.#isOfReadPart(card, element))
    return body ? left : [...left, card]
  }

  #unseen(card: HTMLElement, elements: Iterable<Element>): Element[] {
    const mark = this.#markOf(card)
    return [...elements].filter((element) => !this.#shown.has(element) || this.#shown.get(element) !== mark)
  }

  #isOfReadPart(card: HTMLElement, element: Element): boolean {
    const part = element.closest(PART)
    return part !== null && this.#unseen(card, [part]).length === 0
  }

  #markOf({ dataset: { key = '' } }: HTMLElement): string | undefined {
    return this.#marks.get(key)
  }
}

function hasChange(card: HTMLElement): boolean {
  return card.querySelector('.card-body .change') !== null
}

function foldedOf(card: HTMLElement): HTMLElement | null {
  return card.querySelector(hasChange(card) ? FOLDED_CHANGE : FOLDED_TEXT)
}
