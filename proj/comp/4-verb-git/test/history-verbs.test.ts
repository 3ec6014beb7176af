import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Sandbox } from '../../3-transaction/test/history/sandbox.js'
import { Baselines } from '../../3-transaction/src/journal/index.js'
import { RunTransaction } from '../../3-transaction/src/transaction/index.js'
import { contextFor } from '../../5-executor/test/verbs/golden-harness.js'
import { gitSquash } from '../src/git-squash.js'
import { gitStepBack } from '../src/git-step-back.js'
import { gitStepForward } from '../src/git-step-forward.js'
import { undo } from '../src/undo.js'

/** A run of its own in the root, as the executor has one open while it runs a block. */
function openRun(root: string, runId: string): RunTransaction {
  return new RunTransaction({
    root, runId, baselines: new Baselines(), git: true, durable: false, waitMs: 0, signal: new AbortController().signal,
  })
}

describe('verbs over the git history', () => {
  it('only users may call', () => {
    for (const { accessibility, type } of [gitStepBack, gitStepForward, gitSquash]) {
      expect({ accessibility, type }).toEqual({ accessibility: ['user'], type: 'git' })
    }
  })

  it('are refused within a run, and do not wait for it', async () => {
    const sandbox = Sandbox.of({ 'a': '1' }, { 'a': '2' })
    const context = contextFor(sandbox.root, 'disk')
    const run = openRun(sandbox.root, context.runId)
    await run.beforeBlock('git')
    for (const [act, name] of [
      [() => undo.handler(v.parse(undo.args, {}), context), 'undo'],
      [() => gitSquash.handler(v.parse(gitSquash.args, { mode: 'auto_ai' }), context), 'squash'],
      [() => gitStepBack.handler({}, context), 'step-back'], [() => gitStepForward.handler({}, context), 'step-forward'],
    ] as const) {
      await expect(act()).rejects.toMatchObject({
        code: 'LOCKED', message: expect.stringContaining('cannot be called within a run') as unknown,
        hint: `Call it between runs, or use hermes ${name}.`,
      })
    }
    await run.finish({ blocks: 0, failures: 0, subject: '', lines: [] })
    expect(await gitStepBack.handler({}, context)).toMatchObject({ to: sandbox.git('rev-parse', 'HEAD') })
  })

  it('undo what a run did, and fail where not all of it can be', async () => {
    const sandbox = Sandbox.of({ 'a': '1', 'd/x': '1' })
    const context = contextFor(sandbox.root, 'disk')
    const run = openRun(sandbox.root, '20250101T000000000Z-abcdef')
    await run.beforeBlock('write')
    run.files.write(context.gate.approve('a', 'write'), '2')
    run.files.remove(context.gate.approve('d/x', 'remove'))
    await run.finish({ blocks: 2, failures: 0, subject: 'write a', lines: [] })
    sandbox.put({ 'd': null })
    sandbox.put({ 'd': 'in the way' })
    const args = v.parse(undo.args, { force: true })
    await expect(undo.handler(args, context)).rejects.toMatchObject({
      code: 'CHANGED_ON_DISK', message: expect.stringMatching(/is undone in part, not put back: d\/x/) as unknown, data: { restored: ['a'] },
    })
    sandbox.put({ 'd': null })
    const done = v.parse(undo.result, await undo.handler(args, { ...context, runId: 'test-again' }))
    expect(done).toMatchObject({ run: '20250101T000000000Z-abcdef', restored: ['d', 'd/x'], merged: [], kept: [] })
    expect([sandbox.read('a'), sandbox.read('d/x')]).toEqual(['1', '1'])
  })

  it('give results of their schemas, and fail with what is in the way', async () => {
    const sandbox = Sandbox.of({ 'a': '1', '.gitignore': 'x\n' }, { '.gitignore': '' })
    const context = contextFor(sandbox.root, 'disk')
    sandbox.put({ 'x': 'work' })
    const back = await gitStepBack.handler({}, context)
    expect(v.parse(gitStepBack.result, back)).toMatchObject({ stashed_files: ['x'] })
    sandbox.put({ 'x': 'other' })
    await expect(gitStepForward.handler({}, context)).rejects.toMatchObject({
      code: 'EEXIST', hint: expect.stringContaining('In the way: x.') as unknown, data: { conflicts: ['x'] },
    })
    sandbox.put({ 'x': null })
    const forward = await gitStepForward.handler({}, context)
    expect(v.parse(gitStepForward.result, forward)).toMatchObject({ branch: 'refs/heads/main', restored_files: ['x'] })
  })

  it.each(gitSquash.examples)('squashes: %j', async example => {
    const sandbox = Sandbox.of({ 'a': '1' })
    for (const at of [1, 2]) sandbox.commit(`AI: ${at}`)
    const args = v.parse(gitSquash.args, example)
    const outcome = await gitSquash.handler(args, contextFor(sandbox.root, 'disk'))
    expect(v.parse(gitSquash.result, outcome).squashed).toHaveLength(1)
  })

  it('name the parameter that a mode needs', async () => {
    const args = v.parse(gitSquash.args, { mode: 'days' })
    const { root } = Sandbox.of({ 'a': '1' })
    await expect(gitSquash.handler(args, contextFor(root, 'disk'))).rejects.toMatchObject({
      code: 'MISSING_PARAMETER', message: 'Missing required parameter: days',
    })
  })
})
