import type { ReplayReport, SameTranscript, TranscriptReport } from '../../../6-replay/src/index.js'
import { formatOfFile, writeReport } from './report-file.js'

/** What writes the reports of a replay. */
export interface ReplayReports {
  /** Told of each transcript that came out as recorded: some formats list them. */
  same?(report: TranscriptReport): void
  write(report: ReplayReport): Promise<void>
}

/** Each is some hundred bytes; more are counted, and not listed. */
const MOST_LISTED = 100_000

/**
 * What writes the reports of a replay, each as its extension says. Names are checked at once.
 *
 * @throws HermesError `INVALID_OPTION` for a wrong extension or a directory that cannot be made
 */
export function replayReports(files: readonly string[]): ReplayReports {
  const writers = files.map((file) => ({ file, format: formatOfFile(file, 'replay') }))
  const listed: SameTranscript[] = []
  return {
    ...(files.length > 0 && {
      same(report) {
        if (listed.length >= MOST_LISTED) return
        const { name, file, line, durationMs, counts, drifted } = report
        listed.push({ name, file, line, durationMs, counts, drifted })
      },
    }),
    async write(report) {
      for (const { file, format } of writers) {
        const render = await format.replay?.()
        if (render) writeReport(file, await render(report, listed), 'Write it elsewhere; --json prints it.')
      }
    },
  }
}
