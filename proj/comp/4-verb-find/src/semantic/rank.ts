import {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, countOf, type Dictionary, type Field, fieldOf, FIELDS, type FilePassages,
  PASSAGE_FIELDS, SHAPES, type Shape, termsOf,
} from '../../../3-code-index/src/index.js'
import type { Query } from './query.js'
import { relatedTerms } from './related-terms.js'

export interface SearchedFile {
  /** In the caller's form. */
  shown: string
  index: FilePassages
}

export interface Ranked<File extends SearchedFile = SearchedFile> {
  file: File
  /** Index of the chunk in the file. */
  chunk: number
  /** Higher is better; above 0. */
  score: number
}

export interface Ranking<File extends SearchedFile> {
  /** Best first. */
  ranked: Ranked<File>[]
  /** Words of the query that occur in no file, nor a similar one. */
  unknown: string[]
}

/** Weight of an occurrence in each field. Tuned with `npm run bench semantic`, on its tuning set only. */
const WEIGHTS: Record<Field, number> = {
  name: 3, container: 1.5, inner: 2, comments: 0.6, signature: 3, body: 0.8, file: 3, folders: 1,
}
/** 0: the length of the field does not matter; 1: an occurrence counts by its share of the field. */
const LENGTH_EFFECTS: Record<Field, number> = {
  name: 0.6, container: 0.3, inner: 0.3, comments: 0.8, signature: 0.8, body: 0.7, file: 0, folders: 0,
}
/** Weight of an occurrence of a related term, relative to the term itself. */
const RELATED_WEIGHT = 0.25
/** Number of occurrences from which further ones matter little. */
const SATURATION = 1.2
/** Share of each term's best score in the file that is added to each of its passages. */
const FILE_WEIGHT = 0.1
const SHAPE_FACTORS: Record<Shape, number> = {
  definition: 1, 'short definition': 0.85, variable: 0.75, class: 0.85, 'between definitions': 0.7, text: 1,
}
/** Tests and documents, which describe in words what code does, and would outrank it. */
const ABOUT_CODE = new RegExp([
  String.raw`(?:^|\/)(?:tests?|__tests__|spec|test-data|fixtures|examples?|docs?)\/`,
  String.raw`[._-](?:test|spec)\.\w+$`, String.raw`\.(?:md|mdx|txt|rst)$`,
].join('|'), 'i')
const ABOUT_CODE_FACTOR = 0.6
const ASKS_FOR_THEM = new Set(termsOf('test spec fixture example document documentation docs readme'))

/** A file that contains a term of the query. */
interface Weighed<File> {
  file: File
  /** Weighted occurrences of each term in each chunk, ordered by chunk. */
  counts: Float64Array
}

/**
 * Ranks the chunks that contain a term of the query, best first; equal ones in order of path and line. Uses BM25F over
 * the fields of `passage-fields`; scores depend only on the given files.
 */
export function rank<File extends SearchedFile>(
  query: Query, files: readonly File[], dictionary: Dictionary,
): Ranking<File> {
  const { terms } = query
  const related = relatedTerms(terms, dictionary.terms)
  const scale = new LengthScale(files)
  const isMeant = new Uint8Array(dictionary.size)
  for (const number of related.keys()) isMeant[number] = 1
  const weighed = files.flatMap((file) => weigh(file, terms.length, { related, isMeant }, scale) ?? [])
  const holding = countHolding(weighed, terms.length)
  const ofTerms = holding.map((count) => Math.log(1 + (scale.chunks - count + 0.5) / (count + 0.5)))
  const wantsAll = terms.some((term) => ASKS_FOR_THEM.has(term))
  const ranked = weighed.flatMap((item) => {
    return scoresIn(item, ofTerms, !wantsAll && ABOUT_CODE.test(item.file.shown) ? ABOUT_CODE_FACTOR : 1)
  }).sort(byScore)
  const isKnown = (term: string): boolean => !terms.includes(term) || holding[terms.indexOf(term)]! > 0
  const unknown = [...query.words].filter(([, ofWord]) => !ofWord.some((term) => terms.includes(term) && isKnown(term)))
  return { ranked, unknown: unknown.map(([word]) => word) }
}

export function byScore(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.file.shown !== b.file.shown) return a.file.shown < b.file.shown ? -1 : 1
  return a.chunk - b.chunk
}

const weights = Float64Array.from(FIELDS, (field) => WEIGHTS[field])
const lengthEffects = Float64Array.from(FIELDS, (field) => LENGTH_EFFECTS[field])
/** Total lengths of the fields of a file's chunks, which never change. */
const lengthsOf = new WeakMap<FilePassages, Float64Array>()

