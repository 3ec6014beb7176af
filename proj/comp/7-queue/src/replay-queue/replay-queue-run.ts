import { HermesError } from '../../../0-contracts/src/index.js'
import { unpack, deadLetter, QueueRun, refuseWithoutStore, type JobEnd, type QueueSettings } from '../jobs/index.js'
import {
  drawToolsets, settingsHash, unrunReport, withOwnPlaces, type Replayed, type PathPlan, type ReplayRunner,
} from '../../../6-replay/src/index.js'
import { contentHash, type Transcript } from '../../../2-transcripts/src/index.js'
import { readReplayed, REPLAY_JOBS, type ReplayAnswer } from './job-schema.js'
import { JobSender } from './job-sender.js'

type Ran = { worker: number; replayed: Replayed }

/**
 * Makes the runner that replays on other hosts by a queue.
 *
 * @param directory of a named run, which can be resumed
 * @throws HermesError `INVALID_OPTION`, `NOT_INSTALLED`, `UNREACHABLE`
 */
export async function queueRunner(
  queue: QueueSettings, plans: readonly PathPlan[],
  { signal, directory }: { signal: AbortSignal; directory: string | undefined },
): Promise<ReplayRunner> {
  requireSendable(queue, plans)
  const run = await QueueRun.open(queue, {
    kind: REPLAY_JOBS, signal, directory, kept: directory === undefined ? 'none' : 'all',
  })
  const { store } = run
  const sender = new JobSender(store)
  const ends = new WeakMap<Transcript, JobEnd<ReplayAnswer>>()

  const resultOf = async (transcript: Transcript, answer: ReplayAnswer): Promise<Ran> => {
    const { report, results, ...rest } = readReplayed(await unpack(answer.replayed, store))
    const { name, file, line, format } = transcript
    const placed = results && withOwnPlaces(transcript, results)
    if (results && !placed && !report.error) {
      throw new HermesError(
        'INVALID_JOB', 'A result of the queue is not that of its transcript',
        { hint: 'Use the same version of hermes for the replay and its workers.' },
      )
    }
    // The answer does not repeat the transcript's name and place, so take them from here.
    return {
      worker: run.numberOf(answer),
      replayed: {
        ...rest, ...(placed && { results: placed }),
        report: { ...report, id: contentHash(transcript), name, file, line, format },
      },
    }
  }

  const notRun = new WeakSet<Transcript>()
  const unrun = (transcript: Transcript, why: Parameters<typeof unrunReport>[1]): Ran => {
    notRun.add(transcript)
    return { worker: 0, replayed: unrunReport(transcript, why) }
  }

  try {
    if (store) for (const { options } of plans) await sender.prepare(options)
  } catch (error) {
    await run.close()
    throw error
  }
  return {
    concurrency: run.concurrency,
    async run(plan, transcript, settings) {
      const options = plans[plan]?.options
      if (!options) throw new Error(`no plan ${plan}`)
      const cancelled = {
        worker: 0,
        replayed: unrunReport(transcript, {
          code: 'CANCELLED', message: 'The replay was interrupted', hint: undefined,
        }),
      }
      if (signal.aborted) return cancelled
      const content = contentHash(transcript)
      const toolsets = options.toolsetDraw && drawToolsets(options.toolsetDraw, content)
      try {
        const job = await sender.jobOf(transcript, options, { yes: queue.yes, toolsets })
        const known = JSON.stringify([
          content, transcript.format, transcript.settings, settings && settingsHash(settings),
        ])
        const end = await run.ask(job, known)
        if (!end) return cancelled
        if ('failed' in end) return unrun(transcript, deadLetter(end.failed, 'replay'))
        const { worker, replayed } = await run.read(end, (answer) => resultOf(transcript, answer))
        ends.set(transcript, end)
        if (end.answer.unrun) notRun.add(transcript)
        return { worker, replayed: { ...replayed, report: { ...replayed.report, ...(toolsets && { toolsets }) } } }
      } catch (error) {
        // An error that concerns all transcripts ends the replay; it can be resumed.
        if (!(error instanceof HermesError) || error.code === 'UNREACHABLE') throw error
        return unrun(transcript, error)
      }
    },
    isRun: (transcript) => !notRun.has(transcript),
    async settled(transcript) {
      const end = ends.get(transcript)
      if (end) await run.settled(end)
    },
    close: () => run.close(),
  }
}

/** Rejects what a queue cannot carry, before anything is sent. @throws HermesError `INVALID_OPTION` */
function requireSendable(queue: QueueSettings, plans: readonly PathPlan[]): void {
  refuseWithoutStore(queue, plans.map(({ options: { workspace, expect, mapping } }) => (
    workspace.kind === 'fixture' ? 'The fixture'
      : expect !== undefined && !expect.startsWith('sha256:') ? 'The expected tree'
      : mapping.shipped ? undefined : 'A mapping of your own'
  )).find((error) => error !== undefined))
}
