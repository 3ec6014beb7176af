import { realpathSync } from 'node:fs'
import { keptOptions } from '../../../2-config/src/index.js'
import { caughtLater, HermesError, orNothing, type ReadFormat } from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { Hermes, mendAnswer, type ExecutorOptions, type RunResult } from '../../../5-executor/src/index.js'
import { pipedInput, terminalInput, type Given, type PromptInput } from '../../../2-terminal/src/index.js'
import {
  loadDiffRenderer, plural, renderFeedback, renderTextDiff, renderUnmended, type ReportStyle,
} from '../../../1-reports/src/index.js'
import { createRunId, fileChanges } from '../../../3-transaction/src/index.js'
import { complete } from './name-completion.js'
import { lineCount, pastedLines, short } from './pasted-lines.js'
import { isPromptCommand, PROMPT_COMMANDS, runPromptCommand, type Prompted } from './prompt-commands.js'
import type { InteractiveSetup } from './interactive-setup.js'
import { readSubmission, type Submission } from './submission.js'

const INTERRUPTED = 130
const NAMES = PROMPT_COMMANDS.map(({ name }) => name)

/** Takes input, a line or a paste at a time, and runs complete answers, in a single session. */
export class InteractiveSession implements Prompted {
  /** With links resolved, if the directory exists. */
  readonly root: string
  readonly #hermes: Hermes
  readonly #ending = new AbortController()
  #input: PromptInput | undefined
  #running: AbortController | undefined
  #exitCode: number | undefined
  #pending = ''
  #isOver = false
  #hasEnded = false
  #isAllSuccess = true
  #hints = 0
  #editFormats: readonly ReadFormat[] = []
  /** Formats that the user has enabled meanwhile: the session started without them. */
  readonly #kept: ReadFormat[] = []
  #last: { runId: string; result: RunResult } | undefined

  /** @throws HermesError `INVALID_OPTION` */
  constructor(readonly setup: InteractiveSetup) {
    const { options, extending, consent } = setup
    this.root = orNothing(() => realpathSync.native(options.root), options.root)
    const { signal } = this.#ending
    this.#hermes = new Hermes({ ...options, ...extending, ...consent(signal), signal })
  }

