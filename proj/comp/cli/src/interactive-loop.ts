import type { ExecutionResult, HermesEvent } from '../../contracts/src/index.js'
import { Hermes } from '../../executor/src/index.js'
import { loadDiffRenderer, renderFeedback, type ReportStyle } from '../../reports/src/index.js'
import { escapeControls, modelWords } from '../../text/src/index.js'
import { createRunId } from '../../transaction/src/index.js'
import type { ApplyOptions } from './setup/apply-options.js'
import type { Program } from './command.js'
import { consentOptions, type ConsentRequest } from './io/consent.js'
import { isPromptCommand, runPromptCommand, type Prompted } from './interactive-commands.js'
import { diffOfRun } from './interactive-diff.js'
import type { Given, InteractiveInput } from './interactive-input.js'
import { readSubmission, type Submission } from './interactive-submission.js'
import { fatalFields } from './io/failure-document.js'
import { print, printJsonLine, wantsColour } from './io/output.js'

const MOST_LISTED = 20

export interface LoopOptions {
  options: ApplyOptions
  input: InteractiveInput
  /** Somebody is at a terminal. */
  isTerminal: boolean
  asJson: boolean
  consent: Omit<ConsentRequest, 'signal'>
  program: Program
  /** Canonical. */
  root: string
  /** Ends all of it. */
  signal: AbortSignal
  /** What an interrupt cancels while it runs. */
  onRun: (run: AbortController | undefined) => void
}

/** Takes what is given, a line or a paste at a time, and runs what is whole; one session for all. */
export class InteractiveLoop implements Prompted {
  readonly program: Program
  readonly root: string
  readonly #given: LoopOptions
  readonly #hermes: Hermes
  #pending = ''
  #isOver = false
  #hasEnded = false
  #isAllSuccess = true
  #hints = 0
  #last: { runId: string; result: ExecutionResult } | undefined

  /** @throws HermesError `INVALID_OPTION` */
  constructor(given: LoopOptions) {
    const { options, consent, signal } = given
    this.#given = given
    this.program = given.program
    this.root = given.root
    this.#hermes = new Hermes({ ...options, ...consentOptions({ ...consent, signal }), signal })
  }

  get registry(): Hermes['registry'] {
    return this.#hermes.registry
  }

