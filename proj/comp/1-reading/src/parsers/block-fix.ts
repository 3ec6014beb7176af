import type { Fix, ParsedBlock } from '../../../0-contracts/src/index.js'
import {
  MAX_FIXED, readQuotedAssignment, TOOL_CALL_CLOSE, TOOL_CALL_OPEN, type BodyLine, type EnvelopeItem, type ShamItem,
  type ToolCallItem,
} from '../scanner/index.js'
import { BLOCK_SOURCES, type BlockSource } from './block-source.js'
import { editDocument } from './edit-document.js'
import { readEnvelopes } from './envelope.js'
import { mendedCall, type Mends } from './mends.js'
import type { ReadBlock } from './read-event.js'
import { indentOf, readSham } from './sham-body.js'
import { readToolCall } from './tool-call.js'

type Call = Pick<ParsedBlock, 'action' | 'params'>

/**
 * Replacement lines that make a block mean what `mends` says; `undefined` where they cannot be found: for formats
 * without named lines or JSON, and where reading the result would give anything else.
 */
export function fixOf(block: ParsedBlock, mends: Mends): Fix | undefined {
  const source = BLOCK_SOURCES.get(block)
  if (!source) return undefined
  const meant = mendedCall(block, mends)
  return source.kind === 'sham' ? fixOfLines(source, meant, mends) : fixOfDocument(source, block, meant, mends)
}

function fixOfLines(item: ShamItem, meant: Call, mends: Mends): Fix | undefined {
  const changed = new Map<number, string>()
  const body = item.body.map((line) => {
    const text = mendedLine(line, mends)
    if (text === line.text) return line
    changed.set(line.line, indentOf(item, line) + text)
    return { ...line, text }
  })
  const again = readSham({ ...item, body }, false)
  if (again.type !== 'block' || !isSame(again.block, meant)) return undefined
  const [startLine, endLine] = [Math.min(...changed.keys()), Math.max(...changed.keys())]
  const lines = item.source.split('\n').slice(0, -1)
  const texts = Array.from({ length: endLine + 1 - startLine }, (_, index) => (
    changed.get(startLine + index) ?? lines[startLine + index - item.startLine]?.replace(/\r$/, '')
  ))
  if (texts.some((text) => text === undefined)) return undefined
  return { startLine, endLine, text: texts.join('\n') }
}

function mendedLine({ text, heredoc }: BodyLine, { action, renames, values }: Mends): string {
  const key = heredoc === undefined ? readQuotedAssignment(text)?.key : text.slice(0, text.indexOf('=')).trimEnd()
  if (key === undefined) return text
  const name = renames.get(key) ?? key
  const value = key === 'action' ? action : values.get(key)
  // Reading the result proves it later; the opener of a heredoc cannot hold the new text.
  if (value !== undefined && heredoc === undefined) return `${name} = ${JSON.stringify(String(value))}`
  return name + text.slice(key.length)
}

function fixOfDocument(
  item: Exclude<BlockSource, ShamItem>, block: ParsedBlock, meant: Call, mends: Mends,
): Fix | undefined {
  const { content } = item
  if (content.length > MAX_FIXED) return undefined
  const document = item.kind === 'envelope' ? item.document : { text: content, offset: 0 }
  const call = {
    at: document.at, actionKey: item.kind === 'envelope' ? 'verb' as const : 'name' as const, params: block.params,
  }
  const edited = editDocument(document.text, call, mends)
  if (edited === undefined) return undefined
  const { offset } = document
  // A document that begins with `---` has spaces in its place in `text`.
  const mark = edited.slice(0, 3).trim() === '' ? content.slice(offset, offset + 3) : edited.slice(0, 3)
  const mended = content.slice(0, offset) + mark + edited.slice(3) + content.slice(offset + document.text.length)
  if (!isOnlyChange(readAll(item, content), readAll(item, mended), block, meant)) return undefined
  return linesThatDiffer(item, content, mended)
}

function readAll(item: EnvelopeItem | ToolCallItem, content: string): ReadBlock[] {
  return item.kind === 'envelope' ? readEnvelopes({ ...item, content }, () => '')
    : [readToolCall({ ...item, content }, () => '')]
}

/** Whether exactly one block has changed, from `was` to `meant`. */
function isOnlyChange(before: readonly ReadBlock[], after: readonly ReadBlock[], was: Call, meant: Call): boolean {
  const changed = before.flatMap((each, index) => {
    const other = after[index]
    return other && JSON.stringify(each) === JSON.stringify(other) ? [] : [{ each, other }]
  })
  const [{ each, other } = { each: undefined, other: undefined }] = changed
  return before.length === after.length && changed.length === 1 && each?.type === 'block' && other?.type === 'block'
    && isSame(each.block, was) && isSame(other.block, meant) && each.block.id === other.block.id
}

function isSame(a: Call, b: Call): boolean {
  return JSON.stringify([a.action, a.params]) === JSON.stringify([b.action, b.params])
}

/** The differing lines, as they stand in the whole text. */
function linesThatDiffer(item: EnvelopeItem | ToolCallItem, content: string, mended: string): Fix | undefined {
  const [before, after] = [content, mended].map((text) => inText(item, text)) as [string[], string[]]
  if (before.length !== after.length) return undefined
  const first = after.findIndex((line, index) => line !== before[index])
  const last = after.findLastIndex((line, index) => line !== before[index])
  if (first < 0 || (item.kind === 'tool-call' && !item.around)) return undefined
  const start = item.contentLine
  return { startLine: start + first, endLine: start + last, text: after.slice(first, last + 1).join('\n') }
}

function inText(item: EnvelopeItem | ToolCallItem, content: string): string[] {
  if (item.kind === 'envelope') {
    const columns = ' '.repeat(item.contentOffset)
    return content.split(/\r?\n/).map((line) => (line.trim() === '' ? line : columns + line))
  }
  const { before = '', after = '' } = item.around ?? {}
  return `${before}${TOOL_CALL_OPEN}${content}${TOOL_CALL_CLOSE}${after}`.split(/\r?\n/)
}
