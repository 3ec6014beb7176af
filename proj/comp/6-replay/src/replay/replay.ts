import type { BadRecord, ReadItem, Transcript } from '../../../2-transcripts/src/index.js'
import { noCounts, OUTCOMES, type ReplayReport, type TranscriptReport } from './replay-model.js'
import type { Replayed } from './replay-transcript.js'

export interface ReplayDriver {
  /** Runs one transcript; called concurrently, up to `concurrency`. */
  run(transcript: Transcript): Promise<{ worker: number; replayed: Replayed }>
  concurrency: number
  /** Called for each finished transcript, in the order they end; awaited before the next call. */
  onReplayed?: (transcript: Transcript, replayed: Replayed, worker: number) => void | Promise<void>
  onProgress?: (progress: ReplayReport) => void
  /** Called for each transcript with nothing to report, since the report does not list it. */
  onSame?: ((report: TranscriptReport) => void) | undefined
  /** Result of an earlier start of the same run, if there is one: then it is not run again. */
  earlier?: (transcript: Transcript) => Promise<TranscriptReport | undefined>
  /**
   * Called at once when a transcript could not be run at all, after which none is started: how many are still running.
   */
  onFailure?: (error: unknown, left: number) => void
  signal: AbortSignal
}

const MOST_REPORTS = 1000
const MOST_BAD = 1000
/** So that one file of the wrong kind does not hide others. */
const MOST_BAD_IN_FILE = 5

/**
 * Replays transcripts as they are read, several at a time, and adds up the results. After an abort no further one is
 * started, and those cut short do not count.
 */
export async function replay(items: AsyncIterable<ReadItem>, driver: ReplayDriver): Promise<ReplayReport> {
  const startedAt = performance.now()
  const total = emptyReport()
  const progress = (): void => {
    total.durationMs = Math.round(performance.now() - startedAt)
    driver.onProgress?.(total)
  }
  const count = (report: TranscriptReport): void => {
    if (!add(total, report)) driver.onSame?.(report)
  }
  const running = new Set<Promise<void>>()
  let telling: Promise<void> = Promise.resolve()
  let failure: { error: unknown } | undefined
  const begin = (transcript: Transcript): void => {
    const tell = async (replayed: Replayed, worker: number): Promise<void> => {
      count(replayed.report)
      await driver.onReplayed?.(transcript, replayed, worker)
      progress()
    }
    const runOne = async (): Promise<void> => {
      const { worker, replayed } = await driver.run(transcript)
      // An interrupted transcript is not done: the next start runs it.
      if (driver.signal.aborted && replayed.report.error?.code === 'CANCELLED') {
        const { name, file, line } = transcript
        total.cutShort = [...total.cutShort ?? [], { name, file, line }]
        return
      }
      // After a result that could not be stored, the following ones are not reported either.
      telling = telling.then(() => tell(replayed, worker))
      await telling
    }
    const one = runOne().catch((error: unknown) => {
      if (!failure) driver.onFailure?.(error, running.size - 1)
      failure ??= { error }
    }).finally(() => running.delete(one))
    running.add(one)
  }
  for await (const item of untilAborted(items, driver.signal)) {
    if ('bad' in item) {
      addBad(total, item.bad)
      progress()
    } else {
      const earlier = await driver.earlier?.(item.transcript)
      if (earlier) {
        const { name, file, line } = item.transcript
        count({ ...earlier, name, file, line })
        progress()
      } else begin(item.transcript)
    }
    if (running.size >= driver.concurrency) await Promise.race(running)
    // After a result that could not be stored, start no more.
    if (failure) break
  }
  await Promise.all(running)
  if (failure) throw failure.error
  progress()
  return total
}

/** Ends when the signal is aborted, even while waiting for the next item. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]()
  let isWaiting = false
  try {
    while (!signal.aborted) {
      isWaiting = true
      const next = await orAborted(iterator.next(), signal)
      if (next === undefined) return
      isWaiting = false
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // The awaited item may never come.
    const ended = iterator.return?.()
    if (!isWaiting) await ended
  }
}

/** Resolves on abort. Leaves no listeners on the signal, which racing one long-lived promise again and again would. */
function orAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
    waited.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A report of no transcripts. */
export function emptyReport(): ReplayReport {
  return {
    transcripts: 0, drifted: 0, errors: 0, counts: noCounts(), treeDifferences: 0, bad: 0, durationMs: 0, reports: [],
    badRecords: [],
  }
}

function addBad(total: ReplayReport, bad: BadRecord): void {
  total.bad++
  const ofFile = total.badRecords.filter(({ file }) => file === bad.file).length
  if (ofFile < MOST_BAD_IN_FILE && total.badRecords.length < MOST_BAD) total.badRecords.push(bad)
  else total.moreBadRecords = (total.moreBadRecords ?? 0) + 1
}

/** Adds a transcript's report to the totals. @returns whether it has something to report besides the counts */
export function add(total: ReplayReport, report: TranscriptReport): boolean {
  total.transcripts++
  if (report.drifted) total.drifted++
  if (report.error) total.errors++
  for (const outcome of OUTCOMES) total.counts[outcome] += report.counts[outcome]
  total.treeDifferences += report.tree?.length ?? 0
  if (report.empty) total.empty = (total.empty ?? 0) + 1
  if (!report.drifted && report.blocks.length === 0 && report.note === undefined && !report.rewrites) return false
  if (total.reports.length < MOST_REPORTS) total.reports.push(report)
  else total.moreReports = (total.moreReports ?? 0) + 1
  return true
}
