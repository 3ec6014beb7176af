import * as v from 'valibot'
import { hashOf } from '../../../3-code-index/src/index.js'
import { loadLines, saveLines } from './json-lines.js'
import type { EmbeddingSettings } from './embeddings.js'

/** Direction only, with components quantised to 1/127 of the largest: enough for ranking. */
export type Vector = Int8Array

/** By hash of the text. */
export type Vectors = Map<string, Vector>

const entry = v.tuple([v.string(), v.string()])

/** Loads a model's vectors for chunks, stored below `.hermes/index/`. */
export function loadVectors(root: string, settings: EmbeddingSettings): Vectors {
  const { name, header } = storeOf(settings)
  const vectors: Vectors = new Map()
  for (const line of loadLines(root, name, header) ?? []) {
    if (!v.is(entry, line)) continue
    vectors.set(line[0], new Int8Array(Buffer.from(line[1], 'base64')))
  }
  return vectors
}

export function saveVectors(root: string, settings: EmbeddingSettings, vectors: Vectors): void {
  const { name, header } = storeOf(settings)
  const lines = Array.from(vectors, ([hash, vector]) => [hash, Buffer.from(vector).toString('base64')])
  saveLines(root, name, header, lines)
}

/** Name and header of the store; each model of each endpoint has its own file. */
function storeOf({ url, model }: EmbeddingSettings): { name: string; header: object } {
  const hash = hashOf(`${model}\n${url}`)
  return { name: `vectors-${hash.slice(0, 16)}.jsonl`, header: { format: 'hermes vectors', version: 1, model: hash } }
}

export function quantize(values: readonly number[]): Vector {
  const largest = values.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return Int8Array.from(values, (value) => (largest === 0 ? 0 : Math.round(value / largest * 127)))
}

/** Cosine similarity, from -1 to 1; 0 for vectors of different lengths. */
export function similarity(a: Vector, b: Vector): number {
  if (a.length !== b.length) return 0
  const norms = Math.sqrt(dot(a, a) * dot(b, b))
  return norms === 0 ? 0 : dot(a, b) / norms
}

function dot(a: Vector, b: Vector): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
