import type { ProsePart } from '../prose/answer-prose.js'
import { drawProse, type ProseNode } from '../prose/prose-node.js'
import type { PageItem } from '../run-page-model.js'
import { inTextOrder } from '../text-order.js'
import { element, joined, type Markup } from './markup.js'
import { cardLink } from './static-card.js'
import { leftOut, type Room } from './static-lines.js'

/** The answer as it reads: its prose, and in the place of each block a link that leads to it. */
export function staticAnswer(
  lines: readonly string[], items: readonly PageItem[], parts: readonly ProsePart[], room: Room,
): Markup[] {
  const links = inTextOrder(items.filter(({ hook }) => !hook)).map((item) => ({
    startLine: item.startLine, drawn: () => element('p', { class: 'in-place' }, cardLink(item)),
  }))
  const prose = parts.map(({ startLine, endLine, nodes }) => ({
    startLine, drawn: () => {
      const written = lines.slice(startLine - 1, endLine)
      return room.takes(written) ? staticProse(nodes) : leftOut(written.length)
    },
  }))
  return [...prose, ...links].sort((a, b) => a.startLine - b.startLine).map(({ drawn }) => drawn())
}

function staticProse(nodes: readonly ProseNode[]): Markup {
  return element('div', { class: 'markdown' }, ...nodes.map((node) => drawProse(node, {
    text: (text) => joined([text]), element: (tag, attributes, children) => element(tag, attributes, ...children),
  })))
}
