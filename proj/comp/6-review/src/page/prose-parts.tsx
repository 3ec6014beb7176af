import { MarkdownView, PlainText, proseText, Visible } from '../../../2-page/src/page/index.js'
import type { Prose } from '../prose.js'

const LONGEST_BEGINNING = 90

/** What the answer says around its blocks, closed: its first words tell whether to read on. */
export function ProsePart({ prose: { startLine, endLine, text, nodes } }: { prose: Prose }) {
  const words = (nodes.length === 0 ? text : proseText(nodes)).trim()
  const lines = words.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  // Marks of fences and sections tell nothing.
  const beginning = lines.find((line) => !/^[`~<]/.test(line)) ?? lines[0] ?? ''
  const isWhole = beginning.length <= LONGEST_BEGINNING && words === beginning
  return <details class="prose">
    <summary><span class="hidden">The answer says: </span><Visible text={beginning.slice(0, LONGEST_BEGINNING)} />
      {!isWhole && ' …'} <span class="meta">{startLine === endLine ? `line ${startLine}`
        : `lines ${startLine}–${endLine}`}</span></summary>
    <div class="said">{nodes.length === 0 ? <p><PlainText text={text.trim()} /></p>
      : <MarkdownView nodes={nodes} />}</div>
  </details>
}

/** The passages above each block, by its key, of blocks in text order; those below the last one have no key. */
export function proseAbove(
  prose: readonly Prose[], items: readonly { key: string; card: { startLine: number } }[],
): ReadonlyMap<string | undefined, readonly Prose[]> {
  const above = new Map<string | undefined, Prose[]>()
  let at = 0
  for (const passage of prose) {
    // Both are in text order.
    while (at < items.length && (items[at]?.card.startLine ?? 0) <= passage.startLine) at++
    const key = items[at]?.key
    above.set(key, [...above.get(key) ?? [], passage])
  }
  return above
}
