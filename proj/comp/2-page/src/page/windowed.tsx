import type { ComponentChildren } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ViewContext } from './view.js'

interface Props {
  count: number
  /** Items of a part: parts are drawn and left out as a whole. */
  size: number
  /** About the height of items, in pixels, until they have been seen. */
  estimate: (from: number, to: number) => number
  /** Drawn wherever it is: it is to be scrolled to. */
  pinned?: number | undefined
  draw: (from: number, to: number) => ComponentChildren
}

/** A list of any length of which only what is near the window is in the document. */
export function Windowed({ count, size, estimate, pinned, draw }: Props) {
  if (count <= size) return <>{count > 0 && draw(0, count)}</>
  const parts = Array.from({ length: Math.ceil(count / size) }, (_, index) => index)
  return <>{parts.map((part) => {
    const [from, to] = [part * size, Math.min(count, (part + 1) * size)]
    const isPinned = pinned !== undefined && pinned >= from && pinned < to
    return <Part key={part} isFirst={part === 0} isPinned={isPinned} estimate={estimate(
      from, to,
    )} from={from} to={to} draw={draw} />
  })}</>
}

interface PartProps {
  isFirst: boolean
  isPinned: boolean
  estimate: number
  from: number
  to: number
  draw: Props['draw']
}

const near = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

function observe(element: Element, tell: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) near.get(target)?.(isIntersecting)
  }, { rootMargin: '700px 0px' })
  near.set(element, tell)
  observer.observe(element)
  return () => observer?.unobserve(element)
}

function Part({ isFirst, isPinned, estimate, from, to, draw }: PartProps) {
  const { isPrinting } = useContext(ViewContext)
  const [isNear, setNear] = useState(isFirst)
  const element = useRef<HTMLDivElement>(null)
  /** As it was when it was last seen; while the same is to be expected. */
  const height = useRef<{ pixels: number; estimate: number }>(undefined)
  const expected = useRef(estimate)
  expected.current = estimate
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return undefined
    return observe(current, (isNow) => {
      // What it takes up while it is left out, so that nothing jumps.
      if (!isNow && current.firstChild) height.current = { pixels: current.offsetHeight, estimate: expected.current }
      setNear(isNow)
    })
  }, [])
  const pixels = height.current?.estimate === estimate ? height.current.pixels : estimate
  const isShown = isNear || isPinned || isPrinting
  return <div ref={element} class="part" style={isShown ? { height: 'auto' } : { height: `${pixels}px` }}>
    {isShown ? draw(from, to) : null}
  </div>
}
