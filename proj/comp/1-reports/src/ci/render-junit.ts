import type { CiItem } from './ci-item.js'

/**
 * Renders JUnit XML as read by Jenkins, GitLab and others: one suite with a test case for each item, and matching
 * counts.
 *
 * @param suite name of the suite
 * @param durationMs total duration; items may have run in parallel
 */
export function renderJunit(items: readonly CiItem[], suite: string, durationMs: number): string {
  const count = (outcome: CiItem['outcome']): number => items.filter((item) => item.outcome === outcome).length
  const totals = `tests="${items.length}" failures="${count('failed')}" errors="${count('error')}"`
  const time = `time="${seconds(durationMs)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${totals} ${time}>`,
    `  <testsuite name="${xml(suite)}" ${totals} skipped="${count('skipped')}" ${time}>`,
    ...items.map((item) => testCase(item, suite)), '  </testsuite>', '</testsuites>', '',
  ].join('\n')
}

const OUTCOMES = { failed: 'failure', error: 'error', skipped: 'skipped' } as const

function testCase(item: CiItem, suite: string): string {
  const { outcome, name, file, durationMs, code = outcome, message = '', details = '' } = item
  const open = `    <testcase classname="${xml(file ?? suite)}" name="${xml(name)}" time="${seconds(durationMs)}"`
  const { properties = [], notes = [] } = item
  const kind = outcome === 'passed' ? undefined : OUTCOMES[outcome]
  const type = kind === 'skipped' ? '' : ` type="${xml(code)}"`
  // The schema requires properties first.
  const body = [
    ...(properties.length === 0 ? [] : [
      '      <properties>',
      ...properties.map((each) => `        <property name="${xml(each.name)}" value="${xml(each.value)}"/>`),
      '      </properties>',
    ]),
    ...(kind === undefined ? [] : [`      <${kind}${type} message="${xml(message)}">${xml(details)}</${kind}>`]),
    ...notes.map((note) => `      <system-out>${xml(note)}</system-out>`),
  ]
  return body.length === 0 ? `${open}/>` : [`${open}>`, ...body, '    </testcase>'].join('\n')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Replaces characters that XML 1.0 does not allow by U+FFFD. */
function xml(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
