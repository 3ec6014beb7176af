import { expect, it } from 'vitest'
import { noCounts, type ReplayReport } from '../../src/replay/replay-model.js'
import { renderGithub, renderJunit, renderReplay, renderReplayMarkdown } from '../../src/replay/index.js'

const NOTE = 'The workspace <w> could not be removed'
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
  expect(renderGithub(REPORT)).toBe(`::warning file=t.jsonl,line=1,title=t#1::${NOTE}\n`)
  expect(await renderJunit(REPORT)).toContain([
    '    <testcase classname="t.jsonl" name="t#1" time="0.001">',
    '      <system-out>The workspace &lt;w&gt; could not be removed</system-out>', '    </testcase>', '',
  ].join('\n'))
})
