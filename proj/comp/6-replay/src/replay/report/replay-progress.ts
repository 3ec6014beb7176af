import { plural } from '../../../../1-reports/src/index.js'
import { OUTCOMES, type ReplayReport } from '../replay-model.js'
import { emptyReport } from '../replay.js'
import { summaryLine } from './render-terminal.js'

const BAR = 24
/** A shorter bar would show nothing. */
const SHORTEST_BAR = 6
const EVERY_MS = 100
const PLAIN_EVERY_MS = 10_000

/** The total amount of work. */
export interface ReplayTotal {
  /** Including unreadable ones. */
  transcripts: number
  /** Blocks and calls with a recorded result. */
  calls: number
}

/** Progress of a replay. */
interface Done extends Pick<ReplayReport, 'transcripts' | 'drifted' | 'bad' | 'durationMs'> {
  calls: number
}

/** Where progress is shown. */
export interface ProgressScreen {
  /** Whether a line can be redrawn. */
  isTerminal: boolean
  columns: () => number
  write: (text: string) => void
}

export interface ReplayProgress {
  tell: (report: ReplayReport) => void
  /** Counts one more block or call that has run. */
  call: () => void
  end: () => void
  /** The progress, in words. */
  reached: () => string
}

/**
 * Shows the progress of a replay: at a terminal a bar with rate, remaining time and failures so far, else a line every
 * ten seconds.
 *
 * @param total if known
 */
export function replayProgress(
  total: ReplayTotal | undefined, { isTerminal, columns, write }: ProgressScreen,
): ReplayProgress {
  const startedAt = performance.now()
  let toldAt = startedAt
  let isShown = false
  let last: ReplayReport = emptyReport()
  /** Calls of transcripts that have not finished. */
  let underWay = 0
  let told = 0
  const done = (): Done => ({
    ...last, durationMs: performance.now() - startedAt,
    calls: underWay + OUTCOMES.reduce((sum, outcome) => sum + last.counts[outcome], 0),
  })
  const isDue = (everyMs: number): boolean => {
    const now = performance.now()
    if (now - toldAt < everyMs) return false
    toldAt = now
    return true
  }
  const draw = (): void => {
    if (!isDue(EVERY_MS)) return
    isShown = true
    write(`\r\u001b[2K${progressLine(done(), total, columns() - 1)}`)
  }
  return {
    tell(report) {
      last = report
      if (report.transcripts !== told) underWay = 0
      told = report.transcripts
      if (isTerminal) draw()
      else if (isDue(PLAIN_EVERY_MS)) write(`so far: ${summaryLine(report)}\n`)
    },
    call() {
      underWay++
      if (isTerminal) draw()
    },
    end() {
      if (isShown) write('\r\u001b[2K')
    },
    reached() {
      const { transcripts, bad, calls } = done()
      const of = (count: number, all: number | undefined): string => (all === undefined ? '' : `${count} of `)
      const [read, ran] = [transcripts + bad, Math.min(calls, total?.calls ?? calls)]
      return `${of(read, total?.transcripts)}${plural(total?.transcripts ?? read, 'transcript')}, `
        + `${of(ran, total?.calls)}${plural(total?.calls ?? ran, 'call')}`
    },
  }
}

/** `[#####     ] 12/40 calls  3.1/s  9 s left  2 drifted`. With several transcripts also their number. */
export function progressLine(
  { transcripts, drifted, bad, calls, durationMs }: Done, total: ReplayTotal | undefined, columns: number,
): string {
  const read = transcripts + bad
  const byCalls = total !== undefined && total.calls > 0
  const all = byCalls ? total.calls : total?.transcripts
  // Calls without a recorded result may have one now, so limit the count.
  const done = byCalls ? Math.min(calls, total.calls) : read
  const rate = durationMs > 0 ? done / (durationMs / 1000) : 0
  const left = all === undefined || rate === 0 ? '' : `  ${Math.ceil(Math.max(0, all - done) / rate)} s left`
  const ofTranscripts = byCalls && total.transcripts === 1 ? '' : `${read}${total ? `/${total.transcripts}` : ''}  `
  const ofCalls = byCalls ? `${done}/${total.calls} calls  ` : ''
  const unreadable = bad > 0 ? `, ${bad} unreadable` : ''
  // Drop times first if the bar needs room.
  const forms = [`${rate.toFixed(1)}/s${left}  `, left === '' ? '' : `${left.trimStart()}  `, ''].map((time) => (
    `${ofTranscripts}${ofCalls}${time}${drifted} drifted${unreadable}`
  ))
  const room = columns - '[] '.length
  const words = forms.find(({ length }) => all !== undefined && room - length >= SHORTEST_BAR)
    ?? forms.find(({ length }) => length <= columns) ?? forms.at(-1) ?? ''
  const width = Math.min(BAR, room - words.length)
  if (all === undefined || width < SHORTEST_BAR) return words.slice(0, columns)
  const filled = all === 0 ? 0 : Math.min(width, Math.round((done / all) * width))
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${words}`
}
