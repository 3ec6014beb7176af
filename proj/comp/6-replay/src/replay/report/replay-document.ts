import type { ReplayReport } from '../replay-model.js'

/** What programs are given of a replay: `docs/schemas/replay.schema.json` describes it. */
export interface ReplayDocument extends ReplayReport {
  schemaVersion: 1
  /** It came to its end, nothing drifted, and all could be read; when strict, all was compared, too. */
  success: boolean
}

/** @param isStrict what is unmapped or unrecorded, and transcripts with nothing to run, count as a failure too */
export function replayDocument(report: ReplayReport, isStrict: boolean): ReplayDocument {
  const left = report.counts.unmapped + report.counts.unrecorded + (report.empty ?? 0)
  const success = report.interrupted === undefined && report.drifted === 0 && report.bad === 0
    && !(isStrict && left > 0)
  return { schemaVersion: 1, success, ...report }
}
