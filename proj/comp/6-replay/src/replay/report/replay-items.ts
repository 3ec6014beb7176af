import type { CiItem } from '../../../../1-reports/src/index.js'
import type { BadRecord } from '../../../../2-transcripts/src/index.js'
import { DRIFTS, type ReplayReport, type TranscriptReport } from '../replay-model.js'
import { loadDriftDiff } from './drift-diff.js'
import { rewriteWords } from './rewrite-words.js'

type Diff = (expected: string, actual: string) => string[]
/** A transcript that came out as recorded, as far as a report for CI tells of it. */
export type SameTranscript = Pick<TranscriptReport, 'name' | 'file' | 'line' | 'durationMs'>

/**
 * A replay for CI: an item for each transcript and for each record that cannot be read, so that what counts them sees
 * as many as there were.
 *
 * @param same those that the report does not list, since they came out as recorded
 */
export async function replayItems(report: ReplayReport, same: readonly SameTranscript[] = []): Promise<CiItem[]> {
  const diff = await loadDriftDiff()
  const { transcripts, reports, badRecords, moreReports = 0, moreBadRecords = 0 } = report
  const unlisted = transcripts - reports.length - moreReports - same.length
  return [
    ...badRecords.map(unreadable),
    ...others(moreBadRecords, 'INVALID_TRANSCRIPT', 'more that cannot be read'),
    ...reports.map((one) => replayed(one, diff)),
    ...others(moreReports, 'drift', 'more transcripts that may have drifted'),
    ...same.map(({ name, file, line, durationMs }): CiItem => ({ outcome: 'passed', name, file, line, durationMs })),
    ...others(unlisted, undefined, 'transcripts as recorded'),
  ]
}

function unreadable({ file, line, code, message, hint }: BadRecord): CiItem {
  return {
    outcome: 'error', name: line === undefined ? 'file' : `line ${line}`, title: 'unreadable transcript', file, line,
    durationMs: 0, code, message, details: hint,
  }
}

/** What there was no room for. */
function others(count: number, code: string | undefined, words: string): CiItem[] {
  if (count === 0) return []
  const outcome = code === undefined ? 'passed' : 'error'
  return [{ outcome, name: `${count} ${words}`, durationMs: 0, code, message: `${count} ${words}` }]
}

function replayed(report: TranscriptReport, diff: Diff): CiItem {
  const { name, file, line, durationMs, error, drifted, note, rewrites = [] } = report
  const item = {
    name, file, line, durationMs, ...(note !== undefined && { notes: [note] }),
    properties: rewrites.map((rewrite) => ({ name: 'rewrite', value: rewriteWords(rewrite) })),
  }
  if (error) {
    const { code, message, hint } = error
    return { ...item, outcome: 'error', title: `${name} drifted`, code, message, details: hint }
  }
  if (!drifted) return { ...item, outcome: 'passed' }
  return { ...item, outcome: 'failed', title: `${name} drifted`, ...driftOf(report, diff) }
}

function driftOf({ blocks, tree = [] }: TranscriptReport, diff: Diff): Pick<CiItem, 'code' | 'message' | 'details'> {
  const drifts = blocks.filter(({ outcome }) => DRIFTS.has(outcome))
  const told = [
    ...drifts.flatMap(({ outcome, seq, turn, name, expected = '', actual = '' }) => (
      [`${outcome}: ${name} (block ${seq}, turn ${turn})`, ...diff(expected, actual)]
    )),
    ...tree.flatMap(({ path, kind, expected = '', actual = '' }) => [
      `${kind}: ${path}`, ...(expected === actual ? [] : diff(expected, actual)),
    ]),
  ]
  const [first = 'tree', second] = [...drifts.map(({ outcome }) => outcome), ...tree.map(({ kind }) => kind)]
  const more = second === undefined ? '' : `, and ${drifts.length + tree.length - 1} more`
  const [head = ''] = told
  return { code: first, message: `${head}${more}`, details: told.join('\n') }
}