function lengthsIn(index: FilePassages): Float64Array {
  const known = lengthsOf.get(index)
  if (known) return known
  const { numbers } = index
  const sums = new Float64Array(PASSAGE_FIELDS)
  for (let at: number = ChunkNumber.lengths; at < numbers.length; at += CHUNK_NUMBERS) {
    for (let field = 0; field < PASSAGE_FIELDS; field++) sums[field]! += numbers[at + field]!
  }
  lengthsOf.set(index, sums)
  return sums
}

/** Average lengths of fields, over all chunks. */
class LengthScale {
  readonly chunks: number
  readonly #averages = new Float64Array(PASSAGE_FIELDS)

  constructor(files: readonly SearchedFile[]) {
    let chunks = 0
    for (const { index } of files) {
      chunks += index.numbers.length / CHUNK_NUMBERS
      const lengths = lengthsIn(index)
      for (let field = 0; field < PASSAGE_FIELDS; field++) this.#averages[field]! += lengths[field]!
    }
    this.chunks = chunks
    for (let field = 0; field < PASSAGE_FIELDS; field++) {
      this.#averages[field] = this.#averages[field]! / chunks || 1
    }
  }

  /** Weight of one occurrence in a field of a chunk. */
  weightOf(field: number, numbers: Uint32Array, chunk: number): number {
    if (field >= PASSAGE_FIELDS) return weights[field]!
    const effect = lengthEffects[field]!
    const length = numbers[chunk * CHUNK_NUMBERS + ChunkNumber.lengths + field]! / this.#averages[field]!
    return weights[field]! / (1 - effect + effect * length)
  }
}

interface Meant {
  related: ReturnType<typeof relatedTerms>
  /** 1 for term numbers that `related` has; a fast look-up for every term of every file. */
  isMeant: Uint8Array
}

function weigh<File extends SearchedFile>(
  file: File, width: number, { related, isMeant }: Meant, scale: LengthScale,
): Weighed<File> | undefined {
  const { terms, starts, postings, numbers } = file.index
  let counts: Float64Array | undefined
  for (let i = 0; i < terms.length; i++) {
    if (isMeant[terms[i]!] !== 1) continue
    const meant = related.get(terms[i]!)!
    counts ??= new Float64Array(numbers.length / CHUNK_NUMBERS * width)
    for (let at = starts[i]!; at < starts[i + 1]!; at++) {
      const posting = postings[at]!
      const [field, chunk] = [fieldOf(posting), chunkOf(posting)]
      const weight = countOf(posting) * scale.weightOf(field, numbers, chunk)
      for (const { wanted, isSame } of meant) {
        const added = isSame ? weight : weight * RELATED_WEIGHT
        if (field < PASSAGE_FIELDS) counts[chunk * width + wanted]! += added
        else for (let each = wanted; each < counts.length; each += width) counts[each]! += added
      }
    }
  }
  return counts && { file, counts }
}

/** For each term, the number of chunks that contain it. */
function countHolding(weighed: readonly Weighed<unknown>[], width: number): number[] {
  const holding = Array.from({ length: width }, () => 0)
  for (const { counts } of weighed) {
    for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) holding[at % width]!++
  }
  return holding
}

/** Scores the chunks of a file; terms that occur in few chunks count more. */
function scoresIn<File extends SearchedFile>(
  { file, counts }: Weighed<File>, ofTerms: readonly number[], factor: number,
): Ranked<File>[] {
  const { numbers } = file.index
  const width = ofTerms.length
  const best = ofTerms.map(() => 0)
  const scored: Ranked<File>[] = []
  for (let chunk = 0; chunk * width < counts.length; chunk++) {
    let score = 0
    for (let term = 0; term < width; term++) {
      const count = counts[chunk * width + term]!
      if (count === 0) continue
      const ofTerm = ofTerms[term]! * count / (SATURATION + count)
      score += ofTerm
      best[term] = Math.max(best[term]!, ofTerm)
    }
    const shape = SHAPES[numbers[chunk * CHUNK_NUMBERS + ChunkNumber.shape]!] ?? 'text'
    if (score > 0) scored.push({ file, chunk, score: score * SHAPE_FACTORS[shape] })
  }
  const ofFile = FILE_WEIGHT * best.reduce((sum, score) => sum + score, 0)
  for (const item of scored) item.score = factor * (item.score + ofFile)
  return scored
}
