import { isAbsolute } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  caughtLater, HermesError, isNodeError, type SessionState, type VerbContext,
} from '../../0-contracts/src/index.js'
import { valueAt } from '../../0-text/src/index.js'
import { checkSignal, CLOCK_STEP_MS, formatNodeError, readText } from '../../2-files/src/index.js'
import { DamagedIndex } from './bytes.js'
import { findSources, type FoundFile, type IndexScope, keyOf, type Listing, type SkippedFile } from './found-files.js'
import { IndexView } from './index-view.js'
import { KeptFiles } from './kept-files.js'
import { KeptPassages } from './kept-passages.js'
import { type FileParser, type Parsed, ParserHere, type TextReader } from './parse-text.js'
import { ParserInThreads, threadScript } from './parse-threads.js'
import { hashOfText, type IndexedPassages, type PassageIndex, type TextPassages } from './passages/index.js'
import type { Entry, FileState } from './segment.js'
import { findTexts } from './text-files.js'

const kept = new WeakMap<SessionState, CodeIndex>()
/** Bytes of source from which on threads take less time than they take to start. */
const ENOUGH_BYTES = 1_500_000

/** The index of a session: loaded on first use, then kept in memory. */
export function indexOf({ session }: VerbContext): CodeIndex {
  return valueAt(kept, session, () => new CodeIndex(session.root))
}

/** A file with its passages. */
export interface PassageFile extends FoundFile {
  index: IndexedPassages
}

/** The hand-written files of a scope with their passages; valid until the index is refreshed again. */
export interface PassageView {
  files: PassageFile[]
  /** There are more files, which have no passages. */
  isCut: boolean
  /** Files whose names are not UTF-8, for display: they have no passages. */
  odd: string[]
  /** Index of all files, including other scopes. */
  index: PassageIndex
}

interface Request {
  scope: IndexScope
  context: VerbContext
  /** Paths of files to read even if their times are unchanged. */
  distrusted: ReadonlySet<string> | undefined
}

type Keyed = FoundFile & { key: string }

/** Time before a call first reports progress, and between reports, in milliseconds. */
const QUIET_MS = 1000
const EVERY_MS = 250

/**
 * What is known about the files of a root. Callers bring it up to date, one at a time: a changed file is read and
 * parsed once for everything that is kept of it. Stored in `.hermes/index`.
 */
export class CodeIndex {
  readonly #files: KeptFiles
  readonly #passages: KeptPassages
  #isLoaded = false
  /** The previous refresh; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly root: string) {
    this.#files = new KeptFiles(root)
    this.#passages = new KeptPassages(root)
  }

  /**
   * Updates the index for the source files of a scope, and returns a view of them. A file whose size and times match
   * the index is not read; otherwise the hash of its content decides.
   *
   * @param distrusted paths of files to read even if their times are unchanged
   * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
   */
  async refresh(scope: IndexScope, context: VerbContext, distrusted?: ReadonlySet<string>): Promise<IndexView> {
    return this.#inTurn(async () => {
      const sources = await findSources(scope, context)
      return this.#soundly(async () => {
        const { files, skipped } = await this.#update(sources, { scope, context, distrusted })
        const { base, inBase, overlay } = this.#files
        const { unparsed } = sources
        return new IndexView({ files, skipped: [...sources.skipped, ...skipped], unparsed, base, inBase, overlay })
      })
    })
  }

  /**
   * As `refresh`, for all hand-written files of a scope, with passages: these are made on demand, divided at known
   * definitions.
   *
   * @throws HermesError `CANCELLED`
   */
  async refreshPassages(
    scope: IndexScope, context: VerbContext, distrusted?: ReadonlySet<string>,
  ): Promise<PassageView> {
    return this.#inTurn(async () => {
      const texts = await findTexts(scope, context)
      return this.#soundly(async () => {
        const { files } = await this.#update(texts, { scope, context, distrusted }, this.#passages)
        const { index } = this.#passages
        return {
          files: files.flatMap((file) => {
            const known = index.files.get(file.key)
            return known === undefined ? [] : { ...file, index: known }
          }),
          isCut: texts.isCut,
          odd: texts.odd,
          index,
        }
      })
    })
  }

  async #inTurn<Result>(refresh: () => Promise<Result>): Promise<Result> {
    const before = this.#last
    const refreshed = (async () => {
      await before.catch(() => undefined)
      if (!this.#isLoaded) this.#files.load()
      this.#isLoaded = true
      return refresh()
    })()
    this.#last = refreshed
    return refreshed
  }

  /** Repeats an update from scratch if the stored index is damaged. */
  async #soundly<Result>(update: () => Promise<Result>): Promise<Result> {
    return await caughtLater(DamagedIndex, update, () => {
      this.#files.forget()
      return update()
    })
  }

  /** @returns readable files with their keys, and unreadable ones */
  async #update<File extends FoundFile>(
    listing: Listing<File>, { scope, context, distrusted }: Request, passages?: KeptPassages,
  ): Promise<{ files: (File & { key: string })[]; skipped: SkippedFile[] }> {
    const files = listing.files.map((file) => ({ ...file, key: keyOf(file.path, this.root) }))
    const stale = files.filter((file) => !this.#isCurrent(file, passages) || distrusted?.has(file.path))
    const skipped: SkippedFile[] = []
    const unread = new Set<string>()
    const order = passages?.inOrder(stale.map(({ key }) => key))
    const parser = parserFor(stale, context)
    const tell = progressTeller(stale.length, context)
    try {
      await parser.each(stale, async (file, reader) => {
        checkSignal(context.signal)
        const content = readContent(file, context, { verb: scope.verb, isForPassages: passages !== undefined })
        if ('reason' in content) {
          skipped.push({ path: file.shown, reason: content.reason })
          unread.add(file.key)
          this.#files.delete(file.key)
          passages?.delete(file.key)
          order?.add(file.key, undefined)
        } else {
          const { state, cut } = await this.#read({ ...file, ...content }, reader, passages)
          order?.add(file.key, cut && { hash: state.hash, passages: cut })
        }
        tell()
      })
    } finally {
      await parser.end?.()
      // Keep what was done before it was cancelled.
      this.#publish(listing, { scope, context }, passages)
    }
    await setImmediate()
    return { files: files.filter(({ key }) => !unread.has(key)), skipped }
  }

  #isCurrent(file: Keyed, passages: KeptPassages | undefined): boolean {
    const state = this.#files.stateOf(file.key)
    return state !== undefined && isAsIndexed(file, state) && state.language === file.language
      && passages?.has(file.key, state.hash) !== false
  }

  /** Computes what is not known yet of a text. */
  async #read(
    { key, path, size, mtimeMs, ctimeMs, language, text }: Content, reader: TextReader, passages?: KeptPassages,
  ): Promise<{ state: FileState; cut?: TextPassages }> {
    const isSettled = Date.now() - mtimeMs > CLOCK_STEP_MS
    const state: FileState = { size, mtimeMs: isSettled ? mtimeMs : 0, ctimeMs, hash: hashOfText(text) }
    const entry = this.#files.entryOf(key)
    const isSame = entry && Buffer.compare(entry.hash, state.hash) === 0 && entry.language === language
    const known = isSame ? entry : undefined
    const isCut = passages === undefined || passages.has(key, state.hash)
    const chars = text.length
    if (known && isCut) {
      if (!isAsIndexed(state, known)) this.#files.set(key, { ...known, ...state }, { chars, isParsed: false })
      return { state }
    }
    const { parsed, passages: cut } = await reader.read({
      text, ...(language !== undefined && { language }), ...(known && { record: known.record }),
      ...(!isCut && { passages: { path, shown: key } }),
    })
    if (known) this.#files.noteWork({ chars, isParsed: true })
    if (!known || !isAsIndexed(state, known)) {
      this.#files.set(key, known ? { ...known, ...state } : entryOf(state, parsed, language), { chars, isParsed: true })
    }
    return { state, ...(cut && { cut }) }
  }

  #publish(
    { present }: Listing, { scope, context }: Pick<Request, 'scope' | 'context'>, passages: KeptPassages | undefined,
  ): void {
    let there: Set<string> | undefined
    const isGone = (key: string): boolean => {
      if (!isBelow(key, scope, this.root)) return false
      there ??= new Set(present.map((path) => keyOf(path, this.root)))
      return !there.has(key)
    }
    if (passages && scope.kind === 'directory') {
      for (const key of passages.index.files.keys()) if (isGone(key)) passages.delete(key)
    }
    this.#files.publish({ dryRun: context.dryRun, isGone, passages: this.#passages })
  }
}

