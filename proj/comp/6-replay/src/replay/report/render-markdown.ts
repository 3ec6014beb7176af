import { plural } from '../../../../1-reports/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { loadDriftDiff } from './drift-diff.js'
import { reportNotes } from './report-notes.js'
import { rewriteWords } from './rewrite-words.js'
import { DRIFTS, OUTCOMES, type ReplayReport, type TranscriptReport } from '../replay-model.js'

const MOST_TOLD = 100

/** Renders Markdown for the summary of a CI job: counts, a table of drifts, and diffs. */
export async function renderReplayMarkdown(report: ReplayReport): Promise<string> {
  const diff = await loadDriftDiff()
  const drifted = report.reports.filter((each) => each.drifted)
  const told = drifted.slice(0, MOST_TOLD)
  const notes = reportNotes(report)
  const rewritten = report.reports.flatMap(({ name, rewrites = [] }) => (
    rewrites.map((rewrite) => ({ name, words: rewriteWords(rewrite) }))
  ))
  const { interrupted } = report
  const isSame = report.drifted === 0 && report.bad === 0
  const verdict = isSame ? 'no drift' : `${plural(report.drifted, 'transcript')} drifted`
  const sections = [
    `# Replay: ${interrupted === undefined ? verdict : `interrupted after ${interrupted}, ${verdict} until then`}`,
    [
      `| transcripts | drifted | unreadable | ${OUTCOMES.join(' | ')} | seconds |`,
      `| ${Array(OUTCOMES.length + 4).fill('---').join(' | ')} |`,
      `| ${[
        report.transcripts, report.drifted, report.bad, ...OUTCOMES.map((outcome) => report.counts[outcome]),
        (report.durationMs / 1000).toFixed(2),
      ].join(' | ')} |`,
    ].join('\n'),
    ...(report.badRecords.length === 0 ? []
      : ['## Unreadable', report.badRecords.slice(0, MOST_TOLD).map(({ file, line, code, message }) => (
      `- ${codeSpan(`${file}${line === undefined ? '' : `:${line}`}`)}: ${codeSpan(message)} (${code})`
    )).join('\n'), ...leftOut(report.bad - Math.min(report.badRecords.length, MOST_TOLD))]),
    ...told.map((each) => section(each, diff)),
    ...(report.drifted > told.length ? [`and ${report.drifted - told.length} more that drifted.`] : []),
    ...(rewritten.length === 0 ? [] : ['## Changed by extensions', rewritten.slice(0, MOST_TOLD)
      .map((each) => `- ${codeSpan(each.name)}: ${codeSpan(each.words)}`).join('\n'),
    ...(rewritten.length > MOST_TOLD ? [`and ${rewritten.length - MOST_TOLD} more.`] : [])]),
    ...(notes.length === 0 ? [] : ['## Notes', notes.slice(0, MOST_TOLD)
      .map(({ name, note }) => `- ${codeSpan(name)}: ${codeSpan(note)}`).join('\n')]),
  ]
  return `${sections.join('\n\n')}\n`
}

function leftOut(count: number): string[] {
  return count > 0 ? [`and ${count} more that cannot be read.`] : []
}

function section(report: TranscriptReport, diff: (expected: string, actual: string) => string[]): string {
  const { name, file, line, error, blocks, tree = [] } = report
  return [
    `## ${codeSpan(name)}`,
    `${codeSpan(`${file}${line === undefined ? '' : `:${line}`}`)}`,
    ...(error ? [`Not run to its end: ${codeSpan(error.message)} (${codeSpan(error.code)})`] : []),
    ...blocks.filter(({ outcome }) => DRIFTS.has(outcome))
      .flatMap(({ outcome, seq, turn, name: called, expected = '', actual = '' }) => [
      `**${outcome}**: ${codeSpan(called)} (block ${seq}, turn ${turn})`, fence(diff(expected, actual)),
    ]),
    ...tree.flatMap(({ path, kind, expected, actual }) => [
      `**${kind}**: ${codeSpan(path)}`,
      ...(expected === undefined || actual === undefined ? [] : [fence(diff(expected, actual))]),
    ]),
  ].join('\n\n')
}

/** A code span that no character of the text can end. */
function codeSpan(text: string): string {
  const safe = escapeControls(text)
  const run = '`'.repeat(Math.max(0, ...[...safe.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
  const space = safe.startsWith('`') || safe.endsWith('`') ? ' ' : ''
  return `${run}${space}${safe}${space}${run}`
}

function fence(lines: readonly string[]): string {
  const body = lines.map((line) => escapeControls(line)).join('\n')
  const run = '`'.repeat(Math.max(2, ...[...body.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
  return `${run}diff\n${body}\n${run}`
}
