import type { MarkedToken, Token, Tokens } from 'marked'
import type { ProseElement, ProseNode, ProseTag } from './prose-node.js'

/** Below the headings of the page: what a model writes never stands among those. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const
/** What models write in place of signs that would be markup. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': '\u00a0',
}

/**
 * What Markdown's tokens say, as elements. HTML, and whatever else has no element of its own, is text as it was
 * written; nothing is left out.
 */
export function proseNodes(tokens: readonly Token[]): ProseNode[] {
  return (tokens as readonly MarkedToken[]).flatMap(nodesOf)
}

function nodesOf(token: MarkedToken): ProseNode[] {
  switch (token.type) {
    case 'space': return []
    case 'br': return ['\n']
    case 'hr': return [element('div', [], { class: 'rule' })]
    case 'heading': return [element(HEADINGS[token.depth - 1] ?? 'h6', proseNodes(token.tokens))]
    case 'paragraph': return [element('p', proseNodes(token.tokens))]
    case 'blockquote': return [element('blockquote', proseNodes(token.tokens))]
    case 'em': case 'strong': case 'del': return [element(token.type, proseNodes(token.tokens))]
    case 'codespan': return [element('code', [token.text])]
    case 'code': return [code(token)]
    case 'list': return [list(token)]
    case 'table': return [table(token)]
    case 'link': return link(token)
    case 'image': return [aside(`picture: ${token.text} (${token.href}${titleOf(token)})`)]
    case 'def': return [element('p', [token.raw.trim()], { class: 'aside' })]
    case 'html': return token.block ? [element('p', [token.raw.trimEnd()])] : [token.raw]
    case 'escape': return [token.text]
    case 'text': return token.tokens ? proseNodes(token.tokens) : [token.escaped ? token.text : unescaped(token.text)]
    default: return [token.raw]
  }
}

function element(tag: ProseTag, nodes: readonly ProseNode[], more: Partial<ProseElement> = {}): ProseElement {
  return { tag, nodes, ...more }
}

/** What is said of something, beside what the model says. */
function aside(words: string): ProseElement {
  return element('span', [words], { class: 'aside' })
}

function code({ text, lang = '' }: Tokens.Code): ProseElement {
  const name = lang === '' || text.trim() === '' ? [] : [aside(`${lang}\n`)]
  return element('pre', [...name, element('code', [text.replace(/\n$/, '')])])
}

function list({ ordered, start, items }: Tokens.List): ProseElement {
  const rows = items.map(({ tokens }) => element('li', proseNodes(tokens)))
  return ordered ? element('ol', rows, typeof start === 'number' && start !== 1 ? { start } : {}) : element('ul', rows)
}

function table({ header, rows }: Tokens.Table): ProseElement {
  const row = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]): ProseElement => element(
    'tr', cells.map(({ tokens, align }) => element(
      tag, proseNodes(tokens), align === 'right' || align === 'center' ? { class: align } : {},
    )),
  )
  const body = rows.length === 0 ? [] : [element('tbody', rows.map((cells) => row('td', cells)))]
  return element('div', [element('table', [element('thead', [row('th', header)]), ...body])], { class: 'table' })
}

/** The words, then where they lead: that alone can be followed, and only as it is shown. */
function link(token: Tokens.Link): ProseNode[] {
  const words = proseNodes(token.tokens)
  const address = addressOf(token.href)
  if (address === undefined) return [...words, ` (${token.href}${titleOf(token)})`]
  const leading = element('a', [address], { href: address })
  const isBare = [token.href, address].includes(token.text) || token.href === `mailto:${token.text}`
  return isBare ? [leading] : [...words, ' (', leading, `${titleOf(token)})`]
}

function titleOf({ title }: Tokens.Link | Tokens.Image): string {
  return title ? ` "${title}"` : ''
}

/** An address that may be followed, as a browser goes there: its host in ASCII, and nothing in it that turns text. */
function addressOf(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, username, password, href: address } = new URL(href)
  const isWeb = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  return isWeb || protocol === 'mailto:' ? address : undefined
}

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
}
