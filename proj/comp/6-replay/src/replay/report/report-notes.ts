import type { ReplayReport, TranscriptReport } from '../replay-model.js'

/** What the user should know of transcripts besides their drifts, for every kind of report. */
export function reportNotes(
  { reports }: Pick<ReplayReport, 'reports'>,
): (Pick<TranscriptReport, 'name' | 'file' | 'line'> & { note: string })[] {
  return reports.flatMap(({ name, file, line, note }) => (note === undefined ? [] : [{ name, file, line, note }]))
}
