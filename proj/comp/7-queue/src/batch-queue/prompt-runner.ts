import { emptyPromptReport, promptHash, type BatchPrompt, type RanPrompt } from '../batch/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { beyondCeiling, carry, TreeFetcher, unpack, type Done, type WorkPlace } from '../jobs/index.js'
import { otherServer } from './other-server.js'
import {
  readPrompt, type PromptAnswer, type PromptJob, type PromptSettings, type PromptText, type ToldRun,
} from './prompt-job.js'

/** A job as passed to the process that runs it: everything is on this host. */
export interface LocalPrompt {
  settings: PromptSettings
  /** A directory that is copied, and never changed. */
  workspace: string | undefined
}

export interface PromptRunnerOptions extends Pick<WorkPlace, 'store' | 'ceiling' | 'directory' | 'name'> {
  /** Base URL of this worker's own server. */
  server: string
  /** Runs a prompt in another process. @throws where that died */
  run: (plan: LocalPrompt, prompt: BatchPrompt) => Promise<RanPrompt>
}

/** The result of a job here, and how to report it to the queue. */
export interface PromptDone {
  ran: RanPrompt
  done: Exclude<Done<PromptAnswer>, { kind: 'given back' }>
}

/** Fetches what a job needs, runs it, and makes the answer. */
export class PromptRunner {
  readonly #trees: TreeFetcher

  constructor(private readonly options: PromptRunnerOptions) {
    this.#trees = new TreeFetcher(options.store, options.directory)
  }

  /** @throws HermesError `INVALID_JOB`, or errors of the store; and where the process of the prompt died */
  async run({ name, settings, prompt: sent }: PromptJob): Promise<PromptDone> {
    const { store, ceiling, server, run } = this.options
    const prompt = promptOf(name, settings, readPrompt(await unpack(sent, store)))
    const refused = otherServer(settings.server, server) ?? beyondCeiling(settings.execution, ceiling, 'batch')
    if (refused) {
      const ran = failed(prompt, refused)
      return {
        ran, done: { kind: 'refused', why: refused.message, answer: await this.#answer(ran, { isUnrun: true }) },
      }
    }
    const { workspace } = settings
    const ran = await this.#trees.with(workspace.kind === 'tree' ? workspace.content : undefined, (directory) => (
      run({ settings, workspace: directory }, prompt)
    ))
    try {
      return { ran, done: { kind: 'answer', answer: await this.#answer(ran) } }
    } catch (error) {
      if (!(error instanceof HermesError) || error.code !== 'FILE_TOO_LARGE') throw error
      return { ran, done: { kind: 'answer', answer: await this.#answer(failed(prompt, error), { isUnrun: true }) } }
    }
  }

  async #answer({ report, trajectory }: RanPrompt, { isUnrun = false } = {}): Promise<PromptAnswer> {
    const { counts, tools, usage, reason, error, durationMs } = report
    const told: ToldRun = {
      report: { counts, tools, usage, durationMs, reason, ...(error && { error }) }, trajectory,
    }
    const ran = await carry(JSON.stringify(told), 'result', this.options.store)
    return { version: 1, worker: this.options.name, ran, ...(isUnrun && { unrun: true }) }
  }
}

function promptOf(
  name: string, { agent: { model, maxTurns }, execution: { toolsets } }: PromptSettings,
  { prompt, systemPrompt }: PromptText,
): BatchPrompt {
  return { name, line: 0, content: promptHash(prompt), prompt, model, systemPrompt, maxTurns, toolsets }
}

function failed(prompt: BatchPrompt, { code, message, hint }: HermesError): RanPrompt {
  return { report: { ...emptyPromptReport(prompt), error: { code, message, hint } } }
}
