import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ifPossible, isNodeError, unless } from '../../../0-contracts/src/index.js'
import { stateDirectory, writeOwn } from '../../../2-files/src/index.js'
import { hashOf } from '../../../3-code-index/src/index.js'
import type { EmbeddingSettings } from './embeddings.js'

/** Direction only, with components quantised to 1/127 of the largest: enough for ranking. */
export type Vector = Int8Array

/** By hash of the text. */
export type Vectors = Map<string, Vector>

/** Largest file that is read. */
const MOST_BYTES = 512 * 1024 * 1024
const entry = v.tuple([v.string(), v.string()])

/**
 * Loads a model's vectors for chunks, stored below `.hermes/index/` as JSON lines: a header that also counts the lines,
 * then the lines. Empty where the file is missing, damaged, too large, or has another header.
 */
export function loadVectors(root: string, settings: EmbeddingSettings): Vectors {
  const { name, header } = storeOf(settings)
  const path = join(root, '.hermes', 'index', name)
  const known = unless((error) => error instanceof SyntaxError || isNodeError(error), () => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MOST_BYTES) return []
    const [first, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    if (first !== JSON.stringify({ ...header, lines: lines.length })) return []
    return lines.map((line) => JSON.parse(line) as unknown)
  }, [])
  return new Map(known.flatMap((line) => (
    v.is(entry, line) ? [[line[0], new Int8Array(Buffer.from(line[1], 'base64'))] as const] : []
  )))
}

/**
 * Other processes see the old or the new file, and of two that save at once one wins. Where nothing can be written the
 * index is lost, which costs time and no answer.
 */
export function saveVectors(root: string, settings: EmbeddingSettings, vectors: Vectors): void {
  const { name, header } = storeOf(settings)
  const lines = Array.from(vectors, ([hash, vector]) => JSON.stringify([hash, Buffer.from(vector).toString('base64')]))
  ifPossible(() => {
    const text = `${[JSON.stringify({ ...header, lines: lines.length }), ...lines].join('\n')}\n`
    writeOwn(join(stateDirectory(root, 'index'), name), text, { isDurable: false })
  }, undefined)
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
