import type { IndexedChunk } from './index-file.js'
import type { Query } from './query.js'
import { countOf, countTerms, type TermCounts, termsOf } from './terms.js'

export interface SearchedFile {
  /** As the caller writes it. */
  shown: string
  chunks: readonly IndexedChunk[]
}

export interface Ranked<File extends SearchedFile = SearchedFile> {
  file: File
  chunk: IndexedChunk
  /** Higher is better; above 0. */
  score: number
}

/** What an occurrence in each field counts. */
const WEIGHTS = { body: 1, names: 3, path: 1 }
/** What an occurrence of a related term counts of that. */
const RELATED_WEIGHT = 0.35
/** From about how many occurrences on more of them make little difference. */
const SATURATION = 1.2
/** 0: length does not matter; 1: an occurrence counts by its share of the chunk. */
const LENGTH_EFFECT = 0.35
/** Tests and documents say in words what code does, and would outrank it. */
const ABOUT_CODE = new RegExp([
  String.raw`(?:^|\/)(?:tests?|__tests__|spec|test-data|fixtures|examples?|docs?)\/`,
  String.raw`[._-](?:test|spec)\.\w+$`, String.raw`\.(?:md|mdx|txt|rst)$`,
].join('|'), 'i')
const ABOUT_CODE_FACTOR = 0.6
const ASKS_FOR_THEM = new Set(termsOf('test spec fixture example document documentation docs readme'))

interface Weighed<File> {
  file: File
  chunk: IndexedChunk
  /** Weighted occurrences of each term of the query. */
  counts: number[]
}

/**
 * The chunks that hold a term of the query, best first; equal ones in order of path and line. Ranked by BM25F over
 * the fields body, names and path; scores depend on the given files only.
 */
export function rank<File extends SearchedFile>(query: Query, files: readonly File[]): Ranked<File>[] {
  const lengths = files.flatMap(({ chunks }) => chunks.map(({ length }) => length))
  const average = lengths.reduce((sum, length) => sum + length, 1) / lengths.length
  const weighed = files.flatMap((file) => weigh(query, file, average))
  const weights = weightTerms(query, weighed, lengths.length)
  const wantsAll = [...query.keys()].some((term) => ASKS_FOR_THEM.has(term))
  return weighed.map(({ file, chunk, counts }) => {
    const factor = !wantsAll && ABOUT_CODE.test(file.shown) ? ABOUT_CODE_FACTOR : 1
    return { file, chunk, score: factor * scoreOf(counts, weights) }
  }).sort(byScore)
}

export function byScore(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.file.shown !== b.file.shown) return a.file.shown < b.file.shown ? -1 : 1
  return a.chunk.startLine - b.chunk.startLine
}

function weigh<File extends SearchedFile>(query: Query, file: File, average: number): Weighed<File>[] {
  const concepts = [...query]
  const path = countTerms(termsOf(file.shown))
  const inPath = concepts.map((concept) => WEIGHTS.path * countConcept(path, concept))
  return file.chunks.flatMap((chunk) => {
    const length = 1 - LENGTH_EFFECT + LENGTH_EFFECT * chunk.length / average
    const counts = concepts.map((concept, i) => inPath[i]! + WEIGHTS.names * countConcept(chunk.names, concept)
      + WEIGHTS.body * countConcept(chunk.body, concept) / length)
    return counts.some((count) => count > 0) ? { file, chunk, counts } : []
  })
}

function countConcept(counts: TermCounts, [term, related]: readonly [string, readonly string[]]): number {
  return related.reduce((sum, other) => sum + RELATED_WEIGHT * countOf(counts, other), countOf(counts, term))
}

/** Terms in few chunks tell more. */
function weightTerms(query: Query, weighed: readonly Weighed<unknown>[], total: number): number[] {
  return Array.from(query.keys(), (_, term) => {
    const holding = weighed.filter(({ counts }) => counts[term]! > 0).length
    return Math.log(1 + (total - holding + 0.5) / (holding + 0.5))
  })
}

function scoreOf(counts: readonly number[], weights: readonly number[]): number {
  return counts.reduce((sum, count, term) => sum + weights[term]! * count / (SATURATION + count), 0)
}
