import type { ReadItem, Transcript } from '../../transcripts/src/index.js'
import { noCounts, OUTCOMES, type ReplayReport, type TranscriptReport } from './model.js'
import type { Replayed } from './replay-transcript.js'

export interface ReplayDriver {
  /** Runs one transcript; called for so many at a time. */
  run(transcript: Transcript): Promise<{ worker: number; replayed: Replayed }>
  concurrency: number
  /** Told of each transcript that is done, in the order they end; awaited before the next one is told. */
  onReplayed?: (transcript: Transcript, replayed: Replayed, worker: number) => void | Promise<void>
  onProgress?: (progress: ReplayReport) => void
  /** What is known to be done already. */
  isDone?: (transcript: Transcript) => boolean
  /** What is known so far, of an earlier start of the same run; it is added to. */
  total?: ReplayReport
  signal: AbortSignal
}

const MOST_REPORTS = 1000
const MOST_BAD = 1000

/**
 * Replays transcripts as they are read, so many at a time, and adds up what came of them. When the signal is aborted no
 * further one is begun, and what was cut short is not counted.
 */
export async function replay(items: AsyncIterable<ReadItem>, driver: ReplayDriver): Promise<ReplayReport> {
  const startedAt = performance.now()
  const total = driver.total ?? emptyReport()
  const progress = (): void => {
    total.durationMs = Math.round(performance.now() - startedAt)
    driver.onProgress?.(total)
  }
  const running = new Set<Promise<void>>()
  let telling: Promise<void> = Promise.resolve()
  try {
    for await (const item of items) {
      if (driver.signal.aborted) break
      if ('bad' in item) {
        total.bad++
        if (total.badRecords.length < MOST_BAD) total.badRecords.push(item.bad)
        progress()
        continue
      }
      const { transcript } = item
      if (driver.isDone?.(transcript) === true) continue
      const tell = async (replayed: Replayed, worker: number): Promise<void> => {
        add(total, replayed.report)
        await driver.onReplayed?.(transcript, replayed, worker)
        progress()
      }
      const runOne = async (): Promise<void> => {
        const { worker, replayed } = await driver.run(transcript)
        // What an interrupt cut short is not done: it is for the next time.
        if (driver.signal.aborted && replayed.report.error?.code === 'CANCELLED') return
        telling = telling.then(() => tell(replayed, worker))
        await telling
      }
      const one = runOne().finally(() => running.delete(one))
      running.add(one)
      if (running.size >= driver.concurrency) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    // Where one could not be kept, the others are still waited for.
    await Promise.allSettled(running)
  }
  await telling
  progress()
  return total
}

/** Nothing yet. */
export function emptyReport(): ReplayReport {
  return {
    transcripts: 0, drifted: 0, errors: 0, counts: noCounts(), treeDifferences: 0, bad: 0, durationMs: 0, reports: [], badRecords: [],
  }
}

/** Adds a report to what is known so far. */
export function add(total: ReplayReport, report: TranscriptReport): void {
  total.transcripts++
  if (report.drifted) total.drifted++
  if (report.error) total.errors++
  for (const outcome of OUTCOMES) total.counts[outcome] += report.counts[outcome]
  total.treeDifferences += report.tree?.length ?? 0
  if (!report.drifted && report.blocks.length === 0) return
  if (total.reports.length < MOST_REPORTS) total.reports.push(report)
  else total.moreReports = (total.moreReports ?? 0) + 1
}
