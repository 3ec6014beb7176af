import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { HermesError, isNodeError, orNothing, type ExecutionResult, type HermesEvent } from '../../contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../executor/src/index.js'
import { createRunId, type UndoOutcome } from '../../transaction/src/index.js'
import { editBlock, readAnswer, sourceOf, type Answer } from './answer.js'
import { endedCard, leftOutCard, otherCards, plannedCard } from './cards.js'
import { differences, leavingOut, placesOf, previewAnswer, type Effect, type Preview } from './preview.js'
import { Prompts } from './prompts.js'
import type { ReviewMessage } from './protocol.js'
import type { Ask, Refusal, ReviewItem, ReviewState } from './review-state.js'
import { isOnRecord, takeBack } from './take-back.js'

export interface ReviewOptions {
  text: string
  /** What the page calls it. */
  title: string
  /** How runs are made: the user's flags. Nothing of a page gets into it. */
  run: ExecutorOptions & { root: string }
  /** How, for people; a line each. */
  settings?: readonly string[]
  /** Hears of the run as it goes on. */
  onEvent?: (event: HermesEvent) => void
  /** Ends the review, and the run that is at work. */
  signal: AbortSignal
}

/** How a review ended. `edited`: ids of the blocks that ran otherwise than the answer has them. */
export interface ReviewEnd {
  /** Nothing ran; or the run was broken off because nobody was there any more. */
  cancelled: boolean
  result?: ExecutionResult
  edited: string[]
  undo?: UndoOutcome
}

type Change = { [K in keyof ReviewState]?: ReviewState[K] | undefined }

const BUSY = 'Not now'

/**
 * One answer under review: what it would do, what the user chose, at most one run of it, and its undo. Pages are shown
 * `state`, and send messages; whatever they send, the run is that of the user's options.
 */
