import { isMarkdown, sectionsOf } from '../../../0-text/src/index.js'
import { type Definition, fullName } from '../../../2-syntax/src/index.js'

/** A part of a file that is a search result of its own. Lines are 1-based, inclusive. */
export interface Chunk {
  startLine: number
  endLine: number
  /** Definition that it is or belongs to, with its container: `Gate.approve`. */
  symbol?: string
  kind?: string
  /** Further names: inner definitions, headings. */
  names: string[]
}

/** The lines of a text without their endings; a byte order mark is no part of the first. A lone CR ends no line. */
export function linesOf(text: string): string[] {
  return text.replace(/^\ufeff/, '').split(/\r?\n/)
}

/** A definition up to this length stays whole, including inner ones. */
const WHOLE_LINES = 50
const MOST_LINES = 80
/** Deeper definitions are not divided further. */
const MOST_DEPTH = 50
/** Text without definitions is divided at the next blank line after this many lines. */
const ENOUGH_LINES = 25

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif)|--|@|\[|""")/

/**
 * The passages of a file: its definitions, else sections and paragraphs.
 *
 * @param definitions absent of prose, and of code that could not be parsed: its search is coarser
 */
export function cutText(path: string, lines: readonly string[], definitions?: readonly Definition[]): Chunk[] {
  return definitions ? cutAtDefinitions(lines, definitions) : cutPlainly(lines, { headings: isMarkdown(path) })
}

/** Divides a file at its definitions; text between them, and files without any, at blank lines. */
export function cutAtDefinitions(lines: readonly string[], definitions: readonly Definition[]): Chunk[] {
  const inOrder = definitions.filter(isPlaceToCut).sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine)
  return cutWithin({ startLine: 1, endLine: lines.length, names: [] }, inOrder, lines)
    .flatMap((chunk) => cutLong(chunk, lines))
}

/** Divides text at blank lines, and Markdown at headings. */
export function cutPlainly(lines: readonly string[], { headings }: { headings: boolean }): Chunk[] {
  return (headings ? sections(lines) : [{ startLine: 1, endLine: lines.length, names: [] }])
    .flatMap((chunk) => cutLong(chunk, lines, headings ? undefined : ENOUGH_LINES))
}

/** Whether to divide at a definition; local variables and fields belong to what contains them. */
function isPlaceToCut({ kind, container }: Definition): boolean {
  return kind !== 'variable' || container === undefined
}

/** @param inside inner definitions in order, outer ones first */
function cutWithin(owner: Chunk, inside: readonly Definition[], lines: readonly string[], depth = 1): Chunk[] {
  const chunks: Chunk[] = []
  let next = owner.startLine
  for (let at = 0; at < inside.length;) {
    const definition = inside[at]!
    const nested = withinOf(definition, inside, at + 1)
    at += 1 + nested.length
    const startLine = Math.max(next, withComment(definition.startLine, next, lines))
    const endLine = Math.min(definition.endLine, owner.endLine)
    if (startLine > endLine) {
      // It is on the same lines as the previous one.
      chunks.at(-1)?.names.push(definition.name)
      continue
    }
    if (startLine > next) chunks.push({ ...owner, startLine: next, endLine: startLine - 1 })
    const chunk: Chunk = { startLine, endLine, symbol: fullName(definition), kind: definition.kind, names: [] }
    if (endLine - startLine < WHOLE_LINES || nested.length === 0) {
      chunks.push({ ...chunk, names: nested.map(({ name }) => name) })
    } else if (depth === MOST_DEPTH) chunks.push(chunk)
    else for (const piece of cutWithin(chunk, nested, lines, depth + 1)) chunks.push(piece)
    next = endLine + 1
  }
  if (next <= owner.endLine) chunks.push({ ...owner, startLine: next })
  return chunks
}

function withinOf(outer: Definition, inside: readonly Definition[], from: number): Definition[] {
  let end = from
  while (end < inside.length && inside[end]!.endLine <= outer.endLine) end++
  return inside.slice(from, end)
}

/** First line of the comment and decorators directly above a definition. */
function withComment(startLine: number, first: number, lines: readonly string[]): number {
  let start = startLine
  while (start > first && COMMENT.test(lines[start - 2] ?? '')) start--
  return start
}

/** Divides from each heading to the next, of any level. */
function sections(lines: readonly string[]): Chunk[] {
  const starts = sectionsOf(lines).map(({ firstLine, heading }) => ({ startLine: firstLine, names: [heading] }))
  if (starts[0]?.startLine !== 1) starts.unshift({ startLine: 1, names: [] })
  return starts.map((start, at) => ({ ...start, endLine: (starts[at + 1]?.startLine ?? lines.length + 1) - 1 }))
}

/** Divides into chunks of at most `MOST_LINES`, at the first blank line after `enough` lines; trims blank lines. */
function cutLong(chunk: Chunk, lines: readonly string[], enough = MOST_LINES / 2): Chunk[] {
  const isBlank = (line: number) => (lines[line - 1] ?? '').trim() === ''
  const pieces: Chunk[] = []
  let { startLine } = chunk
  while (startLine <= chunk.endLine) {
    if (isBlank(startLine)) {
      startLine++
      continue
    }
    const last = Math.min(chunk.endLine, startLine + MOST_LINES - 1)
    let end = last
    if (last < chunk.endLine || enough < MOST_LINES / 2) {
      end = startLine + enough
      while (end < last && !isBlank(end)) end++
      end = Math.min(end, last)
    }
    let shown = end
    while (isBlank(shown)) shown--
    pieces.push({ ...chunk, startLine, endLine: shown })
    startLine = end + 1
  }
  return pieces
}
