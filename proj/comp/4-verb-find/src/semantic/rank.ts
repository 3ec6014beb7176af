import {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, countOf, type Dictionary, type Field, fieldOf, FIELDS, type FilePassages,
  PASSAGE_FIELDS, SHAPES, type Shape, termsOf,
} from '../../../3-code-index/src/index.js'
import type { Query } from './query.js'
import { relatedTerms } from './related-terms.js'

export interface SearchedFile {
  /** As the caller writes it. */
  shown: string
  index: FilePassages
}

export interface Ranked<File extends SearchedFile = SearchedFile> {
  file: File
  /** Number of the chunk in the file. */
  chunk: number
  /** Higher is better; above 0. */
  score: number
}

export interface Ranking<File extends SearchedFile> {
  /** Best first. */
  ranked: Ranked<File>[]
  /** Words of the query that no file holds, nor a like one. */
  unknown: string[]
}

/** What an occurrence in each field counts. Tuned by `npm run bench semantic`, on its tuning set alone. */
const WEIGHTS: Record<Field, number> = {
  name: 3, container: 1.5, inner: 2, comments: 0.6, signature: 3, body: 0.8, file: 3, folders: 1,
}
/** 0: the length of the field does not matter; 1: an occurrence counts by its share of the field. */
const LENGTH_EFFECTS: Record<Field, number> = {
  name: 0.6, container: 0.3, inner: 0.3, comments: 0.8, signature: 0.8, body: 0.7, file: 0, folders: 0,
}
/** What an occurrence of a term that begins alike counts of that of the term. */
const RELATED_WEIGHT = 0.25
/** From about how many occurrences on more of them make little difference. */
const SATURATION = 1.2
/** What the best score that each term has anywhere in the file adds to each of its passages. */
const FILE_WEIGHT = 0.1
const SHAPE_FACTORS: Record<Shape, number> = {
  definition: 1, 'short definition': 0.85, variable: 0.75, class: 0.85, 'between definitions': 0.7, text: 1,
}
/** Tests and documents say in words what code does, and would outrank it. */
const ABOUT_CODE = new RegExp([
  String.raw`(?:^|\/)(?:tests?|__tests__|spec|test-data|fixtures|examples?|docs?)\/`,
  String.raw`[._-](?:test|spec)\.\w+$`, String.raw`\.(?:md|mdx|txt|rst)$`,
].join('|'), 'i')
const ABOUT_CODE_FACTOR = 0.6
const ASKS_FOR_THEM = new Set(termsOf('test spec fixture example document documentation docs readme'))

/** A file in which a term of the query stands. */
interface Weighed<File> {
  file: File
  /** Weighted occurrences of each term in each chunk: chunk by chunk. */
  counts: Float64Array
}

/**
 * The chunks that hold a term of the query, best first; equal ones in order of path and line. Ranked by BM25F over
 * the fields of `passage-fields`; scores depend on the given files only.
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
/** Lengths of the fields of all chunks of a file together; they stay as they are. */
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

/** How long fields are on the average, over all chunks. */
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

  /** What one occurrence counts in a field of a chunk. */
  weightOf(field: number, numbers: Uint32Array, chunk: number): number {
    if (field >= PASSAGE_FIELDS) return weights[field]!
    const effect = lengthEffects[field]!
    const length = numbers[chunk * CHUNK_NUMBERS + ChunkNumber.lengths + field]! / this.#averages[field]!
    return weights[field]! / (1 - effect + effect * length)
  }
}

interface Meant {
  related: ReturnType<typeof relatedTerms>
  /** 1 for numbers of terms that `related` has: looked up for every term of every file. */
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

/** In how many chunks each term stands. */
function countHolding(weighed: readonly Weighed<unknown>[], width: number): number[] {
  const holding = Array.from({ length: width }, () => 0)
  for (const { counts } of weighed) {
    for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) holding[at % width]!++
  }
  return holding
}

/** Terms in few chunks tell more. */
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
