import { createHash } from 'node:crypto'
import type { ParseTime } from '../../../2-syntax/src/index.js'
import type { Chunk } from './chunk.js'
import { linesOf } from './chunk-lines.js'
import { cutText } from './cut-text.js'
import { countTerms, type TermCounts, termsOf } from './terms.js'

/** A chunk as the index keeps it: its terms, not its text. */
export interface IndexedChunk {
  startLine: number
  endLine: number
  symbol?: string
  kind?: string
  /** Of the symbol and of what else the chunk is called. */
  names: TermCounts
  body: TermCounts
  /** Terms in the body. */
  length: number
  /** Of the text; names its vector. */
  hash: string
}

/** Of what is in longer chunks, such as one line of a bundle, the rest is not indexed. */
const MOST_CHARS = 20_000

/**
 * @param path decides the language
 * @param time for parsing, shared by the files of a call
 * @returns no chunks for binary content
 */
export async function indexText(path: string, text: string, time?: ParseTime): Promise<IndexedChunk[]> {
  if (text.includes('\0')) return []
  const lines = linesOf(text)
  return (await cutText(path, text, time)).map((chunk) => indexChunk(chunk, lines))
}

/** Hex, 128 bits. */
export function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}

/** What of a chunk is indexed and embedded. */
export function textOf({ startLine, endLine }: Pick<Chunk, 'startLine' | 'endLine'>, lines: readonly string[]): string {
  return lines.slice(startLine - 1, endLine).join('\n').slice(0, MOST_CHARS)
}

function indexChunk({ startLine, endLine, symbol, kind, names }: Chunk, lines: readonly string[]): IndexedChunk {
  const text = textOf({ startLine, endLine }, lines)
  const terms = termsOf(text)
  return {
    startLine,
    endLine,
    ...(symbol !== undefined && { symbol }),
    ...(kind !== undefined && { kind }),
    names: countTerms(termsOf([symbol ?? '', ...names].join(' '))),
    body: countTerms(terms),
    length: terms.length,
    hash: hashOf(text),
  }
}
