import { useEffect } from 'preact/hooks'

/** Places that are marked at most. */
const MOST = 2000
const NAME = 'found'
const LINES = '.line, .markdown, .card-toggle, .outcome, .error, .hint, .reason, .path, .id'

/** Marks what is searched for in what is drawn, without touching it. */
export function useMarks(query: string): void {
  useEffect(() => {
    if (query === '' || !('highlights' in CSS)) return undefined
    let frame = 0
    const update = (): void => {
      CSS.highlights.set(NAME, new Highlight(...rangesOf(query.toLowerCase())))
    }
    const later = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(update)
    }
    later()
    const observer = new MutationObserver(later)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      CSS.highlights.delete(NAME)
    }
  }, [query])
}

function rangesOf(query: string): Range[] {
  const ranges: Range[] = []
  for (const element of document.querySelectorAll(`main :is(${LINES})`)) {
    // A line's text may be in many nodes: one for each colour.
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode as Text)
    const text = nodes.map(({ data }) => data).join('').toLowerCase()
    for (let at = text.indexOf(query); at !== -1 && ranges.length < MOST; at = text.indexOf(query, at + query.length)) {
      const [start, end] = [pointOf(nodes, at), pointOf(nodes, at + query.length)]
      if (!start || !end) break
      const range = new Range()
      range.setStart(...start)
      range.setEnd(...end)
      ranges.push(range)
    }
    if (ranges.length >= MOST) break
  }
  return ranges
}

function pointOf(nodes: readonly Text[], offset: number): [Text, number] | undefined {
  let left = offset
  for (const node of nodes) {
    if (left <= node.length) return [node, left]
    left -= node.length
  }
  return undefined
}
