import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn, stateDirectory } from '../../../2-files/src/index.js'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { IndexedChunk } from './index-file.js'

const integer = v.pipe(v.number(), v.integer(), v.minValue(0))

const indexedFile = v.object({
  /** Canonical and absolute. */
  path: v.string(),
  /** Milliseconds since the epoch; absent where it is no proof that the file is unchanged. */
  mtimeMs: v.exactOptional(v.number()),
  /** Bytes. */
  size: integer,
  hash: v.string(),
  chunks: v.array(v.object({
    startLine: integer, endLine: integer, symbol: v.exactOptional(v.string()), kind: v.exactOptional(v.string()),
    names: v.string(), body: v.string(), length: integer, hash: v.string(),
  }) satisfies v.GenericSchema<IndexedChunk>),
})

export type IndexedFile = v.InferOutput<typeof indexedFile>

/** By path. */
export type CodeIndex = Map<string, IndexedFile>

/** Raise it when what is indexed changes: indexes of other versions are built anew. */
const HEADER = { format: 'hermes code index', version: 1 }
const FILE = 'code.jsonl'
const MOST_BYTES = 512 * 1024 * 1024

/** The index below `.hermes/index/`; an empty one where there is none, or one that cannot be used. */
export function loadIndex(root: string): CodeIndex {
  const files = loadLines(root, FILE, HEADER) ?? []
  // Anyone may have written it: entries that are none are left out, and so made anew.
  return new Map(files.filter((file) => v.is(indexedFile, file)).map((file) => [file.path, file]))
}

export function saveIndex(root: string, index: CodeIndex): void {
  saveLines(root, FILE, HEADER, index.values())
}

/**
 * A file of JSON lines below `.hermes/index/`: a header that also counts the lines, then the lines.
 *
 * @returns `undefined` where it is missing, damaged, too large, or has another header
 */
export function loadLines(root: string, name: string, header: object): unknown[] | undefined {
  const path = join(root, '.hermes', 'index', name)
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size > MOST_BYTES) return undefined
    const [first, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
    if (first !== JSON.stringify({ ...header, lines: lines.length })) return undefined
    return lines.map((line) => JSON.parse(line) as unknown)
  } catch (error) {
    if (error instanceof SyntaxError || isNodeError(error)) return undefined
    throw error
  }
}

/**
 * Other processes see the old or the new file, and of two that save at once one wins. Where nothing can be written the
 * index is lost, which costs time and no answer.
 */
export function saveLines(root: string, name: string, header: object, lines: Iterable<unknown>): void {
  const written = Array.from(lines, (line) => JSON.stringify(line))
  try {
    const text = `${[JSON.stringify({ ...header, lines: written.length }), ...written].join('\n')}\n`
    writeOwn(join(stateDirectory(root, 'index'), name), text, { isDurable: false })
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof HermesError)) throw error
  }
}
