import { describe, expect, it } from 'vitest'
import type { ResultRule } from '../../../2-mapping/src/index.js'
import type { RecordedOutcome, RecordedResult } from '../../../2-transcripts/src/index.js'
import { compare } from '../../src/replay/compare/compare.js'
import { Normalizer } from '../../src/replay/compare/normalizer.js'

const normalizer = new Normalizer(['/tmp/x/copy', '/workspace'])
const ok = (data?: unknown): RecordedOutcome => ({ success: true, ...(data !== undefined && { data }) })
const failed = (error: string, data?: unknown): RecordedOutcome => ({ success: false, error, code: 'E', ...(data !== undefined && { data }) })
const own = (outcome: RecordedOutcome): RecordedResult => ({ text: JSON.stringify(outcome), outcome, isError: !outcome.success })
const rule = (more: Partial<ResultRule> = {}): ResultRule => ({ textOf: () => undefined, unwrap: (text) => text, failed: () => undefined, answersByCode: () => false, ...more })
const stdout = (data: unknown): string => (data as { stdout: string }).stdout
const outcomeOf = (recorded: RecordedResult | undefined, actual: RecordedOutcome, mapped?: ResultRule, format: 'openai' | 'anthropic' = 'openai') => (
  compare({ recorded, actual, rule: mapped, format }, normalizer).outcome
)

