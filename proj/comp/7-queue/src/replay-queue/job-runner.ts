import { HermesError } from '../../../0-contracts/src/index.js'
import { beyondCeiling, carry, requireStore, TreeFetcher, unpack, type WorkPlace } from '../jobs/index.js'
import { unrunReport, withoutPlaces, type Replayed } from '../../../6-replay/src/index.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import { readTranscript, type JobSettings, type ReplayAnswer, type ReplayJob } from './job-schema.js'

/** A job as passed to the process that runs it: everything is on this host. */
export interface LocalPlan {
  settings: JobSettings
  /** Directories that are copied or compared, and never changed. */
  workspace: string | undefined
  expect: string | undefined
  /** Text of the mapping, unless it is built in. */
  mapping: string | undefined
}

export interface JobRunnerOptions extends Pick<WorkPlace, 'store' | 'ceiling' | 'directory' | 'name'> {
  /** Runs a transcript in another process. @throws where that died */
  replay: (plan: LocalPlan, transcript: Transcript) => Promise<Replayed>
}

/** Fetches what a job needs, runs it, and makes the answer. */
export class JobRunner {
  readonly #trees: TreeFetcher

  constructor(private readonly options: JobRunnerOptions) {
    this.#trees = new TreeFetcher(options.store, options.directory)
  }

  /** @throws HermesError `INVALID_JOB`, or errors of the store; and where the process of the replay died */
  async run({ settings, transcript: sent }: ReplayJob): Promise<{ replayed: Replayed; answer: ReplayAnswer }> {
    const { store, ceiling, name } = this.options
    const transcript = readTranscript(await unpack(sent, store))
    const refused = beyondCeiling(settings.execution, ceiling, 'replay')
    const replayed = refused ? unrunReport(transcript, refused) : await this.#replay(settings, transcript)
    try {
      const carried = await carry(JSON.stringify(withoutPlaces(replayed)), 'result', store)
      return { replayed, answer: { version: 1, worker: name, replayed: carried, ...(refused && { unrun: true }) } }
    } catch (error) {
      if (!(error instanceof HermesError) || error.code !== 'FILE_TOO_LARGE') throw error
      const told = JSON.stringify(unrunReport(transcript, error))
      return { replayed, answer: { version: 1, worker: name, replayed: { kind: 'here', text: told }, unrun: true } }
    }
  }

  async #replay(settings: JobSettings, transcript: Transcript): Promise<Replayed> {
    const { store, replay } = this.options
    const { workspace, expect, mapping } = settings
    const text = mapping.kind === 'content'
      ? (await requireStore(store).get(mapping.content)).toString('utf8') : undefined
    return this.#trees.with(workspace.kind === 'tree' ? workspace.content : undefined, (start) => (
      this.#trees.with(expect?.kind === 'tree' ? expect.content : undefined, (end) => (
        replay({ settings, workspace: start, expect: end, mapping: text }, transcript)
      ))
    ))
  }
}
