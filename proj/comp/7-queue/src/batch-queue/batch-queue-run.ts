import {
  emptyPromptReport, type BatchPlan, type BatchPrompt, type BatchRunner, type RunByWorker,
} from '../batch/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { deadLetter, noGit, QueueRun, refuseWithoutStore, unpack, type QueueSettings } from '../jobs/index.js'
import { settingsHash, type DecidingSettings } from '../../../6-replay/src/index.js'
import { PROMPT_JOBS } from './prompt-job.js'
import { promptResult } from './prompt-result.js'
import { PromptSender } from './prompt-sender.js'

/**
 * Makes the runner that gives prompts to other hosts by a queue.
 *
 * @param directory of the results, by which the batch can be resumed
 * @throws HermesError `INVALID_OPTION`, `NOT_INSTALLED`, `UNREACHABLE`; errors of storing the fixture
 */
export async function batchQueueRunner(
  queue: QueueSettings, plan: BatchPlan, { signal, directory }: { signal: AbortSignal; directory: string },
): Promise<BatchRunner> {
  // Prompts cost money, so jobs that nobody has started are removed from the queue.
  const run = await QueueRun.open(queue, { kind: PROMPT_JOBS, signal, directory, kept: 'begun' })
  const sender = new PromptSender(run.store, queue.yes)
  try {
    await sender.prepare(plan)
  } catch (error) {
    await run.close()
    throw error
  }
  return {
    concurrency: run.concurrency,
    async run(prompt: BatchPrompt, settings: DecidingSettings): Promise<RunByWorker> {
      const unrun = ({ code, message, hint }: Pick<HermesError, 'code' | 'message' | 'hint'>): RunByWorker => (
        { worker: 0, isUnrun: true, ran: { report: { ...emptyPromptReport(prompt), error: { code, message, hint } } } }
      )
      try {
        const job = await sender.jobOf(prompt, plan)
        const end = await run.ask(job, JSON.stringify([prompt.content, settingsHash(settings)]))
        if (!end) return unrun({ code: 'CANCELLED', message: 'The batch was interrupted', hint: undefined })
        if ('failed' in end) return unrun(deadLetter(end.failed, 'batch'))
        const ran = await run.read(end, async (answer) =>
          promptResult(await unpack(answer.ran, run.store), prompt, plan))
        return {
          worker: run.numberOf(end.answer), ran, isUnrun: end.answer.unrun === true, settled: () => run.settled(end),
        }
      } catch (error) {
        // An error that concerns all prompts ends the batch; it can be resumed.
        if (!(error instanceof HermesError) || error.code === 'UNREACHABLE') throw error
        return unrun(error)
      }
    },
    close: () => run.close(),
  }
}

/** Rejects what a queue cannot carry, before anything is created. @throws HermesError `INVALID_OPTION` */
export function requireSendable(queue: QueueSettings, { workspace }: BatchPlan): void {
  if (workspace.kind === 'git') throw noGit()
  refuseWithoutStore(queue, workspace.kind === 'fixture' ? 'The fixture' : undefined)
}