  /** Handles input until the user leaves or the input ends. @returns the exit code */
  async run(): Promise<number> {
    const { terminal, tell, options } = this.setup
    this.#editFormats = { ...options, ...await keptOptions(options) }.editFormats ?? []
    const input = this.#openInput()
    this.#input = input
    if (terminal) tell(`hermes works in ${this.root}. Paste an answer; /help lists the commands.\n`)
    try {
      while (!this.#isOver && !this.#ending.signal.aborted) {
        const given = await input.next(terminal ? (this.#pending === '' ? 'hermes> ' : '     …> ') : '')
        this.#hasEnded = given === undefined
        if (given === undefined) break
        await this.#take(given)
      }
      await this.#atEnd()
    } finally {
      await this.#hermes[Symbol.asyncDispose]()
      input.close()
      if (terminal === 'plain') tell('\n')
    }
    return this.#exitCode ?? (terminal !== undefined || this.#isAllSuccess ? 0 : 1)
  }

  /**
   * Handles Ctrl-C received as a signal: cancels what is running, else ends the session.
   *
   * @returns false if it was cancelled before, and still runs
   */
  interrupt(): boolean {
    if (!this.#running) return this.leave(INTERRUPTED)
    if (this.#running.signal.aborted) return false
    this.#running.abort()
    return true
  }

  /** Cancels what is running, and ends the session. @returns false if it is ending already */
  leave(exitCode: number): boolean {
    if (this.#exitCode !== undefined) return false
    this.#exitCode = exitCode
    this.#running?.abort()
    this.#ending.abort()
    this.#input?.close()
    return true
  }

  #openInput(): PromptInput {
    const { terminal, input, output, history, tell } = this.setup
    if (terminal !== 'editor') return pipedInput(input, (prompt) => {
      if (terminal) tell(prompt)
    })
    return terminalInput({
      input, output, history,
      complete: async (line) => complete({ line, before: this.#pending }, this.#hermes.registry, NAMES),
    })
  }

  async #take(given: Given): Promise<void> {
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
    // In a pipe, a line inside a block is content; at a terminal it was typed as a command.
    if (isPromptCommand(text) && (this.setup.terminal || !this.#submission().isOpen)) {
      await this.#away(async () => runPromptCommand(this, text))
      return
    }
    if (text.trim() !== '') {
      this.#pending += `${text}\n`
      return
    }
    const submission = this.#submission()
    const mayGoOn = submission.isOpen || (submission.isStream && !this.setup.terminal)
    if (submission.hasAny && !mayGoOn) await this.runPending()
    else if (this.#pending !== '') this.#goOn(submission)
  }

  /** Appends an empty line to the pending text, when it cannot run yet. */
  #goOn({ isOpen, hasAny }: Submission): void {
    this.#pending += '\n'
    if (!this.setup.terminal || this.#pending.endsWith('\n\n\n')) return
    this.tell(isOpen && hasAny ? 'Not whole yet: a block is open. Go on, or /run, /drop.\n'
      : isOpen ? 'Not whole yet. Go on, or /run, /drop.\n'
      : 'No block in it yet. Go on, or /drop; /help says how to write one.\n')
  }

  async runPending(): Promise<void> {
    const submission = this.#submission()
    const isNothing = this.#pending.trim() === ''
    this.#pending = ''
    if (isNothing) this.tell('Nothing waits to be run.\n')
    else await this.#away(async () => this.#execute(submission))
  }

  async #execute({ answer, hasAny }: Submission): Promise<void> {
    const { consent, reportRun } = this.setup
    const run = new AbortController()
    const { signal } = run
    const report = await reportRun(signal)
    const runId = createRunId()
    this.#running = run
    try {
      const alsoRead = await this.#offered(answer, signal)
      const result = await this.#hermes.execute(answer, {
        ...consent(signal), ...report.options, runId, signal, alsoRead, onEvent: (event) => report.event(event),
      })
      if (hasAny) this.#last = { runId, result }
      this.#isAllSuccess &&= result.success
      report.end(result, { runId, isInterrupted: signal.aborted })
    } finally {
      this.#running = undefined
    }
  }

  /** Formats to read in this run besides the session's. */
  async #offered(answer: Submission['answer'], signal: AbortSignal): Promise<readonly ReadFormat[]> {
    try {
      const offered = await this.setup.offer?.(answer, { editFormats: this.#editFormats }, signal)
      if (offered?.isKept === true) {
        this.#kept.push(...offered.formats)
        this.#editFormats = offered.all
      }
      return [...this.#kept, ...offered?.formats ?? []]
    } catch (error) {
      // The cancelled run reports that itself.
      if (signal.aborted) return []
      throw error
    }
  }

  /** Handles the end of input; at a terminal only confirmed text runs. */
  async #atEnd(): Promise<void> {
    if (this.#pending.trim() === '' || this.#ending.signal.aborted) return
    if (!this.setup.terminal && this.#hasEnded) await this.runPending()
    else this.tell(`${this.#hasEnded ? '\n' : ''}Not run: ${lineCount(this.#pending)} that waited.\n`)
  }

  #submission(): Submission {
    return readSubmission(this.#pending, this.#editFormats, this.setup.offer !== undefined)
  }

  async #away(task: () => Promise<void>): Promise<void> {
    await this.#input?.away(task)
  }

  tell(text: string): void {
    this.setup.tell(text)
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
    this.tell(pastedLines(text, this.#submission(), this.setup.colour))
  }

  showPending(): void {
    this.tell(this.#pending === '' ? 'Nothing waits.\n' : this.setup.quote(this.#pending))
  }

  async showDiff(): Promise<void> {
    const { options, colour } = this.setup
    const style: ReportStyle = { colour, roots: [this.root, ...options.rootAliases] }
    const show = await loadDiffRenderer(style)
    if (this.#pending.trim() !== '') {
      const dry = new Hermes({
        ...options, dryRun: true, checkMs: 0, ...(this.#kept.length > 0 && { editFormats: this.#editFormats }),
        onEvent: (event) => {
          if (event.type !== 'block-end') return
          const { success, blockId, error = 'failed' } = event.result
          this.tell(`${success ? '' : `  ${short(blockId, 40)}: ${short(error, 200)}\n`}${show(event.changes)}`)
        },
      })
      const { answer } = this.#submission()
      const prepared = await this.#prepared(answer)
      if (prepared instanceof HermesError) this.tell(`${prepared.message}\n`)
      await dry.execute(answer, prepared ? { prepared } : {})
      await dry[Symbol.asyncDispose]()
      this.tell('Nothing was changed; Enter runs it.\n')
      return
    }
    const shown = this.#last && show(await fileChanges(this.root, [this.#last.runId]))
    if (shown === undefined) this.tell('Nothing has run yet.\n')
    else this.tell(shown === '' ? 'The last run changed no file by its verbs.\n' : shown)
    if (this.#last?.result.gitCommit !== undefined) {
      this.tell(`All of it, with what commands changed: git show ${this.#last.result.gitCommit.slice(0, 12)}\n`)
    }
  }

  /** A text after extensions, for display; or the error. */
  async #prepared(answer: Submission['answer']): Promise<PreparedAnswer | HermesError | undefined> {
    if (this.setup.extending?.extensions === undefined || typeof answer !== 'string') return undefined
    return await caughtLater(HermesError, () => this.#hermes.prepare(answer), (error) => error)
  }

  async mend(): Promise<void> {
    const { options, colour } = this.setup
    const { answer } = this.#submission()
    if (this.#pending.trim() === '') this.tell('Nothing waits.\n')
    else if (typeof answer !== 'string') this.tell('A saved response of an interface cannot be mended.\n')
    else {
      const reading = { ...options, editFormats: [...this.#editFormats] }
      const { text, told } = await mendPending(answer, reading, { colour, roots: [this.root, ...options.rootAliases] })
      this.#pending = text
      this.tell(told)
    }
  }

  feedback(): string | undefined {
    return this.#last && renderFeedback(this.#last.result)
  }

  reply(): string | undefined {
    return this.#last?.result.reply()
  }

  quit(): void {
    this.#isOver = true
  }
}

/**
 * Puts fixes in place in a text that waits; nothing runs.
 *
 * @returns the text, and what the user is told
 */
async function mendPending(
  given: string, options: ExecutorOptions, style: ReportStyle,
): Promise<{ text: string; told: string }> {
  const { text, mended, mendedResults, errors, results } = await mendAnswer(given, options)
  const left = renderUnmended({ errors, results }, style)
  if (text === given) return { text, told: `There is nothing to mend.\n${left}` }
  const count = plural(mended.length + mendedResults.length, 'fix', 'fixes')
  const diff = await renderTextDiff('answer', given, text, style)
  return { text, told: `${diff}${left}${count} in place; Enter runs it.\n` }
}
