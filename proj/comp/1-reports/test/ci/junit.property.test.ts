import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { renderJunit } from '../../src/ci/index.js'
import { CI_ITEM } from './ci-items.js'

const SCHEMA = readFileSync(fileURLToPath(new URL('../../test-data/ci/junit.xsd', import.meta.url)), 'utf8')

async function faults(contents: string): Promise<unknown[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents }], schema: [SCHEMA] })
  return [...errors]
}

it('is what CI servers accept, whatever is in the texts, and counts its own cases', async () => {
  await fc.assert(fc.asyncProperty(fc.array(CI_ITEM, { maxLength: 30 }), async (items) => {
    const text = renderJunit(items, 'hermes', 12)
    expect(await faults(text)).toEqual([])
    const count = (element: string): number => text.split(`<${element} `).length - 1
    expect(text).toContain(
      `<testsuites tests="${items.length}" failures="${count('failure')}" errors="${count('error')}" time="0.012">`,
    )
    expect(count('testcase')).toBe(items.length)
  }), { numRuns: 20 })
})

it('would not be accepted with a case that lacks its name', async () => {
  const text = renderJunit([{ outcome: 'passed', name: 'a', durationMs: 1 }], 'hermes', 1)
  expect(await faults(text.replace(' name="a"', ''))).toMatchObject([{ message: expect.stringContaining("'name'") }])
})

it('has a failure with its code, its line and all that is known of it', () => {
  expect(renderJunit([
    { outcome: 'failed', name: 'a: edit', file: 'a.md', durationMs: 5, code: 'TEXT_NOT_FOUND', message: 'no <b>', details: '1\n2' },
    { outcome: 'skipped', name: 'b: exec ls', file: 'a.md', durationMs: 0, code: 'CANCELLED', message: 'Not started' },
  ], 'hermes apply', 1500)).toBe([
    '<?xml version="1.0" encoding="UTF-8"?>', '<testsuites tests="2" failures="1" errors="0" time="1.500">',
    '  <testsuite name="hermes apply" tests="2" failures="1" errors="0" skipped="1" time="1.500">',
    '    <testcase classname="a.md" name="a: edit" time="0.005">',
    '      <failure type="TEXT_NOT_FOUND" message="no &lt;b&gt;">1\n2</failure>', '    </testcase>',
    '    <testcase classname="a.md" name="b: exec ls" time="0.000">',
    '      <skipped message="Not started"></skipped>', '    </testcase>', '  </testsuite>', '</testsuites>', '',
  ].join('\n'))
})
