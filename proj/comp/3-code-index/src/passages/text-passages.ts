import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { parseJson } from '../../../0-contracts/src/index.js'
import { addTo } from '../../../0-text/src/index.js'
import { type Definition, languageOf } from '../../../2-syntax/src/index.js'
import { type Chunk, cutText, linesOf } from './chunk.js'
import { CHUNK_NUMBERS, ChunkNumber, type FileTerms, MOST_CHUNKS, packPosting, PASSAGE_FIELDS } from './file-terms.js'
import { fieldsOf, fieldsOfPath } from './passage-fields.js'
import { termsOf } from './terms.js'

/** Labels of a file's chunks as JSON, which is only parsed for displayed ones. */
export interface FilePassages extends FileTerms {
  labels: Uint8Array
}

export interface IndexedChunk extends Label {
  startLine: number
  endLine: number
}

const label = v.object({
  symbol: v.exactOptional(v.string()),
  kind: v.exactOptional(v.string()),
  /** Hash of the text; identifies its vector. */
  hash: v.string(),
})
type Label = v.InferOutput<typeof label>

/** Kinds of passages; `shape` in a chunk's numbers is an index. */
export const SHAPES = ['definition', 'short definition', 'variable', 'class', 'between definitions', 'text'] as const
export type Shape = typeof SHAPES[number]
const SHORT_LINES = 2

/** Most characters of a chunk to index, for chunks such as one line of a bundle. */
const MOST_CHARS = 20_000

/** A text to divide into passages. */
export interface PassageSource {
  /** Its extension determines the language. */
  path: string
  /** Path relative to the root, with `/`; it is searched too. */
  shown: string
  text: string
}

/** The passages of one text, with terms as strings, independent of other texts. */
export interface TextPassages extends Omit<FilePassages, 'terms'> {
  /** Distinct terms, in order of first occurrence; `starts` has the first posting of each. */
  terms: string[]
}

/**
 * @param definitions as for `cutText`
 * @returns no chunks for binary content
 */
export function passagesIn(
  { path, shown, text }: PassageSource, definitions?: readonly Definition[],
): TextPassages {
  const lines = linesOf(text)
  const chunks = text.includes('\0') ? [] : cutText(path, lines, definitions).slice(0, MOST_CHUNKS)
  const postings = new Postings()
  const numbers = new Uint32Array(chunks.length * CHUNK_NUMBERS)
  const isCode = languageOf(path) !== undefined
  const labels = chunks.map((chunk, at) => {
    const content = textOf(chunk, lines)
    const fields = Object.values(fieldsOf(chunk, content, path, isCode))
    const lengths = fields.map((field, number) => postings.add(at, number, field))
    const shape = SHAPES.indexOf(shapeOf(chunk, isCode))
    numbers.set([chunk.startLine, chunk.endLine, shape, ...lengths], at * CHUNK_NUMBERS)
    const { symbol, kind } = chunk
    const hash = hashOf(content)
    return { ...(symbol !== undefined && { symbol }), ...(kind !== undefined && { kind }), hash } satisfies Label
  })
  if (chunks.length > 0) {
    for (const [i, field] of Object.values(fieldsOfPath(shown)).entries()) postings.add(0, PASSAGE_FIELDS + i, field)
  }
  return { ...postings.packed(), numbers, labels: new TextEncoder().encode(JSON.stringify(labels)) }
}

/** The chunks of an indexed file; those with damaged labels only have lines. */
export function chunksIn({ numbers, labels }: FilePassages): IndexedChunk[] {
  const named = readLabels(labels)
  return Array.from({ length: numbers.length / CHUNK_NUMBERS }, (_, at) => ({
    startLine: numbers[at * CHUNK_NUMBERS + ChunkNumber.startLine]!,
    endLine: numbers[at * CHUNK_NUMBERS + ChunkNumber.endLine]!,
    ...(named[at] ?? { hash: '' }),
  }))
}

function readLabels(labels: Uint8Array): Label[] {
  const read = parseJson(Buffer.from(labels).toString())
  return v.is(v.array(label), read) ? read : []
}

/** 128-bit hash in hexadecimal. */
export function hashOf(content: Uint8Array | string): string {
  return Buffer.from(hashOfText(content)).toString('hex')
}

/** As `hashOf`, in bytes; used to check whether a file is unchanged. */
export function hashOfText(content: Uint8Array | string): Uint8Array {
  return createHash('sha256').update(content).digest().subarray(0, 16)
}

/** The text of a chunk that is indexed and embedded. */
export function textOf({ startLine, endLine }: Pick<Chunk, 'startLine' | 'endLine'>, lines: readonly string[]): string {
  return lines.slice(startLine - 1, endLine).join('\n').slice(0, MOST_CHARS)
}

function shapeOf({ symbol, kind, startLine, endLine }: Chunk, isCode: boolean): Shape {
  if (symbol === undefined) return isCode ? 'between definitions' : 'text'
  if (kind === 'variable' || kind === 'class') return kind
  return endLine - startLine < SHORT_LINES ? 'short definition' : 'definition'
}

/** Collects the postings of terms. */
class Postings {
  readonly #ofTerms = new Map<string, number[]>()

  /** @returns number of terms in the text */
  add(chunk: number, field: number, text: string): number {
    const terms = termsOf(text)
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) addTo(this.#ofTerms, term, packPosting({ chunk, field, count }))
    return terms.length
  }

  packed(): Pick<TextPassages, 'terms' | 'starts' | 'postings'> {
    const starts = new Uint32Array(this.#ofTerms.size + 1)
    const lists = [...this.#ofTerms.values()]
    for (const [i, postings] of lists.entries()) starts[i + 1] = starts[i]! + postings.length
    return { terms: [...this.#ofTerms.keys()], starts, postings: Uint32Array.from(lists.flat()) }
  }
}
