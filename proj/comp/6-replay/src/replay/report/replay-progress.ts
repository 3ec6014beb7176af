import type { ReplayReport } from '../replay-model.js'
import { summaryLine } from './render-terminal.js'

const BAR = 24
const EVERY_MS = 100
const PLAIN_EVERY_MS = 10_000

/** Where progress is shown. */
export interface ProgressScreen {
  /** A line may be drawn again. */
  isTerminal: boolean
  columns: () => number
  write: (text: string) => void
}

/**
 * Tells how far a replay is: at a terminal a bar with rate, remaining time and failures so far, else a line every ten
 * seconds.
 *
 * @param total transcripts, where that is known
 */
export function replayProgress(
  total: number | undefined, { isTerminal, columns, write }: ProgressScreen,
): { tell: (report: ReplayReport) => void; end: () => void } {
  let toldAt = performance.now()
  let isShown = false
  return {
    tell(report) {
      const now = performance.now()
      if (now - toldAt < (isTerminal ? EVERY_MS : PLAIN_EVERY_MS)) return
      toldAt = now
      if (!isTerminal) {
        write(`${summaryLine(report)}\n`)
        return
      }
      isShown = true
      write(`\r\u001b[2K${progressLine(report, total).slice(0, columns() - 1)}`)
    },
    end() {
      if (isShown) write('\r\u001b[2K')
    },
  }
}

/** `[#####     ] 12/40  3.1/s  9 s left  2 drifted`. */
export function progressLine(
  { transcripts, drifted, bad, durationMs }: ReplayReport, total: number | undefined,
): string {
  const done = transcripts + bad
  const rate = durationMs > 0 ? done / (durationMs / 1000) : 0
  const filled = total === undefined || total === 0 ? 0 : Math.min(BAR, Math.round((done / total) * BAR))
  const bar = total === undefined ? '' : `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] `
  const left = total === undefined || rate === 0 ? '' : `  ${Math.ceil(Math.max(0, total - done) / rate)} s left`
  const ofAll = total === undefined ? '' : `/${total}`
  const unreadable = bad > 0 ? `, ${bad} unreadable` : ''
  return `${bar}${done}${ofAll}  ${rate.toFixed(1)}/s${left}  ${drifted} drifted${unreadable}`
}
