/** Occurrences of a term in a file: chunk, field and count. */
export interface Posting {
  /** Index of the chunk in the file; 0 for fields of the path. */
  chunk: number
  /** Index in `FIELDS`. */
  field: number
  count: number
}

/**
 * The terms of a file by their numbers in the dictionary. In memory as on disk it is only arrays of numbers, which can
 * be loaded without parsing.
 */
export interface FileTerms {
  /** Term numbers, ascending. */
  terms: Uint32Array
  /** For each term, the index of its first posting; plus one final entry for the end. */
  starts: Uint32Array
  /** Postings, packed by `packPosting`. */
  postings: Uint32Array
  /** For each chunk, the numbers described by `ChunkNumber`. */
  numbers: Uint32Array
}

/** Positions in the numbers of a chunk. `shape` is followed by the length of each field in terms. */
export const ChunkNumber = { startLine: 0, endLine: 1, shape: 2, lengths: 3 } as const
export const PASSAGE_FIELDS = 6
export const CHUNK_NUMBERS = ChunkNumber.lengths + PASSAGE_FIELDS

const CHUNK_BITS = 17
const FIELD_BITS = 3
/** Most chunks; a file of 512 KB has no more. */
export const MOST_CHUNKS = 2 ** CHUNK_BITS
const MOST_COUNT = 2 ** (32 - CHUNK_BITS - FIELD_BITS) - 1

export function packPosting({ chunk, field, count }: Posting): number {
  return ((Math.min(count, MOST_COUNT) << CHUNK_BITS | chunk) << FIELD_BITS | field) >>> 0
}

export function chunkOf(posting: number): number {
  return posting >>> FIELD_BITS & MOST_CHUNKS - 1
}

export function fieldOf(posting: number): number {
  return posting & 2 ** FIELD_BITS - 1
}

export function countOf(posting: number): number {
  return posting >>> FIELD_BITS + CHUNK_BITS
}

/** Validates the numbers, since the file may have been written by anyone. */
export function isSound({ terms, starts, postings, numbers }: FileTerms, dictionarySize: number): boolean {
  if (starts.length !== terms.length + 1 || starts[0] !== 0 || starts.at(-1) !== postings.length) return false
  for (let i = 0; i < terms.length; i++) {
    if (terms[i]! >= dictionarySize || starts[i]! >= starts[i + 1]!) return false
    if (i > 0 && terms[i - 1]! >= terms[i]!) return false
  }
  const chunks = numbers.length / CHUNK_NUMBERS
  if (!Number.isInteger(chunks)) return false
  // A loop over millions of postings, five times as fast as `every`.
  for (let i = 0; i < postings.length; i++) if (chunkOf(postings[i]!) >= chunks) return false
  return true
}
