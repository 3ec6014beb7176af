import { HermesError, type ExecutionResult } from '../../0-contracts/src/index.js'
import { hookItem, pageRewrite } from '../../2-page/src/index.js'
import { readResponse } from '../../2-transcripts/src/index.js'
import { createRunId, readHistory, type UndoOutcome } from '../../3-transaction/src/index.js'
import { takeBack, userGate } from '../../5-executor/src/index.js'
import { mendedSource } from './answer.js'
import { endedCard, otherCards } from './cards.js'
import { EditedAnswer } from './edited-answer.js'
import { runLive } from './live-run.js'
import { nothingLive } from './nothing-live.js'
import { asNotice, changedNotice, ranChange, refusalOf, undoneChange, type Change } from './outcomes.js'
import { differences, previewAnswer, type Effect, type Preview } from './preview.js'
import { proseOf } from './prose.js'
import { Prompts } from './prompts.js'
import type { ReviewMessage } from './review-protocol.js'
import { aboutToRun, isAgreedTo, onItsLines, plannedItem, rootNames } from './review-items.js'
import { NotNow, type ReviewEnd, type ReviewOptions } from './review-options.js'
import type { Ask, ReviewItem, ReviewState } from './review-state.js'
import { ShownState } from './shown-state.js'

/**
 * One answer under review: what it would do, what the user chose, at most one run of it, and its undo. Pages are shown
 * `state`, and send messages; whatever they send, the run is that of the user's options.
 */
export class ReviewSession {
  readonly ended: Promise<ReviewEnd>
  readonly #shown: ShownState
  readonly #answer: EditedAnswer
  /** Paths below them are shown relative. */
  readonly #roots: readonly string[]
  /** The last that is known of each block, also of those left out since. */
  readonly #effects = new Map<number, Effect>()
  #previewed: Preview | undefined
  #looking: AbortController | undefined
  readonly #prompts = new Prompts((prompts) => this.#shown.set({ prompts }))
  #work: AbortController | undefined
  #runId: string | undefined
  #result: ExecutionResult | undefined
  #replied: string | undefined
  #undone: UndoOutcome | undefined
  #isLeft = false
  #end: (end: ReviewEnd) => void = () => undefined

  /** @throws HermesError `INVALID_OPTION` */
  constructor(private readonly options: ReviewOptions) {
    this.#answer = new EditedAnswer(readResponse(options.text) ?? options.text, { ...options.run, ...options.reading })
    this.#roots = rootNames(options.run)
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    const items = this.#answer.now.blocks.map((_, at): ReviewItem => this.#item(at, true, []))
    this.#shown = new ShownState({
      version: 1, phase: 'review', previewing: true, revision: 0, title: options.title, root: options.run.root,
      settings: options.settings ?? [], items, others: otherCards(this.#answer.now),
      rewrites: (options.prepared?.rewrites ?? []).map(pageRewrite), warnings: [], prompts: [],
      prose: proseOf(this.#answer.now),
    })
    options.signal.addEventListener('abort', () => this.leave())
    this.#look()
  }

  get state(): ReviewState {
    return this.#shown.state
  }

  /** @returns what ends it */
  listen(listener: (state: ReviewState) => void): () => void {
    return this.#shown.listen(listener)
  }

  /**
   * Does what a page asks for; what takes time goes on after it has returned, and shows in the state.
   *
   * @returns what the page is answered
   * @throws HermesError for what is not possible now
   */
  handle(message: ReviewMessage): object {
    return this.#handled(message) ?? {}
  }

