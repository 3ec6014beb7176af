import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { BatchPlan, BatchPrompt } from '../../src/batch/index.js'
import { promptHash } from '../../src/batch/index.js'
import {
  otherServer, PROMPT_JOBS, promptResult, PromptRunner, PromptSender, type PromptJob,
} from '../../src/batch-queue/index.js'

const URL = 'https://models.example/v1'
const plan: BatchPlan = {
  agent: { model: 'm', baseURL: URL, apiKey: 'sk-secret', style: 'blocks', maxRetries: 3, headers: { authorization: 'other secret' }, allow: ['/etc'] },
  workspace: { kind: 'empty' }, decides: {},
}
const prompt: BatchPrompt = { name: 'p', line: 7, prompt: 'do', content: promptHash('do'), toolsets: ['edit'], metadata: { source: 'book' } }
const invalid = expect.objectContaining({ code: 'INVALID_JOB' })

describe('a job', () => {
  it('has its form, and neither key nor headers nor directories nor metadata', async () => {
    const job = await new PromptSender(undefined, false).jobOf(prompt, plan)
    expect(PROMPT_JOBS.readJob(job)).toEqual({
      version: 1, name: 'p', prompt: { kind: 'here', text: '{"prompt":"do"}' },
      settings: { workspace: { kind: 'empty' }, server: URL, agent: { model: 'm', style: 'blocks' }, execution: { toolsets: ['edit'] } },
    })
  })

  it('has the price of its own model, or that of all', async () => {
    const [price, other] = [{ input: 1, output: 2 }, { input: 3, output: 4 }]
    const priced = { ...plan, agent: { ...plan.agent, price, prices: { other } } }
    const priceAt = async (more: Partial<BatchPrompt>) => (
      (await new PromptSender(undefined, false).jobOf({ ...prompt, ...more }, priced)).settings.agent.price
    )
    expect([await priceAt({}), await priceAt({ model: 'other' })]).toEqual([price, other])
  })

  it.each<[what: string, change: (job: PromptJob) => object]>([
    ['a key', (job) => ({ ...job, settings: { ...job.settings, agent: { ...job.settings.agent, apiKey: 'x' } } })],
    ['an address that is asked', (job) => ({ ...job, settings: { ...job.settings, agent: { ...job.settings.agent, baseURL: 'http://evil' } } })],
    ['headers', (job) => ({ ...job, settings: { ...job.settings, agent: { ...job.settings.agent, headers: {} } } })],
    ['a workspace that is a path', (job) => ({ ...job, settings: { ...job.settings, workspace: { kind: 'fixture', directory: '/etc' } } })],
    ['further directories', (job) => ({ ...job, settings: { ...job.settings, execution: { allow: ['/'] } } })],
    ['endless turns', (job) => ({ ...job, settings: { ...job.settings, agent: { ...job.settings.agent, maxTurns: 1e300 } } })],
    ['another version', (job) => ({ ...job, version: 2 })],
    ['more by the queue than goes there', (job) => ({ ...job, prompt: { kind: 'here', text: JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) }) } })],
    ['toolsets that are none', (job) => ({ ...job, settings: { ...job.settings, execution: { toolsets: ['x'.repeat(1e6)] } } })],
  ])('with %s is refused', async (_, change) => {
    const changed = change(await new PromptSender(undefined, false).jobOf(prompt, plan))
    expect(() => PROMPT_JOBS.readJob(changed)).toThrow(invalid)
  })
})

it('whatever comes is read or refused', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    for (const read of [() => PROMPT_JOBS.readJob(value), () => PROMPT_JOBS.readAnswer(value), () => promptResult(JSON.stringify(value), prompt, plan)]) {
      expect(read).toThrow(invalid)
    }
  }))
})

describe('a result', () => {
  const report = { counts: { turns: 1, calls: 0, failures: 0 }, tools: {}, usage: { input: 1, output: 1 }, reason: 'answer', durationMs: 1 }
  const trajectory = '{"conversations":[],"id":"forged","metadata":"forged"}'
  const read = (told: object) => promptResult(JSON.stringify(told), prompt, plan)

  it('is of whoever asked, whatever the worker says', () => {
    const { report: kept, trajectory: line } = read({ report: { ...report, name: 'forged', line: 1, id: 'forged' }, trajectory })
    expect(kept).toEqual({ ...report, id: prompt.content, name: 'p', line: 7, drifted: false, toolsets: ['edit'] })
    expect(JSON.parse(line ?? '')).toEqual({ conversations: [], id: 'p', metadata: { source: 'book' } })
    const { metadata: _, ...without } = prompt
    expect(JSON.parse(promptResult(JSON.stringify({ report, trajectory }), without, plan).trajectory ?? '')).toEqual({ conversations: [], id: 'p' })
  })

  it('is a conversation or a failure, and counts what can be counted', () => {
    for (const told of [
      { report }, { report: { ...report, error: { code: 'X', message: 'm' } }, trajectory }, { report, trajectory: '[]' },
      { report: { ...report, usage: { input: 1e308, output: 1 } }, trajectory }, { report: { ...report, error: { code: '\u001b[1m', message: 'm' } } },
    ]) expect(() => read(told)).toThrow(invalid)
  })
})

describe('a worker', () => {
  const runner = (server: string) => new PromptRunner({
    store: undefined, server, ceiling: { network: false, yes: false }, directory: tempDir(), name: 'w',
    run: () => Promise.reject(new Error('it was run')),
  })

  it.each<[why: string, server: string, yes: boolean, code: string]>([
    ['another server', 'https://other.example/v1', false, 'OTHER_SERVER'], ['approvals', URL, true, 'POLICY_DENIED'],
  ])('refuses what is for %s, before it runs', async (_, server, yes, code) => {
    const job = await new PromptSender(undefined, yes).jobOf(prompt, plan)
    const { ran, done } = await runner(server).run(job)
    expect([ran.report.error?.code, done.kind, done.answer.unrun]).toEqual([code, 'refused', true])
  })

  it('takes the same server, however it is written', () => {
    expect(otherServer('https://Models.example:443/v1/', URL)).toBeUndefined()
    expect(otherServer('https://models.example/v2', URL)).toMatchObject({ code: 'OTHER_SERVER' })
  })
})