export class ReviewSession {
  readonly ended: Promise<ReviewEnd>
  #state: ReviewState
  readonly #options: ReviewOptions
  readonly #listeners = new Set<(state: ReviewState) => void>()
  readonly #original: Answer
  #answer: Answer
  /** Paths below them are shown relative. */
  readonly #roots: readonly string[]
  /** Texts of blocks as edited, by place. */
  readonly #edits = new Map<number, string>()
  /** The last that is known of each block, also of those left out since. */
  readonly #effects = new Map<number, Effect>()
  #shown: Preview | undefined
  #looking: AbortController | undefined
  readonly #prompts = new Prompts((prompts) => this.#set({ prompts }))
  #work: AbortController | undefined
  #runId: string | undefined
  #result: ExecutionResult | undefined
  #undone: UndoOutcome | undefined
  /** Place of the block that runs. */
  #current: number | undefined
  #isLeft = false
  #end: (end: ReviewEnd) => void = () => undefined

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: ReviewOptions) {
    this.#options = options
    this.#answer = readAnswer(options.text, options.run)
    this.#original = this.#answer
    this.#roots = rootNames(options.run)
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    const items = this.#answer.blocks.map((_, at): ReviewItem => this.#item(at, true, []))
    this.#state = {
      version: 1, phase: 'review', previewing: true, revision: 0, title: options.title, root: options.run.root,
      settings: options.settings ?? [], items, others: otherCards(this.#answer), warnings: [], prompts: [],
    }
    options.signal.addEventListener('abort', () => this.leave())
    this.#look()
  }

  get state(): ReviewState {
    return this.#state
  }

  /** @returns what ends it */
  listen(listener: (state: ReviewState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Does what a page asks for; what takes time goes on after it has returned, and shows in the state.
   *
   * @returns what the page is answered
   * @throws HermesError for what is not possible now
   */
  handle(message: ReviewMessage): object {
    switch (message.type) {
      case 'tick': return this.#tick(message.keys, message.on)
      case 'edit': return this.#edit(this.#place(message.key), message.text)
      case 'revert': return this.#edit(this.#place(message.key), undefined)
      case 'source': return { text: this.#source(this.#place(message.key)) }
      case 'approve': return this.#approve(message)
      case 'refresh':
        this.#requireReview()
        this.#look()
        return {}
      case 'run': return this.#run(message.revision)
      case 'answer':
        this.#prompts.answer(message.prompt, message.answer)
        return {}
      case 'cancel':
        if (this.#work === undefined) throw notNow('Nothing runs that could be stopped')
        this.#work.abort()
        return {}
      case 'undo': return this.#undo()
      case 'finish':
        if (this.#work) throw notNow('The blocks still run: cancel that first')
        this.leave()
        return {}
    }
  }

  /** Nobody looks any more: what runs is broken off, and the review ends. */
  leave(): void {
    if (this.#isLeft) return
    this.#isLeft = true
    this.#looking?.abort()
    // An undo is carried to its end: half of one helps nobody.
    if (this.#state.phase === 'checking' || this.#state.phase === 'running') this.#work?.abort()
    if (!this.#work) this.#close()
  }

  #close(): void {
    const edited = [...this.#edits.keys()].flatMap((at) => this.#answer.blocks[at]?.blockId ?? [])
    const wasBrokenOff = this.#result !== undefined && this.#state.phase === 'running'
    this.#set({ phase: 'ended', previewing: false })
    this.#end({
      cancelled: this.#result === undefined || wasBrokenOff, edited,
      ...(this.#result && { result: this.#result }), ...(this.#undone && { undo: this.#undone }),
    })
  }

  #tick(keys: readonly string[], on: boolean): object {
    this.#requireReview()
    const places = new Set(keys.map((key) => this.#place(key)))
    this.#look({ items: this.#state.items.map((item, at) => (places.has(at) && item.ticked !== on ? { ...item, ticked: on } : item)) })
    return {}
  }

  #edit(at: number, text: string | undefined): object {
    this.#requireReview()
    const block = this.#original.blocks[at]
    const source = text ?? (block ? sourceOf(this.#original, block) : '')
    let answer: Answer
    try {
      answer = editBlock(this.#answer, at, source, this.#options.run)
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#change(at, { refused: refusalOf(error) })
      return { taken: false }
    }
    this.#answer = answer
    if (block && source === sourceOf(this.#original, block)) this.#edits.delete(at)
    else this.#edits.set(at, source)
    this.#effects.delete(at)
    const { refused: _, ...item } = this.#item(at, this.#state.items[at]?.ticked ?? true, [])
    // Later blocks stand on other lines now.
    const items = this.#state.items.map((one, place) => {
      if (place === at) return item
      return place < at ? one : { ...one, card: { ...one.card, ...linesOf(this.#answer, place) } }
    })
    this.#look({ items, others: otherCards(answer) })
    return { taken: true }
  }

  #approve({ key, ask: index, about, on }: Extract<ReviewMessage, { type: 'approve' }>): object {
    this.#requireReview()
    const at = this.#place(key)
    const asks = this.#state.items[at]?.asks ?? []
    const ask = asks[index]
    if (!ask || ask.reason !== about) throw notNow('This is not asked any more')
    this.#change(at, { asks: asks.map((one) => (one === ask ? { ...one, approved: on } : one)) })
    return {}
  }

  #run(revision: number): object {
    this.#requireReview()
    if (this.#state.previewing || revision !== this.#state.revision || !this.#shown) {
      throw notNow('The page does not show what would run now: look again')
    }
    if (this.#state.items.some(({ refused }) => refused)) throw notNow('An edit was not taken: mend or revert it first')
    if (this.#chosen().size === 0) throw notNow('No block is ticked')
    void this.#working('checking', async (signal) => {
      const now = await previewAnswer(this.#answer, this.#chosen(), this.#options.run, signal)
      if (!now || !this.#shown) return {}
      const changed = differences(this.#shown, now)
      if (changed.length === 0) return this.#execute(signal)
      this.#show(now)
      const names = changed.map((at) => this.#answer.blocks[at]?.blockId ?? String(at + 1)).join(', ')
      return { notice: {
        kind: 'changed', text: `Nothing has run: the files changed since you looked. Shown anew: ${names}.`, hint: 'Look at it, then run again.',
      } }
    })
    return {}
  }

  async #execute(signal: AbortSignal): Promise<Change> {
    const chosen = this.#chosen()
    const places = placesOf(this.#answer, chosen)
    const runId = createRunId()
    let started = -1
    const keyNow = (): string | undefined => (this.#current === undefined ? undefined : String(this.#current + 1))
    const hermes = new Hermes({
      ...this.#options.run, signal, leaveOut: leavingOut(chosen), ui: this.#prompts.userInterface(keyNow),
      approve: async (request) => {
        const isAgreed = this.#current !== undefined && this.#state.items[this.#current]?.asks
          .some(({ approved, ...asked }) => approved && JSON.stringify(asked) === JSON.stringify(request))
        return isAgreed ? 'once' : this.#prompts.approve(request, keyNow(), signal)
      },
      onEvent: (event) => {
        if (event.type === 'block-start') {
          this.#current = places[++started]
          if (this.#current !== undefined) this.#card(this.#current, (card) => ({ ...card, state: 'running' }))
        } else if (event.type === 'block-end') {
          if (this.#current !== undefined) this.#card(this.#current, (card) => endedCard(card, event.result, event.changes, this.#roots))
          this.#current = undefined
        }
        this.#options.onEvent?.(event)
      },
    })
    const items = this.#state.items.map((item) => ({
      ...item, card: item.ticked ? item.card.state === 'unparsed' ? item.card : { ...item.card, state: 'pending' as const } : leftOutCard(item.card),
    }))
    this.#set({ phase: 'running', notice: undefined, items })
    try {
      this.#runId = runId
      const result = await hermes.execute(this.#answer.text, { runId })
      this.#result = result
      const failed = result.results.filter(({ success }) => !success).length + result.parseErrors.length
      const { success, executedActions: executed, durationMs, gitCommit, fatalError, rolledBack, warnings = [] } = result
      return {
        phase: 'ran', warnings,
        outcome: {
          success, executed, failed, leftOut: this.#state.items.length - chosen.size, durationMs, endedAt: new Date().toISOString(), ...(gitCommit !== undefined && { gitCommit }),
          ...(fatalError !== undefined && { fatalError }), ...(rolledBack !== undefined && { rolledBack }),
          undoable: isOnRecord(this.#options.run, runId),
        },
      }
    } finally {
      await hermes[Symbol.asyncDispose]()
    }
  }

  #undo(): object {
    const { phase, outcome } = this.#state
    const runId = this.#runId
    if (phase !== 'ran' || runId === undefined || !outcome?.undoable) throw notNow('There is no run to take back')
    void this.#working('undoing', async (signal) => {
      const undone = await takeBack(this.#options.run, runId, signal)
      this.#undone = undone
      const { success, restored, left, warnings, fatalError } = undone
      const isWhole = left.length === 0 && fatalError === undefined
      const rolledBack = !isWhole ? 'partly' : success && warnings.length === 0 ? true : 'files'
      const paths = restored.length === 1 ? '1 path is' : `${restored.length} paths are`
      return {
        phase: isWhole ? 'undone' : 'ran', outcome: { ...outcome, rolledBack },
        notice: {
          kind: isWhole ? 'done' : 'refused',
          text: isWhole ? `Undone: ${paths} as before the run.`
            : fatalError ?? `Undone in part. Not put back: ${left.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`,
          ...(warnings.length > 0 && { hint: warnings.join('\n') }),
        },
      }
    })
    return {}
  }

  /**
   * Runs a task in a phase of its own, then shows what it returns; where that says no phase, the one before comes again.
   * Where the task fails, so does the reason.
   */
  async #working(phase: 'checking' | 'undoing', task: (signal: AbortSignal) => Promise<Change>): Promise<void> {
    const before = this.#state.phase
    const work = new AbortController()
    this.#work = work
    this.#set({ phase, notice: undefined })
    let change: Change
    try {
      change = await task(work.signal)
    } catch (error) {
      change = { notice: { kind: 'refused', ...asNotice(error) } }
    }
    this.#work = undefined
    if (this.#isLeft) this.#close()
    else this.#set({ phase: before, ...change })
  }

  /** Finds out anew what the chosen blocks would do. @param change why */
  #look(change: Change = {}): void {
    this.#looking?.abort()
    const looking = new AbortController()
    this.#looking = looking
    this.#set({ ...change, previewing: true, notice: undefined })
    void this.#preview(looking)
  }

  async #preview(looking: AbortController): Promise<void> {
    try {
      const preview = await previewAnswer(this.#answer, this.#chosen(), this.#options.run, looking.signal)
      if (preview && this.#looking === looking && !this.#isLeft) this.#show(preview)
    } catch (error) {
      if (this.#looking === looking) this.#set({ previewing: false, fatalError: asNotice(error).text })
    }
  }

  #show(preview: Preview): void {
    this.#shown = preview
    for (const [at, effect] of preview.effects) this.#effects.set(at, effect)
    const items = this.#state.items.map((item, at) => {
      const next = this.#item(at, item.ticked, item.asks)
      const shown = { ...next, ...(item.refused && { refused: item.refused }) }
      return JSON.stringify(shown) === JSON.stringify(item) ? item : shown
    })
    this.#set({
      items, previewing: false, revision: this.#state.revision + 1, warnings: preview.warnings, fatalError: preview.fatalError,
    })
  }

  #item(at: number, ticked: boolean, before: readonly Ask[]): ReviewItem {
    const block = this.#answer.blocks[at]
    if (!block) throw new HermesError('INTERNAL', `There is no block at ${at}`)
    const effect = this.#effects.get(at)
    const asks = effect?.asks.map((request): Ask => {
      const agreed = before.some(({ approved, ...asked }) => approved && JSON.stringify(asked) === JSON.stringify(request))
      return { ...request, approved: agreed }
    })
    const key = String(at + 1)
    return {
      key, card: plannedCard(key, this.#answer, block, effect, this.#roots), ticked, edited: this.#edits.has(at),
      editable: block.isAlone, asks: asks ?? [],
    }
  }

  #source(at: number): string {
    const block = this.#answer.blocks[at]
    return block ? sourceOf(this.#answer, block) : ''
  }

  #chosen(): Set<number> {
    return new Set([...this.#state.items.keys()].filter((at) => this.#state.items[at]?.ticked))
  }

  #place(key: string): number {
    const at = Number(key) - 1
    if (this.#state.items[at]?.key !== key) throw new HermesError('INVALID_PARAMETER', `There is no block ${key}`, { hint: 'Reload the page.' })
    return at
  }

  #requireReview(): void {
    if (this.#state.phase !== 'review' || this.#isLeft) throw notNow('The review is over: the blocks run, or have run')
  }

  #card(at: number, change: (card: ReviewItem['card']) => ReviewItem['card']): void {
    const item = this.#state.items[at]
    if (item) this.#change(at, { card: change(item.card) })
  }

  #change(at: number, change: Partial<ReviewItem>): void {
    this.#set({ items: this.#state.items.map((item, place) => (place === at ? { ...item, ...change } : item)) })
  }

  #set(change: Change): void {
    this.#state = { ...this.#state, ...change } as ReviewState
    for (const listener of this.#listeners) listener(this.#state)
  }
}

/** A root as given and without links: paths may be written either way. */
function rootNames({ root, rootAliases = [] }: ReviewOptions['run']): string[] {
  return [...new Set([resolve(root), orNothing(() => realpathSync.native(root), root), ...rootAliases])]
}

function linesOf({ blocks }: Answer, at: number): { startLine: number; endLine: number } {
  const { startLine = 0, endLine = 0 } = blocks[at] ?? {}
  return { startLine, endLine }
}

function notNow(message: string): HermesError {
  return new HermesError('INVALID_PARAMETER', message, { hint: BUSY })
}

function refusalOf({ code, message, hint }: HermesError): Refusal {
  return { code, message, ...(hint !== undefined && { hint }) }
}

function asNotice(error: unknown): { text: string; hint?: string } {
  if (error instanceof HermesError) return { text: error.message, ...(error.hint !== undefined && { hint: error.hint }) }
  if (isNodeError(error)) return { text: error.message }
  throw error
}
