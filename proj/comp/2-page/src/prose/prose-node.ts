/** A piece of what a model wrote, as it reads: text, or an element of a fixed set around such pieces. */
export type ProseNode = string | ProseElement

export interface ProseElement {
  tag: ProseTag
  nodes: readonly ProseNode[]
  class?: string
  /** Of `a` alone: an address of the web or of mail, as it is shown. */
  href?: string
  /** Of `ol` alone: the number of its first item. */
  start?: number
}

export type ProseTag =
  | 'p' | 'h3' | 'h4' | 'h5' | 'h6' | 'ul' | 'ol' | 'li' | 'blockquote' | 'pre' | 'code' | 'em' | 'strong' | 'del'
  | 'a' | 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td' | 'span' | 'div'

export type ProseAttributes = Readonly<Record<string, string | number>>

/** What makes elements: of the page that is drawn by scripts, or of the one without. */
export interface ProseMaker<T> {
  text: (text: string) => T
  element: (tag: ProseTag, attributes: ProseAttributes, children: T[]) => T
}

/** Prose as elements. A link opens apart, and what it leads to learns nothing of the page. */
export function drawProse<T>(node: ProseNode, maker: ProseMaker<T>): T {
  if (typeof node === 'string') return maker.text(node)
  const { tag, nodes, class: name, href, start } = node
  const attributes: ProseAttributes = {
    ...(name !== undefined && { class: name }),
    ...(href !== undefined && { href, target: '_blank', rel: 'noopener noreferrer nofollow' }),
    ...(start !== undefined && { start }),
    // What may be wider than the window is scrolled by keys, too.
    ...(name === 'table' && { tabindex: 0, role: 'group', 'aria-label': 'A table' }),
  }
  return maker.element(tag, attributes, nodes.map((each) => drawProse(each, maker)))
}

/** All words of it. */
export function proseText(nodes: readonly ProseNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node
    : `${proseText(node.nodes)}${isOfLine(node) ? '' : '\n'}`)).join('')
}

function isOfLine({ tag }: ProseElement): boolean {
  return ['code', 'em', 'strong', 'del', 'a', 'span'].includes(tag)
}