/** What parses these files in the least time: threads where there is much to do, and the build that has them. */
function parserFor(files: readonly { size: number }[], { signal }: Pick<VerbContext, 'signal'>): FileParser {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const script = bytes < ENOUGH_BYTES || signal.aborted ? undefined : threadScript()
  return script === undefined ? new ParserHere() : new ParserInThreads(script, signal)
}

/** By its size and times; without proof that nothing has changed since it is not. */
function isAsIndexed(
  { size, mtimeMs, ctimeMs }: Pick<FileState, 'size' | 'mtimeMs' | 'ctimeMs'>, state: FileState,
): boolean {
  return state.size === size && state.mtimeMs === mtimeMs && state.ctimeMs === ctimeMs
}

function isBelow(key: string, { start, kind }: IndexScope, root: string): boolean {
  if (kind === 'file') return false
  return start === root ? !isAbsolute(key) : key.startsWith(`${keyOf(start, root)}/`)
}

/** @param parsed `undefined` where nothing could be parsed, and for prose, which has no language */
function entryOf(state: FileState, parsed: Parsed | undefined, language: Entry['language']): Entry {
  if (parsed === undefined || language === undefined) return { ...state, isBroken: false, record: new Uint8Array() }
  const { record, isBroken, problem, isTimeout } = parsed
  return {
    ...state, language, isBroken, record,
    ...(problem !== undefined && { problem }), ...(isTimeout && { isPassing: true }),
  }
}

type Content = Keyed & { text: string }

/** @returns for passages an empty text for what is no text file, so that it need not be read again */
function readContent(
  { path, shown, language }: FoundFile, context: VerbContext,
  { verb, isForPassages }: { verb: string; isForPassages: boolean },
): { text: string; language?: FoundFile['language'] } | { reason: string } {
  try {
    return { text: readText(context.files, path, context.limits.maxFileBytes, shown), language }
  } catch (error) {
    if (isNodeError(error)) return { reason: formatNodeError(error, shown, verb) }
    if (!(error instanceof HermesError)) throw error
    return isForPassages && error.code === 'NOT_TEXT' ? { text: '', language: undefined } : { reason: error.message }
  }
}

/** Counts finished files, and reports progress once the work takes long. */
function progressTeller(total: number, { progress }: Pick<VerbContext, 'progress'>): () => void {
  let done = 0
  let next = performance.now() + QUIET_MS
  return () => {
    done++
    if (progress === undefined || performance.now() < next) return
    next = performance.now() + EVERY_MS
    progress({ what: 'indexing files', done, total })
  }
}
