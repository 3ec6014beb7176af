import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openContentStore } from '../../content-store/src/index.js'
import { HermesError, orNothing } from '../../contracts/src/index.js'
import { drawToolsets, settingsHash, unrunReport, withOwnPlaces, type Replayed } from '../../replay/src/index.js'
import {
  JobSender, QueueProducer, queuePlace, readReplayed, unpack, type JobEnd, type ReplayAnswer,
} from '../../replay-queue/src/index.js'
import { contentHash, type Transcript } from '../../transcripts/src/index.js'
import { usageError, type Arguments } from './arguments.js'
import { printError } from './output.js'
import type { PathPlan } from './replay-flags.js'
import { countFlag, type Runner } from './replay-run.js'

/** Transcripts that are on the queue at a time, unless `--batch-size` says otherwise. */
const ON_QUEUE = 1000
const RUN_FILE = 'queue.json'
/** Of answers that will be no better when they are asked for again. */
const LOST: ReadonlySet<string> = new Set(['INVALID_JOB', 'CORRUPT_CONTENT'])

/**
 * What replays on other hosts, by the queue of `--queue`.
 *
 * @param directory of the run, where it has a name: it can be gone on with
 * @throws HermesError `INVALID_OPTION`, `NOT_INSTALLED`, `UNREACHABLE`
 */
export async function queueRunner(
  args: Arguments, plans: readonly PathPlan[], { signal, directory }: { signal: AbortSignal; directory: string | undefined },
): Promise<Runner> {
  const place = queuePlace(args.value('queue') ?? '')
  requireSendable(args, plans)
  const written = args.value('store')
  const store = written === undefined ? undefined : await openContentStore(written)
  const concurrency = countFlag(args, 'batch-size', ON_QUEUE, 100_000)
  const producer = await QueueProducer.open(place, { ...runOf(directory), onNotice: (notice) => printError(`${notice}\n`) })
  const sender = new JobSender(store)
  const ends = new WeakMap<Transcript, JobEnd>()
  const workers = new Map<string, number>()
  let left = Promise.resolve(0)
  const abandon = (): void => {
    left = producer.abandon({ isKept: directory !== undefined })
  }
  if (signal.aborted) abandon()
  signal.addEventListener('abort', abandon, { once: true })

  const resultOf = async (transcript: Transcript, { worker, replayed }: ReplayAnswer): Promise<{ worker: number; replayed: Replayed }> => {
    const number = workers.get(worker) ?? workers.size + 1
    workers.set(worker, number)
    const { report, results, ...rest } = readReplayed(await unpack(replayed, store))
    const { name, file, line, format } = transcript
    const placed = results && withOwnPlaces(transcript, results)
    if (results && !placed && !report.error) {
      throw new HermesError('INVALID_JOB', 'A result of the queue is not that of its transcript', { hint: 'Use the same version of hermes for the replay and its workers.' })
    }
    // Whoever answers does not say what was asked, nor where it stands.
    return { worker: number, replayed: { ...rest, ...(placed && { results: placed }), report: { ...report, id: contentHash(transcript), name, file, line, format } } }
  }

  const notRun = new WeakSet<Transcript>()
  const unrun = (transcript: Transcript, why: Parameters<typeof unrunReport>[1]): { worker: number; replayed: Replayed } => {
    notRun.add(transcript)
    return { worker: 0, replayed: unrunReport(transcript, why) }
  }
  /** An answer that nobody can ever use goes from the queue, so that the next start runs it again; one that cannot be fetched now stays. */
  const unpacked = async (transcript: Transcript, end: JobEnd & { answer: ReplayAnswer }): ReturnType<typeof resultOf> => {
    try {
      return await resultOf(transcript, end.answer)
    } catch (error) {
      if (error instanceof HermesError && LOST.has(error.code)) await producer.settled(end)
      throw error
    }
  }

  try {
    if (store) for (const { options } of plans) await sender.prepare(options)
  } catch (error) {
    await producer.close()
    throw error
  }
  return {
    concurrency,
    async run(plan, transcript, settings) {
      const options = plans[plan]?.options
      if (!options) throw new Error(`no plan ${plan}`)
      const cancelled = { worker: 0, replayed: unrunReport(transcript, { code: 'CANCELLED', message: 'The replay was interrupted', hint: undefined }) }
      if (signal.aborted) return cancelled
      const content = contentHash(transcript)
      const toolsets = options.toolsetDraw && drawToolsets(options.toolsetDraw, content)
      try {
        const job = await sender.jobOf(transcript, options, { yes: args.has('yes'), toolsets })
        const known = JSON.stringify([content, transcript.format, transcript.settings, settings && settingsHash(settings)])
        const end = signal.aborted ? undefined : await producer.run(job, known)
        if (!end) return cancelled
        if ('failed' in end) return unrun(transcript, deadLetter(end.failed))
        const { worker, replayed } = await unpacked(transcript, end)
        ends.set(transcript, end)
        if (end.answer.unrun) notRun.add(transcript)
        return { worker, replayed: { ...replayed, report: { ...replayed.report, ...(toolsets && { toolsets }) } } }
      } catch (error) {
        // What concerns all ends the replay; it can be gone on with.
        if (!(error instanceof HermesError) || error.code === 'UNREACHABLE') throw error
        return unrun(transcript, error)
      }
    },
    isRun: (transcript) => !notRun.has(transcript),
    async settled(transcript) {
      const end = ends.get(transcript)
      if (end) await producer.settled(end)
    },
    async close() {
      signal.removeEventListener('abort', abandon)
      const count = await left
      await producer.close()
      if (count > 0 && directory !== undefined) printError(`${count} transcripts stay on the queue; --resume takes their results.\n`)
    },
  }
}

function deadLetter(reason: string): Pick<HermesError, 'code' | 'message' | 'hint'> {
  return {
    code: 'INTERNAL', message: `It failed on the queue for good: ${reason}`,
    hint: 'hermes replay --queue URL --queue-status lists such dead letters; replay it alone to see why.',
  }
}

/** What cannot go by the queue at all is told before anything is sent. @throws HermesError `INVALID_OPTION` */
function requireSendable(args: Arguments, plans: readonly PathPlan[]): void {
  if (args.has('workers')) throw usageError('--workers and --queue cannot be given together', 'On the queue, hermes worker says how many.')
  if (args.has('store')) return
  const large = plans.map(({ options: { workspace, expect, mapping } }) => (
    workspace.kind === 'fixture' ? 'The fixture' : expect !== undefined && !expect.startsWith('sha256:') ? 'The expected tree'
      : mapping.shipped ? undefined : 'A mapping of your own'
  )).find((one) => one !== undefined)
  if (large !== undefined) {
    throw usageError(`${large} goes by a store, and none is given`, 'Give the replay and its workers the same --store: a directory that they share, or s3://bucket/prefix.')
  }
}

/** What keeps the jobs of a run apart from others; one that has a name keeps it beside its parts. */
function runOf(directory: string | undefined): { run: string; isResumed: boolean } {
  const run = randomUUID()
  if (directory === undefined) return { run, isResumed: false }
  const file = join(directory, RUN_FILE)
  const kept = orNothing(() => /^\{"run":"([0-9a-f-]{36})"\}\s*$/.exec(readFileSync(file, 'utf8'))?.[1], undefined)
  if (kept !== undefined) return { run: kept, isResumed: true }
  writeFileSync(file, `{"run":"${run}"}\n`)
  return { run, isResumed: false }
}
