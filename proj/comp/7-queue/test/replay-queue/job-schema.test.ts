import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readReplayed, readTranscript, REPLAY_JOBS } from '../../src/replay-queue/job-schema.js'

const { readAnswer, readJob } = REPLAY_JOBS

const settings = { workspace: { kind: 'empty' }, mapping: { kind: 'shipped', names: ['common'] }, execution: {} }
const job = { version: 1, name: 't', settings, transcript: { kind: 'here', text: '{}' } }
const content = `sha256:${'0'.repeat(64)}`

describe('a job', () => {
  it('has its form', () => expect(readJob(job)).toEqual(job))

  it.each<[what: string, changed: object]>([
    ['another version', { ...job, version: 2 }],
    ['a mapping that is a path', { ...job, settings: { ...settings, mapping: { kind: 'shipped', names: ['/etc/passwd'] } } }],
    ['a workspace that is a path', { ...job, settings: { ...settings, workspace: { kind: 'fixture', directory: '/etc' } } }],
    ['a workspace by no hash', { ...job, settings: { ...settings, workspace: { kind: 'tree', content: 'sha256:../../../etc' } } }],
    ['an expected path', { ...job, settings: { ...settings, expect: { kind: 'directory', directory: '/etc' } } }],
    ['further directories', { ...job, settings: { ...settings, execution: { allow: ['/'] } } }],
    ['a policy', { ...job, settings: { ...settings, execution: { policy: false } } }],
    ['limits', { ...job, settings: { ...settings, execution: { limits: {} } } }],
    ['an endless time', { ...job, settings: { ...settings, execution: { timeoutMs: 1e12 } } }],
    ['a transcript from a path', { ...job, transcript: { kind: 'file', path: '/etc/passwd' } }],
    ['more', { ...job, more: 1 }],
    ['a list', [job]],
  ])('with %s is refused', (_, changed) => {
    expect(() => readJob(changed)).toThrow(expect.objectContaining({ code: 'INVALID_JOB' }))
  })

  it('may name content', () => {
    const named = { ...job, settings: { ...settings, workspace: { kind: 'tree', content }, expect: { kind: 'tree', content }, mapping: { kind: 'content', content } }, transcript: { kind: 'content', content } }
    expect(readJob(named)).toEqual(named)
  })
})

it('whatever comes is read or refused', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    for (const read of [() => readJob(value), () => readAnswer(value), () => readTranscript(JSON.stringify(value)), () => readReplayed(JSON.stringify(value))]) {
      expect(read).toThrow(expect.objectContaining({ code: 'INVALID_JOB' }))
    }
  }))
  for (const text of ['', '{', 'null', '[]']) {
    expect(() => readTranscript(text)).toThrow(expect.objectContaining({ code: 'INVALID_JOB' }))
  }
})

it('a transcript keeps the order of its keys, by which its hash goes', () => {
  const texts = [
    '{"turns":[{"text":"x","role":"user"}],"format":"sharegpt","name":"n","file":"f"}',
    // What a history, and a call that the service of the model has run, bring.
    '{"settings":{"mapping":"cline","editFormats":["cline"]},"turns":[{"calls":[{"name":"s","arguments":{},"byService":true}],"text":"","reasoning":"","role":"assistant"}],"format":"cline","name":"n","file":"f"}',
    // What extensions changed, and results that nobody knows.
    '{"turns":[{"calls":[],"text":"b","rewritten":{"by":[{"extension":"e","version":"1","command":"c","before":"","after":"","diff":"","text":"b"}],"original":"a","inexact":true},"reasoning":"","role":"assistant"},{"role":"results","results":[{"text":"","isUnknown":true}]}],"format":"hermes","name":"n","file":"f"}',
  ]
  for (const text of texts) expect(JSON.stringify(readTranscript(text))).toBe(text)
})

describe('a result', () => {
  const counts = { same: 0, changed: 1, 'newly failing': 0, 'newly passing': 0, unrecorded: 0, unmapped: 0, skipped: 0 }
  const report = { id: 'x', name: 'x', file: 'f', format: 'openai', counts, blocks: [], drifted: true, durationMs: 1 }
  const result = { text: 'x' }
  const refused = (replayed: object): void => {
    expect(() => readReplayed(JSON.stringify(replayed))).toThrow(expect.objectContaining({ code: 'INVALID_JOB' }))
  }

  it('says nothing of where it belongs', () => {
    expect(readReplayed(JSON.stringify({ report, results: [[{ turn: 1, outcome: 'changed', result }]] })).results).toEqual([[{ turn: 1, outcome: 'changed', result }]])
    refused({ report, results: [[{ turn: 1, outcome: 'changed', result: { ...result, place: { path: ['__proto__', 'polluted'] } } }]] })
    refused({ report, results: [[{ turn: 1, outcome: 'changed', result: { ...result, callId: 'c1' } }]] })
  })

  it('has counts that are some, codes that are words, and a trajectory that is an object', () => {
    refused({ report: { ...report, counts: { ...counts, same: 1e308 } } })
    refused({ report: { ...report, durationMs: 1e308 } })
    refused({ report: { ...report, error: { code: '\u001b[1m', message: 'm' } } })
    refused({ report, trajectory: 'null' })
    refused({ report, trajectory: '[]' })
    refused({ report, trajectory: `{"a":${'['.repeat(6000)}${']'.repeat(6000)}}` })
    expect(readReplayed(JSON.stringify({ report: { ...report, error: { code: 'E2BIG', message: 'm' } }, trajectory: '{}' })).trajectory).toBe('{}')
  })

  it('keeps what was noted, that nothing was found, and what extensions changed', () => {
    const rewrites = [{ extension: 'e', version: '1', command: 'c', before: 'a', after: 'b', turn: 1, undone: true }]
    const more = { ...report, note: 'nothing to run', empty: true, rewrites }
    expect(readReplayed(JSON.stringify({ report: more })).report).toEqual(more)
  })

  it('keeps nothing that is not known', () => {
    const block = { turn: 1, seq: 1, name: 'x', outcome: 'changed' }
    const read = readReplayed(JSON.stringify({ report: { ...report, toolsets: 5, blocks: [{ ...block, diff: { a: 1 } }] } }))
    expect(read.report).toEqual({ ...report, blocks: [block] })
  })
})

it('what is nested thousands of levels deep is refused', () => {
  const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`
  const transcript = `{"file":"f","name":"n","format":"openai","turns":[{"role":"assistant","reasoning":"","text":"","calls":[{"name":"x","arguments":${deep}}]}]}`
  expect(() => readTranscript(transcript)).toThrow(expect.objectContaining({ code: 'INVALID_JOB', message: expect.stringContaining('nested') }))
})
