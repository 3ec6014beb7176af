import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Consent } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { addJob, conversationJobs, readJobs } from '../../src/cron/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

function world({ from = 'chat', answer = 'granted' }: { from?: string; answer?: Consent } = {}) {
  const directory = join(tempDir(), 'cron')
  const context = contextFor(tempDir(), 'disk')
  const asked: string[] = []
  const scheduler = conversationJobs({
    directory, root: context.session.root, from, deliver: from === 'chat' ? undefined : from, timeZone: 'UTC',
    consent: from === 'chat' ? 'ask' : 'given', limits: { allow: [], disabledToolsets: ['git'] },
  })
  const approve = async ({ reason }: { reason: string }) => {
    asked.push(reason)
    return answer
  }
  return { directory, asked, root: context.session.root, context: { ...context, scheduler, approve } }
}
const reminder = { schedule: 'in 30m', prompt: 'Answer only: call Ana.' }

describe('jobs of a conversation', () => {
  it('are added when the user agrees, listed, and removed', async () => {
    const { context, directory, asked, root } = world()
    const next = expect.stringMatching(/ UTC$/)
    expect(await runVerb('cron_add', reminder, context)).toEqual({
      data: { id: 'job-1', ...reminder, next, runner_works: false },
    })
    expect(asked).toEqual(['starts an agent unattended (in 30m): Answer only: call Ana.'])
    expect(readJobs(directory)).toMatchObject([{ from: 'chat', root, limits: { allow: [], disabledToolsets: ['git'] } }])
    expect(await runVerb('cron_list', {}, context)).toEqual({ data: [{ id: 'job-1', ...reminder, next }] })
    expect(await runVerb('cron_remove', { id: 'job-1' }, context)).toEqual({ data: { removed: 'job-1' } })
    expect(readJobs(directory)).toEqual([])
  })

  it.each(['denied', 'unavailable'] as const)('are not added where the answer is %s', async (answer) => {
    const { context, directory } = world({ answer })
    expect(await runVerb('cron_add', reminder, context)).toMatchObject({ code: 'APPROVAL_DENIED' })
    expect(readJobs(directory)).toEqual([])
  })

  it('by messages deliver to that conversation, and see no others', async () => {
    const { context, directory, asked } = world({ from: 'webhook:c1' })
    await addJob(directory, { id: 'mine', schedule: '@daily', prompt: 'x', root: context.session.root, createdMs: 0 })
    expect(await runVerb('cron_add', reminder, context)).toMatchObject({ data: { delivers_to: 'webhook:c1' } })
    expect(await runVerb('cron_list', {}, context)).toMatchObject({ data: [{ id: 'job-1' }] })
    expect(await runVerb('cron_remove', { id: 'mine' }, context)).toMatchObject({ code: 'ENOENT' })
    expect([asked, readJobs(directory).map(({ id }) => id)]).toEqual([[], ['mine', 'job-1']])
  })

  it('are at most twenty', async () => {
    const { context, directory } = world({ from: 'webhook:c1' })
    for (let at = 0; at < 20; at++) await runVerb('cron_add', reminder, context)
    expect(await runVerb('cron_add', reminder, context)).toMatchObject({
      code: 'INVALID_PARAMETER', message: expect.stringContaining('20 jobs'),
    })
    expect(readJobs(directory)).toHaveLength(20)
  })

  it('say how a time is written', async () => {
    const { context } = world()
    expect(await runVerb('cron_add', { ...reminder, schedule: 'in a while' }, context)).toMatchObject({
      code: 'INVALID_PARAMETER', hint: expect.stringContaining('"in 30m"'),
    })
  })

  it('are offered only where there is a scheduler, and made in no dry run', async () => {
    const { context, directory, root } = world({ from: 'webhook:c1' })
    const { scheduler } = context
    const names = async (hermes: Hermes) => (await hermes.verbs()).map(({ name }) => name)
    await using without = new Hermes({ root })
    expect(await names(without)).not.toContain('cron_add')
    const call = `<tool_call>${JSON.stringify({ name: 'cron_add', arguments: reminder })}</tool_call>`
    expect((await without.execute(call)).results).toMatchObject([{ code: 'NOT_INSTALLED' }])
    await using dry = new Hermes({ root, scheduler, dryRun: true })
    expect(await names(dry)).toContain('cron_add')
    await dry.execute(call)
    expect(readJobs(directory)).toEqual([])
    await using live = new Hermes({ root, scheduler, gitCommit: false })
    expect((await live.execute(call)).results).toMatchObject([{ success: true }])
    expect(readJobs(directory)).toHaveLength(1)
  })
})
