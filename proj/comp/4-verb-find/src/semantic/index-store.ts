import * as v from 'valibot'
import type { SessionState } from '../../../0-contracts/src/index.js'
import { type FilePassages, type FileTerms, isSound, SealedFiles } from '../../../3-code-index/src/index.js'
import { Dictionary } from './dictionary.js'

export interface IndexedFile extends FilePassages {
  /** Canonical and absolute. */
  path: string
  /** Milliseconds since the epoch; absent where it is no proof that the file is unchanged. */
  mtimeMs?: number
  /** Bytes. */
  size: number
  /** Of the text. */
  hash: string
}

export interface PassageIndex {
  dictionary: Dictionary
  /** By path. */
  files: Map<string, IndexedFile>
}

const integer = v.pipe(v.number(), v.integer(), v.minValue(0))
const record = v.object({
  path: v.string(),
  mtimeMs: v.exactOptional(v.number()),
  size: integer,
  hash: v.string(),
  /** How many numbers each list of the file has: terms, postings, numbers of chunks; and bytes of its labels. */
  lengths: v.tuple([integer, integer, integer, integer]),
})
const header = v.object({
  format: v.literal('hermes passages'),
  /** Raise it when what is indexed changes: indexes of other versions are built anew. */
  version: v.literal(2),
  /** Read as a number of 32 bits it shows whether the machine that wrote it orders bytes as this one does. */
  order: v.literal(new Uint32Array(Uint8Array.from([1, 2, 3, 4]).buffer)[0]!),
  /** Bytes of the terms, of the records, of all lists of numbers, and of all labels, which follow in this order. */
  bytes: v.tuple([integer, integer, integer, integer]),
})

const FILE = 'passages.bin'
const SEAL = 'passages.seal'
const HEADER_BYTES = 256
const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT

const kept = new WeakMap<SessionState, PassageIndex>()

/** The index of a session: loaded from `.hermes/index/` when it is first asked for, and then kept in memory. */
export function indexOf(session: SessionState): PassageIndex {
  const known = kept.get(session) ?? loadIndex(session.root) ?? { dictionary: new Dictionary(), files: new Map() }
  kept.set(session, known)
  return known
}

/** @returns `undefined` where there is none that was written here, or one that is damaged */
export function loadIndex(root: string): PassageIndex | undefined {
  const content = new SealedFiles(root, SEAL).load(FILE)
  try {
    return content && decode(content)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** As `SealedFiles.save`: where nothing can be written it costs time and no answer. */
export function saveIndex(root: string, index: PassageIndex): void {
  new SealedFiles(root, SEAL).save([{ name: FILE, bytes: encode(index), isDurable: false }])
}

/** Terms that no file has any more are left out. */
function encode({ dictionary, files }: PassageIndex): Uint8Array {
  const isUsed = new Uint8Array(dictionary.size)
  for (const { terms } of files.values()) for (const term of terms) isUsed[term] = 1
  let used = 0
  const numbers = Uint32Array.from(isUsed, (is) => (is ? used++ : 0))
  const all = [...files.values()]
  const records = all.map(({ path, mtimeMs, size, hash, terms, postings, numbers: ofChunks, labels }) => ({
    path, ...(mtimeMs !== undefined && { mtimeMs }), size, hash,
    lengths: [terms.length, postings.length, ofChunks.length, labels.length],
  } satisfies v.InferInput<typeof record>))
  const lists = all.flatMap(({ terms, starts, postings, numbers: ofChunks }) => (
    [terms.map((term) => numbers[term]!), starts, postings, ofChunks].map(bytesOf)
  ))
  const sections = [
    [Buffer.from(dictionary.terms.filter((_, term) => isUsed[term]).join('\n'))],
    [Buffer.from(JSON.stringify(records))], lists, all.map(({ labels }) => labels),
  ]
  const lengths = sections.map((parts) => parts.reduce((sum, part) => sum + part.length, 0))
  const head = Buffer.alloc(HEADER_BYTES, ' ')
  head.write(JSON.stringify({
    format: 'hermes passages', version: 2, order: header.entries.order.literal, bytes: lengths,
  }))
  return Buffer.concat([head, ...sections.flat()])
}

function decode(content: Buffer): PassageIndex | undefined {
  const head: unknown = JSON.parse(content.toString('utf8', 0, HEADER_BYTES))
  if (!v.is(header, head)) return undefined
  const [ofTerms, ofRecords, ofLists, ofLabels] = head.bytes
  if (HEADER_BYTES + ofTerms + ofRecords + ofLists + ofLabels !== content.length) return undefined
  const reader = new SectionReader(content, HEADER_BYTES)
  const terms = reader.bytes(ofTerms).toString()
  const dictionary = new Dictionary(terms === '' ? [] : terms.split('\n'))
  const records: unknown = JSON.parse(reader.bytes(ofRecords).toString())
  if (!v.is(v.array(record), records)) return undefined
  // Lists of numbers must begin at multiples of their size: a copy does.
  const lists = new SectionReader(Buffer.from(new Uint8Array(reader.bytes(ofLists)).buffer), 0)
  const labels = new SectionReader(reader.bytes(ofLabels), 0)
  const files = new Map<string, IndexedFile>()
  for (const { lengths: [ofFile, postings, ofChunks, named], ...file } of records) {
    const index = {
      terms: lists.numbers(ofFile), starts: lists.numbers(ofFile + 1), postings: lists.numbers(postings),
      numbers: lists.numbers(ofChunks),
    } satisfies FileTerms
    if (!isSound(index, dictionary.size)) return undefined
    files.set(file.path, { ...file, ...index, labels: labels.bytes(named) })
  }
  return { dictionary, files }
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** Takes pieces of bytes in turn; what is beyond the end is missing from them. */
class SectionReader {
  readonly #content: Buffer
  #at: number

  constructor(content: Buffer, from: number) {
    this.#content = content
    this.#at = from
  }

  bytes(length: number): Buffer {
    this.#at += length
    return this.#content.subarray(this.#at - length, this.#at)
  }

  numbers(length: number): Uint32Array {
    const { buffer, byteOffset } = this.bytes(length * NUMBER_BYTES)
    const isThere = byteOffset + length * NUMBER_BYTES <= buffer.byteLength
    return isThere ? new Uint32Array(buffer, byteOffset, length) : new Uint32Array()
  }
}
