import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { HermesError, isNodeError, type SessionState, type VerbContext } from '../../0-contracts/src/index.js'
import { checkSignal, CLOCK_STEP_MS, formatNodeError, readText } from '../../2-files/src/index.js'
import { DamagedIndex } from './bytes.js'
import { IndexView } from './index-view.js'
import { loadSegment, saveSegments } from './index-store.js'
import type { Parsed } from './parse-text.js'
import { parserFor } from './parser-for.js'
import { type Entry, type FileState, Segment, writeSegment } from './segment.js'
import { Overlay } from './overlay.js'
import { findSources, type FoundFiles, type IndexScope, keyOf, type SkippedFile } from './source-files.js'

/** What is parsed anew in each process rather than kept on disk, at most. */
const MOST_UNSAVED = { files: 16, chars: 500_000 }
/** What reading a text takes, of what parsing it takes. */
const READING_SHARE = 0.05
/** Files in the overlay, at most, in parts of those in the base, before a new base is written. */
const MOST_OVERLAID = { files: 100, share: 0.1 }

const kept = new WeakMap<SessionState, CodeIndex>()

/** The index of a session: loaded when it is first asked for, and then kept in memory. */
export function indexOf({ session }: VerbContext): CodeIndex {
  const known = kept.get(session)
  if (known) return known
  const index = new CodeIndex(session.root)
  kept.set(session, index)
  return index
}

/**
 * What is known of the source files of a root: a large base that stays as it is, and over it the files that changed
 * since. On disk both lie below `.hermes/index`.
 */
export class CodeIndex {
  readonly #root: string
  #base: Segment | undefined
  /** Where each file is in the base. */
  #inBase = new Map<string, number>()
  #overlay = new Overlay()
  #isLoaded = false
  /** What is not on disk. */
  #unsaved = { files: 0, chars: 0 }
  /** What came before, one refresh at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Brings the index up to date for the source files of a scope, and shows them. A file whose size and time are as
   * indexed is not read; otherwise its content's hash decides.
   *
   * @param distrusted files, by path, that are read whatever their times say
   * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
   */
  async refresh(scope: IndexScope, context: VerbContext, distrusted?: ReadonlySet<string>): Promise<IndexView> {
    const before = this.#last
    const refreshed = (async () => {
      await before.catch(() => undefined)
      return this.#refresh(scope, context, distrusted)
    })()
    this.#last = refreshed
    return refreshed
  }

