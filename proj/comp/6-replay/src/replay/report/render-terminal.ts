import { createPalette, plural, type Palette } from '../../../../1-reports/src/index.js'
import { escapeControls as safe } from '../../../../0-text/src/index.js'
import { loadDriftDiff } from './drift-diff.js'
import { reportNotes } from './report-notes.js'
import { DRIFTS, OUTCOMES, type ReplayReport, type TranscriptReport } from '../replay-model.js'

const MOST_TOLD = 50

/** Renders text for people: each drifted transcript with its differences, calls that no rule covers, and the counts. */
export async function renderReplay(report: ReplayReport, { colour }: { colour: boolean }): Promise<string> {
  const palette = createPalette(colour)
  const diff = await loadDriftDiff()
  const drifted = report.reports.filter((each) => each.drifted)
  const told = drifted.slice(0, MOST_TOLD)
  const lines = [
    ...report.badRecords.slice(0, MOST_TOLD).flatMap(({ file, line, code, message, hint }) => [
      `${palette.bad('✗')}  ${safe(file)}${line === undefined ? '' : `:${line}`}  ${safe(message)}  `
        + `${palette.faint(safe(code))}`,
      `    hint: ${safe(hint)}`,
    ]),
    ...moreBad(report).map((line) => palette.faint(line)),
    ...told.flatMap((each) => transcriptLines(each, diff, palette)),
    ...(report.drifted > told.length ? [palette.faint(`and ${report.drifted - told.length} more that drifted`)] : []),
    ...leftLines(report, palette),
    ...reportNotes(report).slice(0, MOST_TOLD)
      .map(({ name, note }) => `${palette.note('–')}  ${safe(name)}: ${safe(note)}`),
  ]
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summaryLine(report), ''].join('\n')}`
}

/** How many unreadable records are not listed. */
function moreBad({ badRecords, bad }: ReplayReport): string[] {
  const left = bad - Math.min(badRecords.length, MOST_TOLD)
  return left > 0 ? [`and ${left} more that cannot be read`] : []
}

/** `3 transcripts · 1 drifted · 12 same · 1 changed · 0.52 s`. */
export function summaryLine(report: ReplayReport): string {
  return [
    ...(report.interrupted === undefined ? [] : ['interrupted']),
    plural(report.transcripts, 'transcript'),
    ...(report.drifted > 0 ? [`${report.drifted} drifted`] : []),
    ...(report.bad > 0 ? [`${report.bad} unreadable`] : []),
    ...OUTCOMES.filter((outcome) => outcome === 'same' || report.counts[outcome] > 0)
      .map((outcome) => `${report.counts[outcome]} ${outcome}`),
    ...(report.treeDifferences > 0 ? [`${plural(report.treeDifferences, 'path')} not as expected`] : []),
    ...rewrittenPart(report),
    ...((report.empty ?? 0) > 0 ? [`${report.empty} with nothing to run`] : []),
    `${(report.durationMs / 1000).toFixed(2)} s`,
  ].join(' · ')
}

/** `rewritten by tidy, lint (undone)`; every rewritten transcript is among the reports. */
function rewrittenPart({ reports }: ReplayReport): string[] {
  const names = new Set(reports.flatMap(({ rewrites = [] }) => rewrites).map(({ extension, undone }) => (
    `${safe(extension)}${undone ? ' (undone)' : ''}`
  )))
  return names.size === 0 ? [] : [`rewritten by ${[...names].join(', ')}`]
}

function transcriptLines(report: TranscriptReport, diff: Diff, palette: Palette): string[] {
  const place = report.line === undefined ? '' : `:${report.line}`
  const { tree = [] } = report
  return [
    `${palette.bad('✗')}  ${palette.strong(safe(report.name))}  ${palette.faint(`${safe(report.file)}${place}`)}`,
    ...(report.error ? [`    ${safe(report.error.message)}  ${palette.faint(safe(report.error.code))}`] : []),
    ...(report.error?.hint === undefined ? [] : [`    hint: ${safe(report.error.hint)}`]),
    ...report.blocks.filter(({ outcome }) => DRIFTS.has(outcome))
      .flatMap(({ outcome, seq, turn, name, expected = '', actual = '' }) => [
        `    ${palette.note(outcome)}  ${safe(name)}  (block ${seq}, turn ${turn})`,
        ...diffLines(diff(expected, actual), palette),
      ]),
    ...tree.slice(0, MOST_TOLD).flatMap(({ path, kind, expected, actual }) => [
      `    ${palette.note(kind)} ${safe(path)}`,
      ...(expected === undefined || actual === undefined ? [] : diffLines(diff(expected, actual), palette)),
    ]),
    ...(tree.length > MOST_TOLD
      ? [palette.faint(`    and ${tree.length - MOST_TOLD} more paths that are not as expected`)] : []),
  ]
}

type Diff = (expected: string, actual: string) => string[]

/** Prefixed with a bar, so that a line of a diff is not mistaken for one of ours, or for a command to the CI. */
function diffLines(lines: readonly string[], palette: Palette): string[] {
  return lines.map((line) => {
    const shown = `      │ ${safe(line)}`
    return line.startsWith('-') ? palette.bad(shown) : line.startsWith('+') ? palette.good(shown) : shown
  })
}

/** Calls that were left out, counted by name and reason. */
function leftLines({ reports }: ReplayReport, palette: Palette): string[] {
  const verbs = new Map<string, { count: number; transcripts: Set<string> }>()
  for (const { name: transcript, blocks } of reports) {
    for (const { outcome, name, reason = '' } of blocks) {
      if (outcome !== 'unmapped') continue
      const key = `${safe(name)}  ${palette.faint(safe(reason))}`
      const { count, transcripts } = verbs.get(key) ?? { count: 0, transcripts: new Set<string>() }
      verbs.set(key, { count: count + 1, transcripts: transcripts.add(transcript) })
    }
  }
  return [...verbs].map(([key, { count, transcripts: [first = '', ...more] }]) => (
    `${palette.note('–')}  unmapped ${count > 1 ? `${count}× ` : ''}${key}  `
      + palette.faint(`in ${safe(first)}${more.length > 0 ? ` and ${plural(more.length, 'more transcript')}` : ''}`)
  ))
}
