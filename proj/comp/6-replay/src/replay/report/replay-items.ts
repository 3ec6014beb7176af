import type { CiItem } from '../../../../1-reports/src/index.js'
import type { BadRecord } from '../../../../2-transcripts/src/index.js'
import { DRIFTS, OUTCOMES, type ReplayReport, type TranscriptReport } from '../replay-model.js'
import { loadDriftDiff } from './drift-diff.js'
import { rewriteWords } from './rewrite-words.js'

type Diff = (expected: string, actual: string) => string[]
/** The fields of a transcript that was as recorded which a CI report shows. */
export type SameTranscript = Pick<TranscriptReport, 'name' | 'file' | 'line' | 'durationMs' | 'counts' | 'drifted'>

/** Why nothing of a transcript was compared, in words; `undefined` where something was. */
function uncomparedWords({ counts, drifted }: Pick<TranscriptReport, 'counts' | 'drifted'>): string | undefined {
  if (drifted || counts.same > 0) return undefined
  const left = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => `${counts[outcome]} ${outcome}`)
  return `nothing was compared: ${left.length === 0 ? 'nothing to run was found' : left.join(', ')}`
}

/**
 * A replay for CI: one item for each transcript and each unreadable record, so that the totals are right.
 *
 * @param same transcripts that the report does not list, since they were as recorded
 */
export async function replayItems(report: ReplayReport, same: readonly SameTranscript[] = []): Promise<CiItem[]> {
  const diff = await loadDriftDiff()
  const { transcripts, reports, badRecords, moreReports = 0, moreBadRecords = 0 } = report
  const { interrupted, cutShort = [] } = report
  const badFiles = new Set(badRecords.map(({ file }) => file))
  const unlisted = transcripts - reports.length - moreReports - same.length
  return [
    ...(interrupted === undefined ? [] : [{
      outcome: 'error' as const, name: 'replay', title: 'The replay was interrupted', durationMs: 0, code: 'CANCELLED',
      message: `interrupted after ${interrupted}; transcripts that were not reached are not listed`,
    }]),
    ...cutShort.map((item): CiItem => ({ ...item, outcome: 'skipped', durationMs: 0, message: 'cut short' })),
    ...badRecords.map(unreadable),
    ...others(moreBadRecords, 'INVALID_TRANSCRIPT', 'more that cannot be read'),
    ...[
      ...reports.map((candidate) => replayed(candidate, diff, badFiles)),
      ...same.map(({ name, file, line, durationMs, ...counted }) => (
        asRecorded({ outcome: 'passed', name, file, line, durationMs }, uncomparedWords(counted), badFiles)
      )),
    ].sort(inOrder),
    ...others(moreReports, 'drift', 'more transcripts that may have drifted'),
    ...others(unlisted, undefined, 'transcripts as recorded'),
  ]
}

/** Sorts by place in the files, so that two reports do not differ by the speed of workers. */
function inOrder(a: CiItem, b: CiItem): number {
  return (a.file ?? '').localeCompare(b.file ?? '', 'en', { numeric: true }) || (a.line ?? 0) - (b.line ?? 0)
}

function unreadable({ file, line, code, message, hint }: BadRecord): CiItem {
  return {
    outcome: 'error', name: line === undefined ? 'file' : `line ${line}`, title: 'unreadable transcript', file, line,
    durationMs: 0, code, message, details: hint,
  }
}

/** An item for those that were not listed. */
function others(count: number, code: string | undefined, words: string): CiItem[] {
  if (count === 0) return []
  const outcome = code === undefined ? 'passed' : 'error'
  return [{ outcome, name: `${count} ${words}`, durationMs: 0, code, message: `${count} ${words}` }]
}

/** A transcript without drift passes only if something was compared, and all of it was readable. */
function asRecorded(item: CiItem, uncompared: string | undefined, badFiles: ReadonlySet<string>): CiItem {
  // Where each line is a transcript of its own, the other lines are complete.
  const isPart = item.line === undefined && item.file !== undefined && badFiles.has(item.file)
  const message = isPart ? 'a part of the file cannot be read; the rest came out as recorded' : uncompared
  return message === undefined ? item : { ...item, outcome: 'skipped', message }
}

function replayed(report: TranscriptReport, diff: Diff, badFiles: ReadonlySet<string>): CiItem {
  const { name, file, line, durationMs, error, drifted, note, rewrites = [] } = report
  const item = {
    name, file, line, durationMs, ...(note !== undefined && { notes: [note] }),
    properties: rewrites.map((rewrite) => ({ name: 'rewrite', value: rewriteWords(rewrite) })),
  }
  if (error) {
    const { code, message, hint } = error
    return { ...item, outcome: 'error', title: `${name} drifted`, code, message, details: hint }
  }
  if (!drifted) return asRecorded({ ...item, outcome: 'passed' }, uncomparedWords(report), badFiles)
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