  async #refresh(
    scope: IndexScope, context: VerbContext, distrusted: ReadonlySet<string> | undefined,
  ): Promise<IndexView> {
    if (!this.#isLoaded) this.#load()
    const found = await findSources(scope, context)
    try {
      return await this.#upToDate(scope, found, context, distrusted)
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error
      this.#setBase(undefined)
      this.#overlay = new Overlay()
      return this.#upToDate(scope, found, context, distrusted)
    }
  }

  #load(): void {
    this.#isLoaded = true
    this.#setBase(loadSegment(this.#root, 'base'))
    const delta = loadSegment(this.#root, 'delta')
    try {
      for (const [file, key] of delta?.keys.entries() ?? []) this.#overlay.set(key, delta!.entry(file))
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error
      this.#overlay = new Overlay()
    }
  }

  #setBase(base: Segment | undefined): void {
    this.#base = base
    this.#inBase = new Map(base?.keys.map((key, file) => [key, file]))
  }

  async #upToDate(
    scope: IndexScope, found: FoundFiles, context: VerbContext, distrusted: ReadonlySet<string> | undefined,
  ): Promise<IndexView> {
    const { verb } = scope
    const skipped: SkippedFile[] = [...found.skipped]
    const files = found.files.map((file) => ({ ...file, key: keyOf(file.path, this.#root) }))
    const stale = files.filter((file) => !isAsIndexed(file, this.#stateOf(file.key)) || distrusted?.has(file.path))
    let isChanged = false
    const unread = new Set<string>()
    const parser = parserFor(stale, context)
    try {
      await parser.each(stale, async (file, reader) => {
        checkSignal(context.signal)
        const { key, path, shown, size, mtimeMs, ctimeMs, language } = file
        const isSettled = Date.now() - mtimeMs > CLOCK_STEP_MS
        const text = readOrSkip(path, shown, { context, verb, skipped })
        if (text === undefined) {
          unread.add(key)
          isChanged = this.#overlay.delete(key) || isChanged
          return
        }
        const state: FileState = { size, mtimeMs: isSettled ? mtimeMs : 0, ctimeMs, hash: hashOf(text) }
        const known = this.#entryOf(key)
        if (known && Buffer.compare(known.hash, state.hash) === 0 && known.language === language) {
          if (isAsIndexed(state, known)) return
          this.#overlay.set(key, { ...known, ...state })
          this.#unsaved.files += READING_SHARE
          this.#unsaved.chars += text.length * READING_SHARE
          isChanged = true
          return
        }
        const parsed = await reader.facts(language, text)
        this.#overlay.set(key, entryOf(file, state, parsed))
        this.#unsaved.files++
        this.#unsaved.chars += text.length
        isChanged = true
      })
    } finally {
      await parser.end?.()
      // What was done before it was cancelled need not be done again.
      if (isChanged) this.#keep(context, (key) => isBelow(key, scope, this.#root), new Set(files.map(({ key }) => key)))
    }
    await setImmediate()
    return new IndexView({
      files: files.filter(({ key }) => !unread.has(key)), skipped, unparsed: found.unparsed,
      base: this.#base, inBase: this.#inBase, overlay: this.#overlay,
    })
  }

  #stateOf(key: string): FileState | undefined {
    const overlaid = this.#overlay.get(key)
    if (overlaid) return overlaid
    const file = this.#inBase.get(key)
    return file === undefined ? undefined : this.#base?.state(file)
  }

  #entryOf(key: string): Entry | undefined {
    const file = this.#inBase.get(key)
    return this.#overlay.get(key) ?? (file === undefined ? undefined : this.#base?.entry(file))
  }

  /** @param isSearched whether a file would have been found, so that one which was not is gone */
  #keep({ dryRun }: VerbContext, isSearched: (key: string) => boolean, found: ReadonlySet<string>): void {
    const isLarge = this.#overlay.size > Math.max(MOST_OVERLAID.files, this.#inBase.size * MOST_OVERLAID.share)
    const isWorthIt = this.#unsaved.files > MOST_UNSAVED.files || this.#unsaved.chars > MOST_UNSAVED.chars
    const isSaved = !dryRun && isWorthIt
    if (isSaved) this.#unsaved = { files: 0, chars: 0 }
    if (!isLarge) {
      if (isSaved) saveSegments(this.#root, { delta: writeSegment(lasting(this.#overlay.entries())) })
      return
    }
    const all = new Map<string, Entry>()
    for (const key of this.#inBase.keys()) all.set(key, this.#entryOf(key)!)
    for (const [key, entry] of this.#overlay.entries()) all.set(key, entry)
    for (const key of all.keys()) if (isSearched(key) && !found.has(key)) all.delete(key)
    const bytes = writeSegment(lasting(all))
    this.#setBase(new Segment(bytes))
    this.#overlay = new Overlay()
    for (const [key, entry] of all) if (entry.isPassing) this.#overlay.set(key, entry)
    if (isSaved) saveSegments(this.#root, { base: bytes, delta: writeSegment(new Map()) })
  }
}

/** By its size and times; without proof that nothing has changed since it is not. */
function isAsIndexed(
  { size, mtimeMs, ctimeMs }: Pick<FileState, 'size' | 'mtimeMs' | 'ctimeMs'>, state: FileState | undefined,
): boolean {
  return state?.size === size && state.mtimeMs === mtimeMs && state.ctimeMs === ctimeMs
}

function isBelow(key: string, { start, kind }: IndexScope, root: string): boolean {
  if (kind === 'file') return false
  return start === root ? !isAbsolute(key) : key.startsWith(`${keyOf(start, root)}/`)
}

function lasting(entries: Iterable<[string, Entry]>): Map<string, Entry> {
  return new Map([...entries].filter(([, { isPassing }]) => !isPassing))
}

function entryOf(
  { language }: { language: Entry['language'] }, state: FileState, parsed: Parsed,
): Entry {
  const { record, isBroken, problem, isTimeout } = parsed
  return {
    ...state, language, isBroken, record,
    ...(problem !== undefined && { problem }), ...(isTimeout && { isPassing: true }),
  }
}

function readOrSkip(
  path: FoundFiles['files'][number]['path'], shown: string,
  { context, verb, skipped }: { context: VerbContext; verb: string; skipped: SkippedFile[] },
): string | undefined {
  try {
    return readText(context.files, path, context.limits.maxFileBytes, shown)
  } catch (error) {
    if (isNodeError(error)) skipped.push({ path: shown, reason: formatNodeError(error, shown, verb) })
    else if (error instanceof HermesError) skipped.push({ path: shown, reason: error.message })
    else throw error
    return undefined
  }
}

/** 128 bits. */
function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest().subarray(0, 16)
}