describe('compare', () => {
  it.each([
    ['nothing recorded', undefined, ok(), 'unrecorded'],
    ['the same', own(ok({ a: 1, b: [] })), ok({ b: [], a: 1 }), 'same'],
    ['the same but for hints', own({ ...failed('x'), hint: 'a' }), { ...failed('x'), hint: 'b' }, 'same'],
    ['other data', own(ok({ a: 1 })), ok({ a: 2 }), 'changed'],
    ['another message', own(failed('x')), failed('y'), 'changed'],
    ['newly failing', own(ok()), failed('x'), 'newly failing'],
    ['newly passing', own(failed('x')), ok(), 'newly passing'],
    ['the same at another root', own(ok({ path: '/workspace/a' })), ok({ path: '/tmp/x/copy/a' }), 'same'],
    ['another sandbox', own(ok({ sandbox: 'bwrap' })), ok({ sandbox: 'none' }), 'same'],
    ['a foreign text that tells nothing', { text: 'done' }, ok(), 'unrecorded'],
    ['a foreign success that fails', { text: 'done' }, failed('x'), 'newly failing'],
    ['a foreign success without words that fails', { text: '' }, failed('x'), 'newly failing'],
    ['a foreign text that may tell a failure', { text: 'Error: no such file' }, failed('x'), 'unrecorded'],
    ['a foreign text of a command that failed', { text: 'Traceback (most recent call last):\n' }, failed('x'), 'unrecorded'],
    ['a foreign object that tells a failure', { text: '{"status": "error", "detail": "no"}' }, failed('x'), 'unrecorded'],
    ['a foreign failure', { text: 'no', isError: true }, failed('x'), 'same'],
    ['a foreign failure that passes', { text: 'no', isError: true }, ok(), 'newly passing'],
  ] as const)('%s', (_, recorded, actual, expected) => {
    expect(outcomeOf(recorded, actual)).toBe(expected)
  })

  it('by the rule of a mapped call', () => {
    const prints = rule({ textOf: stdout })
    expect(outcomeOf({ text: 'a\n' }, ok({ stdout: 'a' }), prints)).toBe('same')
    expect(outcomeOf({ text: 'a' }, failed('exit 1', { stdout: 'a' }), prints)).toBe('same')
    expect(outcomeOf({ text: 'a' }, ok({ stdout: 'b' }), prints)).toBe('changed')
    const judges = rule({ failed: (text) => text.startsWith('Error') })
    expect(outcomeOf({ text: 'Error: x' }, failed('x'), judges)).toBe('same')
    expect(outcomeOf({ text: 'fine' }, failed('x'), judges)).toBe('newly failing')
    expect(outcomeOf({ text: 'fine' }, ok(), rule())).toBe('unrecorded')
    expect(outcomeOf({ text: 'fine' }, failed('x'), rule())).toBe('newly failing')
  })

  it.each([
    ['newly failing', { text: 'a', isError: false }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['newly passing', { text: 'a', isError: true }, ok({ stdout: 'a', exit_code: 0 })],
    ['same', { text: 'a', isError: true }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['newly failing', { text: '{"output": "a", "metadata": {"exit_code": 0}}' }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['newly passing', { text: '{"output": "a", "returncode": 2}' }, ok({ stdout: 'a', exit_code: 0 })],
    ['changed', { text: '{"output": "a", "exitCode": 2}' }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['same', { text: '{"output": "a", "exitCode": 1}' }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['newly failing', { text: 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\na' }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['same', { text: 'Process exited with code 1\nOutput:\na' }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['same', { text: '<returncode>1</returncode>\n<output>\na\n</output>' }, failed('x', { stdout: 'a\n', exit_code: 1 })],
    ['changed', { text: '<returncode>1</returncode>\n<output>\nb\n</output>' }, failed('x', { stdout: 'a\n', exit_code: 1 })],
    ['changed', { text: 'Exit code 2\na', isError: true }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['same', { text: 'Exit code 1\na', isError: true }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['changed', { text: 'Exit code: 0' }, failed('x', { stdout: 'a', exit_code: 1 })],
    ['same', { text: 'Exit code: 0' }, failed('x', { stdout: 'Exit code: 0', exit_code: 1 })],
  ] as const)('of a command holds its failure and its exit code against the record: %s, %j', (expected, recorded, actual) => {
    const prints = rule({
      textOf: (data) => stdout(data),
      unwrap: (text) => (text.startsWith('{') ? (JSON.parse(text) as { output: string }).output : text.split('Output:\n').at(-1) ?? ''),
    })
    expect(outcomeOf(recorded, actual, prints)).toBe(expected)
  })

  it('of a command whose exit code answers takes 1 for no failure, where the record does', () => {
    const found = (recorded: RecordedResult, command: string | undefined, code = 1) => compare({
      recorded, command, format: 'anthropic', actual: failed('x', { stdout: 'a', exit_code: code }),
      rule: rule({ textOf: stdout, answersByCode: (line) => line.startsWith('grep') }),
    }, normalizer).outcome
    expect(found({ text: 'a', isError: false }, 'grep x f')).toBe('same')
    expect(found({ text: 'b', isError: false }, 'grep x f')).toBe('changed')
    expect(found({ text: 'a', isError: false }, 'grep x f', 2)).toBe('newly failing')
    expect(found({ text: 'a', isError: false }, 'cat f')).toBe('newly failing')
    expect(found({ text: 'Exit code 1\na', isError: true }, 'grep x f')).toBe('same')
  })

  it("takes Anthropic's results for good where they do not say otherwise", () => {
    expect(outcomeOf({ text: 'fine' }, failed('x'), undefined, 'anthropic')).toBe('newly failing')
  })

  it('of a command that no longer starts says so', () => {
    const prints = rule({ textOf: (data) => (data === undefined ? '' : stdout(data)) })
    expect(outcomeOf({ text: 'a' }, failed('denied'), prints)).toBe('newly failing')
  })
})

describe('Normalizer', () => {
  it.each([
    ['at 2026-01-31T12:00:00.123Z and 2025-12-01 09:08:07', 'at <time> and <time>'],
    ['Sun Nov 22 10:46:16 UTC 2026', '<time>'],
    ['-rw-r--r-- 1 root root 12 Nov 22 10:46 a', '-rw-r--r-- 1 root root 12 <time> a'],
    ['12:34:56.789 ok', '<time> ok'],
    ['Ran 3 tests in 0.001s', 'Ran 3 tests in <duration>'],
    ['# duration_ms 52.13', '# duration_ms <duration>'],
    ['real\t0m0.003s\nuser\t1m2,5s\nsys\t0m0.000s', 'real\t<duration>\nuser\t<duration>\nsys\t<duration>'],
    ['real 0.01\nuser 0.00\nsys 0.00', 'real <duration>\nuser <duration>\nsys <duration>'],
    ['real 0.01 of it', 'real 0.01 of it'],
    ['took 15 ms, not 3 minutes', 'took <duration>, not <duration>'],
    ['pid 4711, PID=12', 'pid <pid>, PID=<pid>'],
    ['wrote /tmp/tmp.a1B2c3/x.txt.', 'wrote <tmp>'],
    ['at 0x7ffd1234abcd', 'at <address>'],
    ['in /tmp/x/copy/a and /workspace', 'in <root>/a and <root>'],
    ['/workshop /workspace2 /a/workspace/b', '/workshop /workspace2 /a/workspace/b'],
    ['version 1.2.3 of 3 files', 'version 1.2.3 of 3 files'],
  ])('%s', (text, expected) => {
    expect(normalizer.text(text, true)).toBe(expected)
  })

  it('leaves the content of files alone, but for the root', () => {
    const text = 'at 12:34:56 in /workspace/a took 5 s'
    expect(normalizer.value({ content: text, stdout: text })).toEqual({
      content: 'at 12:34:56 in <root>/a took 5 s', stdout: 'at <time> in <root>/a took <duration>',
    })
  })

  it('puts names for fields that are about the moment', () => {
    expect(normalizer.value([{ name: 'a', modified: 'x', size: 1, pid: 3, durationMs: 1.5, head: null, freeBytes: 4 }])).toEqual([
      { name: 'a', modified: '<modified>', size: 1, pid: '<pid>', durationMs: '<durationMs>', head: null, freeBytes: '<freeBytes>' },
    ])
  })
})
