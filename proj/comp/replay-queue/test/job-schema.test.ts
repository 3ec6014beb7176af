import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnswer, readJob, readReplayed, readTranscript } from '../src/job-schema.js'

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
  const text = '{"turns":[{"text":"x","role":"user"}],"format":"sharegpt","name":"n","file":"f"}'
  expect(JSON.stringify(readTranscript(text))).toBe(text)
})
