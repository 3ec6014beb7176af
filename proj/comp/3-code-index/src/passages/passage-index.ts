import * as v from 'valibot'
import { unlessThrown } from '../../../0-contracts/src/index.js'
import { Dictionary } from './dictionary.js'
import { type FileTerms, isSound } from './file-terms.js'
import type { FilePassages } from './text-passages.js'

/** The passages of a text. */
export interface IndexedPassages extends FilePassages {
  /** Hash of the text, as from `hashOfText`: the passages belong to exactly this text. */
  hash: Uint8Array
}

/** The passages of many files; by their hashes, callers check whether they match the present files. */
export interface PassageIndex {
  dictionary: Dictionary
  /** By index key. */
  files: Map<string, IndexedPassages>
}

const integer = v.pipe(v.number(), v.integer(), v.minValue(0))
const record = v.object({
  key: v.string(),
  hash: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  /** Lengths of the file's arrays: terms, postings, chunk numbers; and bytes of its labels. */
  lengths: v.tuple([integer, integer, integer, integer]),
})
const header = v.object({
  format: v.literal('hermes passages'),
  /** Increase it when the indexed data changes: indexes of other versions are rebuilt. */
  version: v.literal(3),
  /** Read as a 32-bit number, it reveals the byte order of the machine that wrote it. */
  order: v.literal(new Uint32Array(Uint8Array.from([1, 2, 3, 4]).buffer)[0]!),
  /** Bytes of the terms, records, arrays and labels, which follow in this order. */
  bytes: v.tuple([integer, integer, integer, integer]),
})

const HEADER_BYTES = 256
const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT

/** Drops terms that no file contains any more. */
export function encodePassages({ dictionary, files }: PassageIndex): Uint8Array {
  const isUsed = new Uint8Array(dictionary.size)
  for (const { terms } of files.values()) for (const term of terms) isUsed[term] = 1
  let used = 0
  const numbers = Uint32Array.from(isUsed, (is) => (is ? used++ : 0))
  const all = [...files.values()]
  const records = Array.from(files, ([key, { hash, terms, postings, numbers: ofChunks, labels }]) => ({
    key, hash: Buffer.from(hash).toString('hex'),
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
    format: 'hermes passages', version: header.entries.version.literal, order: header.entries.order.literal,
    bytes: lengths,
  }))
  return Buffer.concat([head, ...sections.flat()])
}

/** @returns `undefined` where they are damaged, of another version, or written with another byte order */
export function decodePassages(content: Buffer): PassageIndex | undefined {
  return unlessThrown(SyntaxError, () => decode(content), undefined)
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
  // Typed arrays must be aligned, which copying ensures.
  const lists = new SectionReader(Buffer.from(new Uint8Array(reader.bytes(ofLists)).buffer), 0)
  const labels = new SectionReader(reader.bytes(ofLabels), 0)
  const files = new Map<string, IndexedPassages>()
  for (const { key, hash, lengths: [ofFile, postings, ofChunks, named] } of records) {
    const index = {
      terms: lists.numbers(ofFile), starts: lists.numbers(ofFile + 1), postings: lists.numbers(postings),
      numbers: lists.numbers(ofChunks),
    } satisfies FileTerms
    if (!isSound(index, dictionary.size)) return undefined
    files.set(key, { hash: Buffer.from(hash, 'hex'), ...index, labels: labels.bytes(named) })
  }
  return { dictionary, files }
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** Takes sections of the bytes in turn; those beyond the end are short. */
class SectionReader {
  #at: number

  constructor(private readonly content: Buffer, from: number) {
    this.#at = from
  }

  bytes(length: number): Buffer {
    this.#at += length
    return this.content.subarray(this.#at - length, this.#at)
  }

  numbers(length: number): Uint32Array {
    const { buffer, byteOffset } = this.bytes(length * NUMBER_BYTES)
    const isThere = byteOffset + length * NUMBER_BYTES <= buffer.byteLength
    return isThere ? new Uint32Array(buffer, byteOffset, length) : new Uint32Array()
  }
}
