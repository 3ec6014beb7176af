import { type ComponentChild, h } from 'preact'
import { drawProse, type ProseMaker, type ProseNode } from '../prose/prose-node.js'
import { memo } from './memo.js'
import { PlainText } from './text-view.js'

const MAKER: ProseMaker<ComponentChild> = {
  text: (text) => <PlainText text={text} />,
  element: (tag, attributes, children) => h(tag, attributes, ...children),
}

/** What a model wrote as it reads: elements of a fixed set, their text as all text of a run. */
export const MarkdownView = memo(function MarkdownView({ nodes }: { nodes: readonly ProseNode[] }) {
  return <div class="markdown">{nodes.map((node) => drawProse(node, MAKER))}</div>
})
