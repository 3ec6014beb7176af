import { expect, it } from 'vitest'
import { noCounts, type ReplayReport } from '../../src/replay/replay-model.js'
import { renderAnnotations, renderJunit as junit } from '../../../1-reports/src/index.js'
import { renderReplay, renderReplayMarkdown, replayItems } from '../../src/replay/index.js'

const NOTE = 'The workspace <w> could not be removed'
const renderJunit = async (report: ReplayReport) => junit(await replayItems(report), 'hermes replay', 1)
const REPORT: ReplayReport = {
  transcripts: 1, drifted: 0, errors: 0, counts: { ...noCounts(), same: 1 }, treeDifferences: 0, bad: 0, badRecords: [],
  durationMs: 1, reports: [{
    id: 'x', name: 't#1', file: 't.jsonl', line: 1, format: 'hermes', counts: { ...noCounts(), same: 1 }, blocks: [],
    note: NOTE, drifted: false, durationMs: 1,
  }],
}

it('each kind of report tells what became of a workspace, also where nothing drifted', async () => {
  expect(await renderReplay(REPORT, { colour: false })).toContain(`–  t#1: ${NOTE}\n`)
  expect(await renderReplayMarkdown(REPORT)).toContain(`## Notes\n\n- \`t#1\`: \`${NOTE}\`\n`)
  expect(renderAnnotations(await replayItems(REPORT))).toBe(`::warning file=t.jsonl,line=1,title=t#1::${NOTE}\n`)
  expect(await renderJunit(REPORT)).toContain([
    '    <testcase classname="t.jsonl" name="t#1" time="0.001">',
    '      <system-out>The workspace &lt;w&gt; could not be removed</system-out>', '    </testcase>', '',
  ].join('\n'))
})

it('each kind of report names the extensions that changed the answers of a transcript', async () => {
  const hashes = { before: 'b'.repeat(64), after: 'a'.repeat(64) }
  const { reports: [first], ...summary } = REPORT
  if (!first) throw new Error('a report')
  const { note: _, ...ran } = first
  const report: ReplayReport = { ...summary, reports: [{ ...ran, rewrites: [
    { turn: 1, extension: 'tidy', version: '1.2', command: 'clean', ...hashes },
    { turn: 2, extension: 'a<b\u001b', command: 'go', ...hashes, undone: true },
    { turn: 2, extension: 'tidy', version: '1.3', command: 'clean', ...hashes, isNew: true },
  ] }] }
  expect(await renderReplay(report, { colour: false })).toBe(
    '1 transcript · 1 same · rewritten by tidy, a<b\\x1b (undone) · 0.00 s\n',
  )
  expect(await renderReplayMarkdown(report)).toContain([
    '## Changed by extensions', '', '- `t#1`: `turn 1: tidy 1.2 (clean)`', '- `t#1`: `turn 2: a<b\\x1b (go), undone`',
    '- `t#1`: `turn 2: tidy 1.3 (clean), in this replay`', '',
  ].join('\n'))
  expect(await renderJunit(report)).toContain([
    '    <testcase classname="t.jsonl" name="t#1" time="0.001">', '      <properties>',
    '        <property name="rewrite" value="turn 1: tidy 1.2 (clean)"/>',
    '        <property name="rewrite" value="turn 2: a&lt;b\ufffd (go), undone"/>',
    '        <property name="rewrite" value="turn 2: tidy 1.3 (clean), in this replay"/>',
    '      </properties>', '    </testcase>', '',
  ].join('\n'))
  expect(renderAnnotations(await replayItems(report))).toBe('')
})