  /** @returns whether all that ran succeeded */
  async run(): Promise<boolean> {
    const { input, isTerminal, signal } = this.#given
    try {
      while (!this.#isOver && !signal.aborted) {
        const given = await input.next(isTerminal ? (this.#pending === '' ? 'hermes> ' : '     …> ') : '')
        this.#hasEnded = given === undefined
        if (given === undefined) break
        await this.#take(given)
      }
      await this.#atEnd()
    } finally {
      await this.#hermes[Symbol.asyncDispose]()
    }
    return this.#isAllSuccess
  }

  async #take(given: Given): Promise<void> {
    const { isTerminal } = this.#given
    if (given.kind === 'interrupt') {
      if (this.#pending === '') {
        this.tell(this.#hints++ === 0 ? 'Ctrl-D or /quit ends; again Ctrl-C, too.\n' : '')
        this.#isOver = this.#hints > 1
      } else this.drop()
      return
    }
    this.#hints = 0
    if (given.kind === 'paste') {
      this.add(given.text)
      return
    }
    const { text } = given
    // In a pipe content wins; at a terminal the line was typed.
    if (isPromptCommand(text) && (isTerminal || !this.#submission().isOpen)) {
      await this.#away(async () => runPromptCommand(this, text))
      return
    }
    if (text.trim() !== '') {
      this.#pending += `${text}\n`
      return
    }
    const submission = this.#submission()
    if (submission.hasAny && !submission.isOpen) await this.runPending()
    else if (this.#pending !== '') this.#goOn(submission)
  }

  /** An empty line where nothing can run yet is part of the text. */
  #goOn({ isOpen, hasAny }: Submission): void {
    this.#pending += '\n'
    if (!this.#given.isTerminal || this.#pending.endsWith('\n\n\n')) return
    this.tell(isOpen && hasAny ? 'Not whole yet: a block is open. Go on, or /run, /drop.\n'
      : isOpen ? 'Not whole yet. Go on, or /run, /drop.\n'
      : 'No block in it yet. Go on, or /drop; /help says how to write one.\n')
  }

  async runPending(): Promise<void> {
    const { text, hasAny } = this.#submission()
    const isNothing = this.#pending.trim() === ''
    this.#pending = ''
    if (isNothing) this.tell('Nothing waits to be run.\n')
    else await this.#away(async () => this.#execute(text, hasAny))
  }

  async #execute(text: string, hasAny: boolean): Promise<void> {
    const { options, asJson, consent, onRun } = this.#given
    const run = new AbortController()
    const printer = asJson ? undefined : await (await import('./commands/apply.js')).livePrinter(options)
    const runId = createRunId()
    onRun(run)
    try {
      const result = await this.#hermes.execute(text, {
        ...consentOptions({ ...consent, signal: run.signal }), runId, signal: run.signal,
        onEvent: (event: HermesEvent) => printer?.event(event),
      })
      if (hasAny) this.#last = { runId, result }
      this.#isAllSuccess &&= result.success
      printer?.end(result, run.signal.aborted)
      if (asJson) printJsonLine({ schemaVersion: 1, runId, ...result, ...fatalFields(result) })
    } finally {
      onRun(undefined)
    }
  }

  /** At a terminal only what was confirmed runs. */
  async #atEnd(): Promise<void> {
    const { isTerminal, signal } = this.#given
    if (this.#pending.trim() === '' || signal.aborted) return
    if (!isTerminal && this.#hasEnded) await this.runPending()
    else this.tell(`${this.#hasEnded ? '\n' : ''}Not run: ${lineCount(this.#pending)} that waited.\n`)
  }

  #submission(): Submission {
    return readSubmission(this.#pending, this.#given.options.editFormats)
  }

  async #away(task: () => Promise<void>): Promise<void> {
    await this.#given.input.away(task)
  }

  tell(text: string): void {
    if (!this.#given.asJson) print(text)
  }

  pending(): string {
    return this.#pending
  }

  drop(): void {
    this.tell(this.#pending === '' ? 'Nothing waits.\n' : `Dropped ${lineCount(this.#pending)}.\n`)
    this.#pending = ''
  }

  add(text: string): void {
    if (text.trim() === '') {
      this.tell('There is no text in it.\n')
      return
    }
    this.#pending += text.endsWith('\n') ? text : `${text}\n`
    const { blocks, hasAny, isOpen } = this.#submission()
    const listed = blocks.slice(0, MOST_LISTED)
      .map(({ id, action }) => `  ${short(id, 40).padEnd(4)} ${short(action, 60)}\n`)
    const more = blocks.length > MOST_LISTED ? `  and ${blocks.length - MOST_LISTED} more\n` : ''
    const next = isOpen ? 'A block is open: paste or type the rest.'
      : hasAny ? 'Enter runs it; /diff shows what it would change, /show the text, /drop forgets it.'
      : 'There is no block in it. Go on, or /drop.'
    const count = `${blocks.length === 1 ? '1 block' : `${blocks.length} blocks`}${blocks.length === 0 ? '' : ':'}`
    this.tell(`Pasted ${lineCount(text)}, ${count}\n${listed.join('')}${more}${next}\n`)
  }

  showPending(): void {
    this.tell(this.#pending === '' ? 'Nothing waits.\n' : modelWords(this.#pending, process.stdout.columns || 80))
  }

  async showDiff(): Promise<void> {
    const { options } = this.#given
    const style: ReportStyle = { colour: wantsColour(), roots: [this.root, ...options.rootAliases] }
    if (this.#pending.trim() !== '') {
      const show = await loadDiffRenderer(style)
      const dry = new Hermes({
        ...options, dryRun: true,
        onEvent: (event) => {
          if (event.type !== 'block-end') return
          const { success, blockId, error = 'failed' } = event.result
          this.tell(`${success ? '' : `  ${short(blockId, 40)}: ${short(error, 200)}\n`}${show(event.changes)}`)
        },
      })
      await dry.execute(this.#submission().text)
      await dry[Symbol.asyncDispose]()
      this.tell('Nothing was changed; Enter runs it.\n')
      return
    }
    const shown = this.#last === undefined ? undefined : await diffOfRun(this.root, this.#last.runId, style)
    if (shown === undefined) this.tell('Nothing has run yet.\n')
    else this.tell(shown === '' ? 'The last run changed no file by its verbs.\n' : shown)
    if (this.#last?.result.gitCommit !== undefined) {
      this.tell(`All of it, with what commands changed: git show ${this.#last.result.gitCommit.slice(0, 12)}\n`)
    }
  }

  feedback(): string | undefined {
    return this.#last && renderFeedback(this.#last.result)
  }

  quit(): void {
    this.#isOver = true
  }
}

function lineCount(text: string): string {
  const count = text.replace(/\n$/, '').split('\n').length
  return count === 1 ? '1 line' : `${count} lines`
}

function short(text: string, length: number): string {
  return escapeControls(text.slice(0, length)).slice(0, length)
}