  #handled(message: ReviewMessage): object | void {
    switch (message.type) {
      case 'tick': return this.#tick(message.keys, message.on)
      case 'edit': return this.#edit(this.#shown.place(message.key), message.text)
      case 'mend': return this.#mend(this.#shown.place(message.key))
      case 'revert': return this.#edit(this.#shown.place(message.key), undefined)
      case 'source': return this.#source(this.#shown.place(message.key))
      case 'approve': return this.#approve(message)
      case 'refresh':
        this.#requireReview()
        return this.#look()
      case 'run': return this.#run(message.revision)
      case 'answer': return this.#prompts.answer(message.prompt, message.answer)
      case 'cancel':
        if (this.#work === undefined) throw new NotNow('Nothing runs that could be stopped')
        return this.#work.abort()
      case 'undo': return this.#undo()
      case 'reply': return this.#reply()
      case 'finish':
        if (this.#work) throw new NotNow('The blocks still run: cancel that first')
        return this.leave()
    }
  }

  /** Nobody looks any more: what runs is broken off, and the review ends. */
  leave(): void {
    if (this.#isLeft) return
    this.#isLeft = true
    this.#looking?.abort()
    // An undo is carried to its end: half of one helps nobody.
    if (this.state.phase === 'checking' || this.state.phase === 'running') this.#work?.abort()
    if (!this.#work) this.#close()
  }

  #close(): void {
    const wasBrokenOff = this.#result !== undefined && this.state.phase === 'running'
    this.#shown.set({ phase: 'ended', previewing: false })
    this.#end({
      cancelled: this.#result === undefined || wasBrokenOff, edited: this.#answer.editedIds,
      ...(this.#answer.mendedIds.length > 0 && { mended: this.#answer.mendedIds }),
      ...(this.#result && { result: this.#result }), ...(this.#undone && { undo: this.#undone }),
    })
  }

  #source(at: number): object {
    return { text: this.#answer.text(at), textRevision: this.#answer.revision(at) }
  }

  #tick(keys: readonly string[], on: boolean): void {
    this.#requireReview()
    const places = new Set(keys.map((key) => this.#shown.place(key)))
    this.#look({
      items: this.state.items.map(
        (item, at) => (places.has(at) && item.ticked !== on ? { ...item, ticked: on } : item),
      ),
    })
  }

  #edit(at: number, text: string | undefined, isMend = false): object {
    this.#requireReview()
    try {
      this.#answer.edit(at, text, isMend)
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#shown.change(at, { refused: refusalOf(error) })
      return { taken: false }
    }
    this.#effects.delete(at)
    const { refused: _, ...item } = this.#item(at, this.state.items[at]?.ticked ?? true, [])
    // Later blocks stand on other lines now.
    const items = this.state.items.map((each, place) => {
      if (place === at) return item
      return place < at ? each : onItsLines(each, this.#answer.now, place)
    })
    this.#look({ items, others: otherCards(this.#answer.now), prose: proseOf(this.#answer.now) })
    return { taken: true, textRevision: this.#answer.revision(at) }
  }

  /** As an edit by the user, who asked for it. */
  #mend(at: number): object {
    const block = this.#answer.block(at)
    const text = block && mendedSource(this.#answer.now, block, this.#effects.get(at)?.result)
    if (text === undefined) throw new NotNow('There is nothing to mend in this block')
    return this.#edit(at, text, true)
  }

  #approve({ key, ask: index, about, on }: Extract<ReviewMessage, { type: 'approve' }>): void {
    this.#requireReview()
    const at = this.#shown.place(key)
    const asks = this.state.items[at]?.asks ?? []
    const ask = asks[index]
    if (!ask || ask.reason !== about.reason || ask.command !== about.command || ask.exact !== about.exact) {
      throw new NotNow('This is not asked any more')
    }
    this.#shown.change(at, { asks: asks.map((entry) => (entry === ask ? { ...entry, approved: on } : entry)) })
  }

  #run(revision: number): void {
    this.#requireReview()
    if (this.state.previewing || revision !== this.state.revision || !this.#previewed) {
      throw new NotNow('The page does not show what would run now: look again')
    }
    if (this.state.items.some(({ refused }) => refused)) {
      throw new NotNow('An edit was not taken: mend or revert it first')
    }
    if (this.#shown.chosen().size === 0) throw new NotNow('No block is ticked')
    void this.#working('checking', async (signal) => {
      const now = await previewAnswer(this.#answer.now, this.#shown.chosen(), this.options.run, signal)
      if (!now || !this.#previewed) return {}
      const changed = differences(this.#previewed, now)
      if (changed.length === 0) return this.#execute(signal)
      this.#show(now)
      return changedNotice(changed.map((at) => this.#answer.name(at)))
    })
  }

  async #execute(signal: AbortSignal): Promise<Change> {
    const { run: options, prepared, onEvent } = this.options
    const chosen = this.#shown.chosen()
    const runId = createRunId()
    this.#runId = runId
    this.#shown.set({ phase: 'running', notice: undefined, items: this.state.items.map(aboutToRun) })
    const result = await runLive({
      answer: this.#answer.now, chosen, options, prepared, runId, prompts: this.#prompts, signal, onEvent,
      isAgreed: (at, request) => isAgreedTo(this.state.items[at]?.asks ?? [], request),
      onStart: (at) => this.#shown.start(at, new Date()),
      onPrinted: (at, lines) => this.#shown.printed(at, lines),
      onHooks: (cards) => this.#shown.set({ others: [...otherCards(this.#answer.now), ...cards] }),
      onEnd: (at, ended, changes) => this.#shown.end(at, (card) => endedCard(card, ended, changes, this.#roots)),
    })
    this.#result = result
    // Once: what the session has shown before is only named after that.
    this.#replied = result.reply()
    // Only what changed something is on record, and can be taken back.
    const isOnRecord = readHistory(userGate(options).root).applied.some((run) => run.runId === runId)
    return ranChange(result, this.state.items.length - chosen.size, isOnRecord)
  }

  #reply(): object {
    if (this.state.phase !== 'ran' || this.#replied === undefined) {
      throw new NotNow('There is no run to tell the model of')
    }
    return { text: this.#replied }
  }

  #undo(): void {
    const { phase, outcome } = this.state
    const runId = this.#runId
    if (phase !== 'ran' || runId === undefined || !outcome?.undoable) throw new NotNow('There is no run to take back')
    void this.#working('undoing', async (signal) => {
      const undone = await takeBack(this.options.run, { kind: 'undo', target: runId, signal })
      this.#undone = undone
      return undoneChange(undone, outcome)
    })
  }

