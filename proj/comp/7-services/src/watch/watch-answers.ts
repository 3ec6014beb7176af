import { statSync } from 'node:fs'
import { caught, type ExecutionResult, HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { lineFeeds } from '../../../0-text/src/index.js'
import { createRunId, findDeadRun } from '../../../3-transaction/src/index.js'
import { answerHash, answerOf, lookAt, type ReadSettings } from './answer-text.js'
import { AppliedAnswers, type Claim, type Taken } from './applied-answers.js'
import { FolderAlarm } from './folder-alarm.js'
import { readAnswer } from './read-answer.js'
import { candidates, signatureNow, type Candidate, type WatchedPlace } from './watched-place.js'

/** Time between checks without an event, in milliseconds: network file systems send none. */
const LOOK_MS = 2000
/** How long to wait for more of a text that ends inside a block, in milliseconds. */
const CUT_OFF_MS = 5000
/** Events within this time are handled together, in milliseconds. */
const TOGETHER_MS = 20

/** An answer to run now. */
export interface Answer {
  path: string
  text: string
  /** See `answerHash`. */
  hash: string
  runId: string
}

export interface WatchOptions extends ReadSettings {
  place: WatchedPlace
  /** Absolute, links resolved; its `.hermes` stores which answers have run. */
  root: string
  /** How long a file must be unchanged before it is read, in milliseconds. */
  quietMs: number
  /** Also run files that exist at the start. */
  existing: boolean
  /** End after the first answer; with `existing`, after those that exist at the start. */
  once: boolean
  signal: AbortSignal
  /** Called when watching starts: later files are new. */
  ready: () => void
  /** Runs an answer and reports it. */
  apply: (answer: Answer) => Promise<Applied>
  /** Reports something seen and not run: a sentence, and the file's name if there is one. */
  notice: (sentence: string, path?: string) => void
}

export interface Applied {
  result: ExecutionResult
  /** Files that its blocks wrote, absolute with links resolved: those in the watched place are not answers. */
  written: Iterable<string>
  /** Whether the summary goes above the answer, in its file. */
  isPrepended: boolean
}

interface Seen {
  signature: string
  /** Since when it has been in this state, by `performance.now()`. */
  since: number
  /** Whether it was handled in this state. */
  isDone: boolean
}

/**
 * Runs each answer that arrives in a place once, one after another, until the signal is aborted. It goes by the files'
 * state rather than by events, so that nothing is missed however files are saved, moved and recreated.
 *
 * @throws HermesError where `once` cannot be fulfilled, and Node's errors for a state directory that cannot be written
 */
export async function watchAnswers(options: WatchOptions): Promise<void> {
  const watch = new Watch(options)
  try {
    await watch.run()
  } finally {
    await watch.close()
  }
}

class Watch {
  readonly #applied: AppliedAnswers
  readonly #alarm: FolderAlarm
  readonly #seen = new Map<string, Seen>()
  /** The last problem reported of the folder: missing or unreadable. */
  #trouble: string | undefined
  /** Reasons for waiting that were reported already. */
  readonly #told = new Set<string>()
  #count = 0

  constructor(private readonly options: WatchOptions) {
    this.#applied = new AppliedAnswers(options.root)
    this.#alarm = new FolderAlarm(options.place)
  }

  async run(): Promise<void> {
    const { signal, existing, once, ready } = this.options
    const atFirst = this.#look()
    ready()
    if (!existing) this.#leave(atFirst)
    while (!signal.aborted) {
      const wait = await this.#handle(this.#look())
      const isOver = existing ? [...this.#seen.values()].every(({ isDone }) => isDone) : this.#count > 0
      if (signal.aborted || (once && isOver)) return
      await this.#alarm.wait(Math.max(wait, TOGETHER_MS), signal)
    }
  }

  async close(): Promise<void> {
    await this.#alarm.close()
  }

  #leave(files: readonly Candidate[]): void {
    for (const { path } of files) {
      const seen = this.#seen.get(path)
      if (seen) seen.isDone = true
    }
    if (files.length === 0) return
    const what = files.length === 1 ? `${files[0]?.name} is there already and is left alone`
      : `${files.length} files are there already and are left alone`
    this.options.notice(`${what}, until changed; --existing applies what is there`)
  }

  /** The present files, after updating what is known of them. */
  #look(): Candidate[] {
    const { place: { folder } } = this.options
    const found = this.#found()
    if (found === undefined) this.#tellTrouble(`${folder} is gone; it is watched again when it is there`)
    else if (found instanceof Error) {
      this.#tellTrouble(`${folder} cannot be read (${found.code}); it is watched again when it can`)
      // Its files are still there.
      return []
    } else this.#trouble = undefined
    const files = found ?? []
    const now = performance.now()
    const there = new Set(files.map(({ path }) => path))
    for (const path of this.#seen.keys()) if (!there.has(path)) this.#seen.delete(path)
    for (const { path, signature } of files) {
      if (this.#seen.get(path)?.signature !== signature) this.#seen.set(path, { signature, since: now, isDone: false })
    }
    return files
  }

  #found(): Candidate[] | NodeJS.ErrnoException | undefined {
    return caught(isNodeError, () => candidates(this.options.place), (error) => error)
  }

  #tellTrouble(sentence: string): void {
    if (this.#trouble !== sentence) this.options.notice(sentence)
    this.#trouble = sentence
  }

  /** @returns time until the next check, in milliseconds */
  async #handle(files: readonly Candidate[]): Promise<number> {
    const { quietMs, signal, once, existing } = this.options
    let next = LOOK_MS
    for (const file of files) {
      const seen = this.#seen.get(file.path)
      if (!seen || seen.isDone) continue
      const left = seen.since + quietMs - performance.now()
      const wait = left > 0 ? left : await this.#file(file, seen)
      next = Math.min(next, wait)
      if (signal.aborted || (once && !existing && this.#count > 0)) break
    }
    return next
  }

  /** @returns time until its next check, in milliseconds; `Infinity` when it is done */
  async #file(file: Candidate, seen: Seen): Promise<number> {
    const { quietMs, notice, place } = this.options
    const content = this.#read(file.path)
    if (content === undefined || signatureNow(file.path) !== file.signature) return quietMs
    const text = lineFeeds(answerOf(content).text)
    seen.isDone = true
    if (text.trim() === '') return Number.POSITIVE_INFINITY
    const { hasBlocks, isCutOff, skipped } = lookAt(text, this.options)
    const left = seen.since + CUT_OFF_MS - performance.now()
    if (isCutOff && left > 0) {
      seen.isDone = false
      return left
    }
    // A folder contains other texts too.
    if (!hasBlocks && place.file === undefined) {
      notice(
        `no live block${skipped === 0 ? '' : `, ${skipped} skipped (hermes parse says why)`}: left alone`, file.path,
      )
      return Number.POSITIVE_INFINITY
    }
    return this.#answer(file.path, text, seen)
  }

  async #answer(path: string, text: string, seen: Seen): Promise<number> {
    const { root, notice, once } = this.options
    const wait = (sentence: string): number => {
      if (!this.#told.has(sentence)) notice(sentence, path)
      this.#told.add(sentence)
      seen.isDone = false
      return LOOK_MS
    }
    if (!orNothing(() => statSync(root).isDirectory(), false)) return wait(`waits: ${root} is gone`)
    const dead = findDeadRun(root)?.begin.runId
    if (dead !== undefined) {
      if (once) throw interrupted(dead)
      return wait(`waits: run ${dead} in this root died; hermes recover keeps what it did, `
        + 'hermes recover --restore takes it back')
    }
    const hash = answerHash(text)
    const runId = createRunId()
    const claim = this.#applied.claim(hash, runId, path)
    // The other process may fail, so check again.
    if ('how' in claim && claim.how === 'elsewhere') return wait(`another process is running it (run ${claim.runId})`)
    if ('how' in claim) {
      notice(`${takenWords(claim)}; hermes apply runs it again`, path)
      return Number.POSITIVE_INFINITY
    }
    this.#told.clear()
    await this.#run({ path, text, hash, runId }, claim)
    return Number.POSITIVE_INFINITY
  }

  /** Runs an answer; if it was stopped before doing anything, it may run again. */
  async #run(answer: Answer, claim: Claim): Promise<void> {
    const { apply, signal } = this.options
    let isOver = false
    try {
      const { result, written, isPrepended } = await apply(answer)
      isOver = result.fatalError === undefined && !signal.aborted
      if (isPrepended) this.#passOver(answer)
      for (const path of new Set(written)) this.#disown(path, answer.runId)
    } finally {
      if (isOver || this.#applied.hasBegun(answer.runId)) claim.end()
      else claim.release()
      this.#count++
    }
  }

  /** Notes the file's state after a summary was written above the answer, so that it does not count as a new one. */
  #passOver({ path, hash }: Pick<Answer, 'path' | 'hash'>): void {
    const file = this.#candidate(path)
    const read = file && readAnswer(path)
    if (!file || !read || 'problem' in read || answerHash(answerOf(read.content).text) !== hash) return
    this.#seen.set(path, { signature: file.signature, since: performance.now(), isDone: true })
  }

  #candidate(path: string): Candidate | undefined {
    const found = this.#found()
    return found instanceof Error ? undefined : found?.find((candidate) => candidate.path === path)
  }

  /** Records a file that a run wrote into the watched place as done: a model must not start the next run. */
  #disown(path: string, runId: string): void {
    const { notice } = this.options
    const file = this.#candidate(path)
    const content = file && this.#read(path)
    if (!file || content === undefined) return
    this.#seen.set(path, { signature: file.signature, since: performance.now(), isDone: true })
    const claim = this.#applied.claim(answerHash(answerOf(content).text), runId, path)
    if ('end' in claim) claim.end()
    notice('written by this run: no answer', path)
  }

  /** Content of a file; `undefined` if it has just gone. An unreadable one is reported, and is not an answer. */
  #read(path: string): string | undefined {
    const read = readAnswer(path)
    if (!read || 'content' in read) return read?.content
    this.options.notice(`${read.problem}: left alone`, path)
    return ''
  }
}

function takenWords({ how, runId, at }: Taken): string {
  return how === 'died' ? `its run ${runId} was cut short, and what it did was kept: not again`
    : `applied before (run ${runId}, ${at}): not again`
}

function interrupted(runId: string): HermesError {
  return new HermesError('INTERRUPTED_RUN', `Run ${runId} in this root died`, {
    hint: 'hermes recover keeps what it did, hermes recover --restore puts everything back; then watch again.',
  })
}
