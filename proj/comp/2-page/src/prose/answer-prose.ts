import { BoundedLexer } from './bounded-lexer.js'
import { type ProseNode, proseText } from './prose-node.js'
import { proseNodes } from './prose-nodes.js'

/** Lines of an answer: 1-based, the last one included. */
export interface LineSpan {
  startLine: number
  endLine: number
}

/** What an answer says on some lines, as it reads. */
export interface ProsePart extends LineSpan {
  nodes: readonly ProseNode[]
}

/** UTF-16 units of a passage, and of all of them: what is longer, or comes later, stays as it was written. */
const [LONGEST, MOST] = [64 * 1024, 512 * 1024]
/** A line that opens a fence, wherever it stands, or closes one. */
const FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)$/

/**
 * The prose of an answer, a part for each piece of Markdown; blocks, and what only marks where they stand, are in none.
 *
 * @param blocks in text order; one may lie in another
 */
export function answerProse(lines: readonly string[], blocks: readonly LineSpan[]): ProsePart[] {
  const parts: ProsePart[] = []
  let from = 1
  let left = MOST
  /** The line of a fence that a block stands in: what follows the block is still code. */
  let opener: string | undefined
  for (const { startLine, endLine } of [...blocks, { startLine: lines.length + 1, endLine: lines.length }]) {
    const passage = lines.slice(from - 1, startLine - 1)
    left -= passage.reduce((sum, { length }) => sum + length + 1, 0)
    if (left >= 0) parts.push(...partsOf(passage, from, opener))
    opener = openAfter(passage, opener)
    from = Math.max(from, endLine + 1)
  }
  return parts
}

/** @param opener of the fence that the passage begins in */
function partsOf(passage: readonly string[], startLine: number, opener: string | undefined): ProsePart[] {
  const text = [...(opener === undefined ? [] : [opener]), ...passage].join('\n')
  // A lone carriage return is no line break here, but is to Markdown.
  if (text.length > LONGEST || text.includes('\r') || !/\S/.test(text)) return []
  const tokens = new BoundedLexer().lex(text)
  const isWhole = tokens.map(({ raw }) => raw).join('') === text
  const groups = isWhole ? tokens.map((token) => ({ raw: token.raw, tokens: [token] })) : [{ raw: text, tokens }]
  let line = opener === undefined ? startLine : startLine - 1
  return groups.flatMap(({ raw, tokens: those }) => {
    const first = line
    line += breaksIn(raw)
    const nodes = proseNodes(those)
    const part = {
      startLine: Math.max(first, startLine), endLine: first + breaksIn(raw.replace(/\n+$/, '')), nodes,
    }
    const isEmpty = proseText(nodes).trim() === '' && !those.some(({ type }) => type === 'hr')
    return isEmpty || part.endLine < part.startLine ? [] : [part]
  })
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}

/** The line of the fence that is open behind a passage. */
function openAfter(passage: readonly string[], before: string | undefined): string | undefined {
  let opener = before
  let mark = FENCE.exec(before ?? '')?.[1] ?? ''
  for (const line of passage) {
    const [, run = '', info = ''] = FENCE.exec(line) ?? []
    if (run === '') continue
    if (opener === undefined) {
      if (run.startsWith('`') && info.includes('`')) continue
      opener = line
      mark = run
    } else if (run.startsWith(mark) && info.trim() === '') opener = undefined
  }
  return opener
}