  /**
   * Runs a task in a phase of its own, then shows what it returns, or why it failed. Where that says no phase, the one
   * before comes again.
   */
  async #working(phase: 'checking' | 'undoing', task: (signal: AbortSignal) => Promise<Change>): Promise<void> {
    const before = this.state.phase
    const work = new AbortController()
    this.#work = work
    this.#shown.set({ phase, notice: undefined })
    let change: Change
    try {
      change = await task(work.signal)
    } catch (error) {
      change = { notice: { kind: 'refused', ...asNotice(error) } }
    }
    this.#work = undefined
    if (this.#isLeft) this.#close()
    else this.#shown.set({ phase: before, ...change })
  }

  /** Finds out anew what the chosen blocks would do. @param change why */
  #look(change: Change = {}): void {
    this.#looking?.abort()
    const looking = new AbortController()
    this.#looking = looking
    this.#shown.set({ ...change, previewing: true, notice: undefined })
    void this.#preview(looking)
  }

  async #preview(looking: AbortController): Promise<void> {
    try {
      const preview = await previewAnswer(this.#answer.now, this.#shown.chosen(), this.options.run, looking.signal)
      if (preview && this.#looking === looking && !this.#isLeft) this.#show(preview)
    } catch (error) {
      if (this.#looking === looking) this.#shown.set({ previewing: false, fatalError: asNotice(error).text })
    }
  }

  #show(preview: Preview): void {
    this.#previewed = preview
    for (const [at, effect] of preview.effects) this.#effects.set(at, effect)
    const items = this.state.items.map((item, at) => {
      const next = this.#item(at, item.ticked, item.asks)
      const shown = { ...next, ...(item.refused && { refused: item.refused }) }
      return JSON.stringify(shown) === JSON.stringify(item) ? item : shown
    })
    // What extensions did wrong, a run tells with its own.
    const warnings = [...this.options.prepared?.warnings ?? [], ...preview.warnings]
    this.#shown.set({
      items, others: [...otherCards(this.#answer.now), ...preview.hooks.map(hookItem)], previewing: false,
      revision: this.state.revision + 1, warnings, fatalError: preview.fatalError,
      nothing: nothingLive(this.#answer.now, preview.reply),
    })
  }

  #item(at: number, ticked: boolean, before: readonly Ask[]): ReviewItem {
    const block = this.#answer.block(at)
    if (!block) throw new HermesError('INTERNAL', `There is no block at ${at}`)
    return plannedItem({
      answer: this.#answer.now, block, at, effect: this.#effects.get(at), ticked, ...this.#answer.facts(at), before,
      roots: this.#roots,
    })
  }

  #requireReview(): void {
    if (this.state.phase !== 'review' || this.#isLeft) {
      throw new NotNow('The review is over: the blocks run, or have run')
    }
  }
}
