import { relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { readText, checkSignal } from '../../../2-files/src/index.js'
import { ParseTime } from '../../../2-syntax/src/index.js'
import { hashOf, indexText } from './index-file.js'
import type { IndexedFile, PassageIndex } from './index-store.js'

/** A file that is searched. */
export interface FoundFile {
  path: ApprovedPath
  /** As the caller would write it. */
  shown: string
  /** Bytes. */
  size: number
  mtimeMs: number
}

/** Some file systems tell times by two seconds: a file changed so shortly ago may have changed again since. */
const CLOCK_STEP_MS = 2000

/**
 * Brings the entries of files up to date. One whose size and modification time are those of its entry is not read;
 * otherwise its content's hash decides.
 *
 * @param distrusted files that are read whatever their times say
 * @returns whether anything in the index is new
 * @throws HermesError `CANCELLED`
 */
export async function refreshFiles(
  index: PassageIndex, files: readonly FoundFile[], context: VerbContext, distrusted?: ReadonlySet<ApprovedPath>,
): Promise<boolean> {
  let isChanged = false
  const time = new ParseTime()
  for (const file of files) {
    const known = index.files.get(file.path)
    if (known?.size === file.size && known.mtimeMs === file.mtimeMs && !distrusted?.has(file.path)) continue
    // Lets an abort arrive: parsing is synchronous.
    await setImmediate()
    checkSignal(context.signal)
    const entry = await indexFile(file, known, index, context, time)
    if (entry === undefined) index.files.delete(file.path)
    else index.files.set(file.path, entry)
    isChanged ||= entry !== known
  }
  return isChanged
}

/** @returns `undefined` where it cannot be read; the known entry itself where nothing is new */
async function indexFile(
  { path, shown, size, mtimeMs }: FoundFile, known: IndexedFile | undefined, { dictionary }: PassageIndex,
  context: VerbContext, time: ParseTime,
): Promise<IndexedFile | undefined> {
  const isSettled = Date.now() - mtimeMs > CLOCK_STEP_MS
  const text = readIfText(path, shown, context)
  if (text === undefined) return undefined
  const entry = { path, ...(isSettled && { mtimeMs }), size, hash: hashOf(text) }
  if (entry.hash === known?.hash) {
    if (entry.mtimeMs === known.mtimeMs && size === known.size) return known
    const { terms, starts, postings, numbers, labels } = known
    return { ...entry, terms, starts, postings, numbers, labels }
  }
  const below = relative(context.session.root, path).replaceAll(sep, '/')
  return { ...entry, ...await indexText(path, below, text, dictionary, time) }
}

/** @returns `''` for a file that is not text, which need not be read again; `undefined` for one that vanished */
export function readIfText(path: ApprovedPath, shown: string, context: VerbContext): string | undefined {
  try {
    return readText(context.files, path, context.limits.maxFileBytes, shown)
  } catch (error) {
    if (error instanceof HermesError) return error.code === 'NOT_TEXT' ? '' : undefined
    if (isNodeError(error)) return undefined
    throw error
  }
}
