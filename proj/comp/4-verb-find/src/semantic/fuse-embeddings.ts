import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { checkSignal } from '../../../2-files/src/index.js'
import {
  chunksIn, hashOf, type IndexedChunk, linesOf, type PassageFile, type PassageIndex, textOf,
} from '../../../3-code-index/src/index.js'
import { embed, embeddingSettings, type EmbeddingSettings } from './embeddings.js'
import { byScore, type Ranked } from './rank.js'
import { readIfText } from './read-if-text.js'
import { loadVectors, quantize, saveVectors, similarity, type Vector, type Vectors } from './vector-store.js'

/** Constant of reciprocal rank fusion: the larger, the less the first places differ. */
const RANK_OFFSET = 60
const BATCH = 64
/** Longest text, in UTF-16 units; about 2,000 tokens, which every model accepts. */
const MOST_CHARS = 8000
const MOST_REQUEST_MS = 30_000
/** Time limit for one search. Missing vectors are then requested by the next search. */
const MOST_TOTAL_MS = 60_000

interface Passage {
  file: PassageFile
  passage: IndexedChunk
}

/**
 * Mixes an embedding model's ranking into a ranking, by reciprocal rank, if one is configured. If the endpoint fails,
 * the ranking stays as it is, and the error is returned.
 *
 * @throws HermesError `CANCELLED`
 */
export async function fuseEmbeddings(
  query: string, ranked: readonly Ranked<PassageFile>[], files: readonly PassageFile[], index: PassageIndex,
  context: VerbContext,
): Promise<{ ranked: readonly Ranked<PassageFile>[]; error?: string }> {
  let fused = ranked
  try {
    const settings = embeddingSettings(process.env)
    if (settings === undefined || isOffline(context)) return { ranked }
    if (context.dryRun) throw new HermesError('INTERNAL', 'not asked in a dry run')
    const [asked] = await request([query], settings, context)
    const chunksOf = new Map(files.map((file) => [file, chunksIn(file.index)] as const))
    const rest = files.flatMap((file) => (
      chunksOf.get(file)!.map((passage, chunk) => ({ file, chunk, passage, score: 0 }))
    ))
    const first = ranked.flatMap(({ file, chunk }) => {
      const passage = chunksOf.get(file)![chunk]
      return passage ? { file, passage } : []
    })
    const vectors = loadVectors(context.session.root, settings)
    try {
      await embedMissing([...first, ...rest], vectors, settings, index, context)
    } finally {
      if (asked) {
        const alike = rest.flatMap(({ file, chunk, passage }) => {
          const vector = vectors.get(passage.hash)
          return vector === undefined ? [] : { file, chunk, score: similarity(asked, vector) }
        })
        fused = fuse(ranked, alike.sort(byScore))
      }
    }
    return { ranked: fused }
  } catch (error) {
    checkSignal(context.signal)
    if (!(error instanceof HermesError)) throw error
    return { ranked: fused, error: `embedding endpoint: ${error.message}` }
  }
}

/** Whether a policy forbids the network. The default does not count, since the user named the endpoint. */
function isOffline({ policy: { verbs: { network } } }: VerbContext): boolean {
  return network.by !== undefined && network.value !== 'on'
}

/** Requests missing vectors, in the order of `chunks`, and stores them on disk. */
async function embedMissing(
  chunks: readonly Passage[], vectors: Vectors, settings: EmbeddingSettings, index: PassageIndex,
  context: VerbContext,
): Promise<void> {
  const missing = new Map(
    chunks.filter(({ passage }) => !vectors.has(passage.hash)).map((item) => [item.passage.hash, item]),
  )
  if (missing.size === 0) return
  const startedAt = Date.now()
  const queue = [...missing.values()]
  const readLines = lineReader(context)
  try {
    for (let at = 0; at < queue.length; at += BATCH) {
      if (Date.now() - startedAt > MOST_TOTAL_MS) {
        throw new HermesError('TIMEOUT', `${at} of ${queue.length} new passages are embedded; the next search goes on`)
      }
      const batch = queue.slice(at, at + BATCH).flatMap(({ file, passage: chunk }) => {
        const lines = readLines(file)
        const text = lines === undefined ? '' : textOf(chunk, lines)
        return hashOf(text) === chunk.hash ? { hash: chunk.hash, text: text.slice(0, MOST_CHARS) } : []
      })
      if (batch.length === 0) continue
      const answers = await request(batch.map(({ text }) => text), settings, context)
      for (const [i, { hash }] of batch.entries()) vectors.set(hash, answers[i]!)
    }
  } finally {
    const used = new Set(Array.from(index.files.values(), (file) => chunksIn(file).map(({ hash }) => hash)).flat())
    for (const hash of vectors.keys()) if (!used.has(hash)) vectors.delete(hash)
    saveVectors(context.session.root, settings, vectors)
  }
}

async function request(
  texts: readonly string[], settings: EmbeddingSettings, { limits, signal }: VerbContext,
): Promise<Vector[]> {
  const timeoutMs = Math.min(limits.commandTimeoutMs, MOST_REQUEST_MS)
  return (await embed(texts, settings, timeoutMs, signal)).map(quantize)
}

/** Returns a reader of files' lines that remembers the last file, since chunks of one file follow one another. */
function lineReader(context: VerbContext): (file: PassageFile) => string[] | undefined {
  let last: { path: string; lines: string[] | undefined } | undefined
  return ({ path, shown }) => {
    if (last?.path === path) return last.lines
    const text = readIfText(path, shown, context)
    last = { path, lines: text === undefined ? undefined : linesOf(text) }
    return last.lines
  }
}

/** Reciprocal rank fusion: uses places instead of scores, which are not comparable. */
function fuse(...rankings: readonly (readonly Ranked<PassageFile>[])[]): Ranked<PassageFile>[] {
  const fused = new Map<PassageFile, Map<number, Ranked<PassageFile>>>()
  for (const ranking of rankings) {
    for (const [place, { file, chunk }] of ranking.entries()) {
      const ofFile = valueAt(fused, file, () => new Map())
      const score = (ofFile.get(chunk)?.score ?? 0) + 1 / (RANK_OFFSET + place + 1)
      ofFile.set(chunk, { file, chunk, score })
    }
  }
  return Array.from(fused.values(), (ofFile) => [...ofFile.values()]).flat().sort(byScore)
}
