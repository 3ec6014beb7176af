import type { Finding, FindingStatus } from './finding.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { createPalette, type Palette, plural } from '../../../1-reports/src/index.js'

const MARKS: Readonly<Record<FindingStatus, string>> = { ok: '✓', note: '–', warning: '!', problem: '✗' }
const TITLE = 14

/** What was found, and what to do about it: a line each. */
export function renderFindings(findings: readonly Finding[], { colour }: { colour: boolean }): string {
  const palette = createPalette(colour)
  const bad = findings.filter(({ status }) => status === 'warning' || status === 'problem')
  const problems = bad.filter(({ status }) => status === 'problem').length
  const counts = [
    ...(problems > 0 ? [palette.bad(plural(problems, 'problem'))] : []),
    ...(bad.length > problems ? [palette.note(plural(bad.length - problems, 'warning'))] : []),
  ]
  return [
    ...findings.map((finding) => line(finding, palette)),
    '',
    counts.length === 0 ? 'Nothing is in the way.' : counts.join(', '),
    '',
  ].join('\n')
}

function line({ status, title, detail, fix }: Finding, palette: Palette): string {
  const colour = { ok: palette.good, note: palette.faint, warning: palette.note, problem: palette.bad }[status]
  const shown = `${colour(MARKS[status])}  ${title.padEnd(TITLE)}${escapeControls(detail, true)}`
  return fix === undefined ? shown
    : `${shown}\n${' '.repeat(TITLE + 3)}${palette.faint(`fix: ${escapeControls(fix, true)}`)}`
}
