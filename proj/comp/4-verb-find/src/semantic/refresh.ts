import { relative, sep } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { readText, checkSignal, CLOCK_STEP_MS } from '../../../2-files/src/index.js'
import { hashOf, parserFor, type TextPassages, type TextReader } from '../../../3-code-index/src/index.js'
import { numberTerms } from './number-terms.js'
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
  const stale = files.filter(({ path, size, mtimeMs }) => {
    const known = index.files.get(path)
    return known?.size !== size || known.mtimeMs !== mtimeMs || distrusted?.has(path) === true
  })
  const read = new Map<FoundFile, FreshEntry | undefined>()
  let isChanged = false
  let next = 0
  // In the order of the files, so that the index is the same whichever thread is first.
  const takeOver = (): void => {
    for (let file = stale[next]; file !== undefined && read.has(file); file = stale[++next]) {
      const known = index.files.get(file.path)
      const fresh = read.get(file)
      const entry = fresh === undefined ? undefined : numbered(fresh, known, index)
      if (entry === undefined) index.files.delete(file.path)
      else index.files.set(file.path, entry)
      isChanged ||= entry !== known
      read.delete(file)
    }
  }
  const parser = parserFor(stale, context)
  try {
    await parser.each(stale, async (file, reader) => {
      checkSignal(context.signal)
      read.set(file, await readFile(file, index.files.get(file.path), reader, context))
      takeOver()
    })
  } finally {
    await parser.end?.()
  }
  return isChanged
}

/** What is new of a file; without passages where its text is as it was. */
interface FreshEntry extends Pick<IndexedFile, 'path' | 'mtimeMs' | 'size' | 'hash'> {
  passages?: TextPassages
}

/** @returns `undefined` where it cannot be read */
async function readFile(
  { path, shown, size, mtimeMs }: FoundFile, known: IndexedFile | undefined, reader: TextReader, context: VerbContext,
): Promise<FreshEntry | undefined> {
  const isSettled = Date.now() - mtimeMs > CLOCK_STEP_MS
  const text = readIfText(path, shown, context)
  if (text === undefined) return undefined
  const entry = { path, ...(isSettled && { mtimeMs }), size, hash: hashOf(text) }
  if (entry.hash === known?.hash) return entry
  const below = relative(context.session.root, path).replaceAll(sep, '/')
  return { ...entry, passages: await reader.passages({ path, shown: below, text }) }
}

/** @returns the known entry itself where nothing is new */
function numbered(
  { passages, ...entry }: FreshEntry, known: IndexedFile | undefined, { dictionary }: PassageIndex,
): IndexedFile | undefined {
  if (passages) return { ...entry, ...numberTerms(passages, dictionary) }
  if (known === undefined || (entry.mtimeMs === known.mtimeMs && entry.size === known.size)) return known
  const { terms, starts, postings, numbers, labels } = known
  return { ...entry, terms, starts, postings, numbers, labels }
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
