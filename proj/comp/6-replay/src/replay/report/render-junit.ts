import { loadDriftDiff } from './drift-diff.js'
import { reportNotes } from './report-notes.js'
import { rewriteWords } from './rewrite-words.js'
import { DRIFTS, type ReplayReport, type TranscriptReport } from '../replay-model.js'

/**
 * JUnit's XML: a case a transcript that has something to tell, the others as a number of the suite; what could not be
 * read is an error of its own.
 */
export async function renderJunit(report: ReplayReport): Promise<string> {
  const diff = await loadDriftDiff()
  const cases = report.reports.map((each) => testCase(each, diff))
  const bad = report.badRecords.map(({ file, line, code, message, hint }) => (
    `    <testcase classname="${xml(file)}" name="${line === undefined ? 'file' : `line ${line}`}" time="0">\n`
    + `      <error type="${xml(code)}" message="${xml(message)}">${xml(hint)}</error>\n    </testcase>`
  ))
  const { transcripts, drifted, errors, bad: unreadable, durationMs } = report
  const more = unreadable - report.badRecords.length
  if (more > 0) {
    bad.push(`    <testcase classname="hermes replay" name="others" time="0">\n`
      + `      <error type="INVALID_TRANSCRIPT" message="${more} more that cannot be read"/>\n    </testcase>`)
  }
  const totals = `tests="${transcripts + unreadable}" failures="${drifted - errors}" errors="${errors + unreadable}" `
    + `time="${seconds(durationMs)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${totals}>`, `  <testsuite name="hermes replay" ${totals}>`,
    ...bad, ...cases, '  </testsuite>', '</testsuites>', '',
  ].join('\n')
}

function testCase(report: TranscriptReport, diff: (expected: string, actual: string) => string[]): string {
  const { name, file, durationMs, error, blocks, tree = [], rewrites = [] } = report
  const notes = reportNotes({ reports: [report] })
    .map(({ note }) => `      <system-out>${xml(note)}</system-out>`)
  const open = `    <testcase classname="${xml(file)}" name="${xml(name)}" time="${seconds(durationMs)}">`
  const told = [
    ...blocks.filter(({ outcome }) => DRIFTS.has(outcome))
      .flatMap(({ outcome, seq, name: called, expected = '', actual = '' }) => (
      [`${outcome}: ${called} (block ${seq})`, ...diff(expected, actual)]
    )),
    ...tree.flatMap(({ path, kind, expected = '', actual = '' }) => [
      `${kind}: ${path}`, ...(expected === actual ? [] : diff(expected, actual)),
    ]),
  ]
  const outcome = error
    ? `      <error type="${xml(error.code)}" message="${xml(error.message)}">${xml(error.hint ?? '')}</error>`
    : report.drifted
      ? `      <failure type="drift" message="${xml(told[0] ?? '')}">${xml(told.join('\n'))}</failure>` : undefined
  // The schema of JUnit has properties first.
  const properties = rewrites.length === 0 ? [] : [
    '      <properties>',
    ...rewrites.map((rewrite) => `        <property name="rewrite" value="${xml(rewriteWords(rewrite))}"/>`),
    '      </properties>',
  ]
  const body = [...properties, ...(outcome === undefined ? [] : [outcome]), ...notes].join('\n')
  return body === '' ? `${open.slice(0, -1)}/>` : `${open}\n${body}\n    </testcase>`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** What XML 1.0 cannot hold becomes a question mark in a box. */
function xml(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
