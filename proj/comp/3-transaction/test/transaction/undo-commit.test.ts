import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { listRuns } from '../../src/transaction/index.js'
import { Root } from './root.js'

describe('the commit of an undo', () => {
  it('has nothing of what a hook refused, and makes no commit of its own then', async () => {
    const root = Root.repository()
    const hook = join(root.directory, '.git/hooks/pre-commit')
    writeFileSync(hook, '#!/bin/sh\nif git grep --cached -q SECRET; then echo "no secrets" >&2; exit 1; fi\n', { mode: 0o755 })
    expect(await root.run({ 'a.txt': 'SECRET\n', 'new.txt': 'SECRET\n', 'b.txt': 'fine\n' })).toMatchObject({ fatalError: expect.stringMatching(/no secrets/) })
    const outcome = await root.undo()
    expect(outcome).toMatchObject({ success: true, warnings: [] })
    expect(outcome.gitCommit).toBeUndefined()
    expect([root.subjects(), root.status(), root.text('a.txt')]).toEqual([['start'], [], 'a\n'])
    expect(root.git('rev-list', '--all', '--objects')).not.toContain('new.txt')
  })

  it('has only the paths whose committed state the run left', async () => {
    const root = Root.repository()
    await root.run({ 'a.txt': 'run\n', 'b.txt': 'run\n' })
    root.git('rm', '--cached', '--quiet', 'b.txt')
    root.git('commit', '--quiet', '-m', 'keep b.txt out of git')
    expect(await root.undo()).toMatchObject({ success: true, gitCommit: expect.any(String), warnings: [expect.stringMatching(/b\.txt/)] })
    expect(root.changedIn()).toEqual(['a.txt'])
    expect(root.subjects()).toEqual(['AI: undo file_write a.txt, file_write b.txt', 'keep b.txt out of git', 'AI: file_write a.txt, file_write b.txt', 'start'])
    expect(root.text('b.txt')).toBe('b\n')
  })

  it('has no conflict markers, and no work of the user that was not committed', async () => {
    const root = Root.repository()
    await root.run({ 'a.txt': 'run\n', 'b.txt': 'run\n', 'c.txt': 'run\n' })
    root.put({ 'a.txt': 'mine\n' })
    root.git('commit', '--quiet', '-am', 'mine')
    root.put({ 'b.txt': 'mine too\n' })
    const outcome = await root.undo({ force: true })
    expect(outcome.merged).toEqual([{ path: 'a.txt', marked: true }, { path: 'b.txt', marked: true }])
    expect(root.changedIn()).toEqual(['c.txt'])
    expect(root.git('log', '-p', '--all')).not.toMatch(/<<<<|mine too/)
    expect(root.status()).toEqual([' M a.txt', ' M b.txt'])
    expect(outcome.warnings.join()).toMatch(/^Not committed.*: a\.txt.*b\.txt/)
  })
})

it('asks for the same --allow as the run had', async () => {
  const root = Root.repository()
  const other = new Root()
  other.put({ 'o.txt': 'o\n' })
  const transaction = root.transaction()
  await transaction.beforeBlock('write')
  const gate = createPathGate({ root: root.directory, allow: [other.directory] })
  transaction.files.write(gate.approve(join(other.directory, 'o.txt'), 'write'), 'run\n')
  root.change(transaction, 'a.txt', 'run\n')
  await transaction.finish({ blocks: 1, failures: 0, subject: 'two places', lines: [] })
  for (const force of [false, true]) {
    await expect(root.undo({ force })).rejects.toMatchObject({
      code: 'POLICY_DENIED', message: expect.stringContaining(join(other.directory, 'o.txt')) as unknown,
      hint: expect.stringContaining(`--allow ${other.directory}`) as unknown,
    })
  }
  expect(root.text('a.txt')).toBe('run\n')
  expect(await root.undo({ gate })).toMatchObject({ success: true, left: [] })
  expect([root.text('a.txt'), other.text('o.txt')]).toEqual(['a\n', 'o\n'])
})

describe('with force', () => {
  it('keeps a file that no merge can be made of', async () => {
    const root = Root.repository({ 'n.bin': 'a\0b\n', 'a.txt': 'a\n' })
    await root.run({ 'n.bin': 'run\0\n', 'a.txt': 'run\n' })
    root.put({ 'n.bin': 'mine\0\n' })
    const outcome = await root.undo({ force: true })
    expect(outcome).toMatchObject({ kept: [{ path: 'n.bin' }], restored: ['a.txt'], left: [] })
    expect(root.text('n.bin')).toBe('mine\0\n')
    await expect(root.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })

  it('merges what a command changed', async () => {
    const root = Root.repository({ 'm.txt': '1\n2\n3\n4\n5\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('exec')
    root.put({ 'm.txt': 'one\n2\n3\n4\n5\n' })
    await transaction.finish({ blocks: 1, failures: 0, subject: 'exec', lines: [] })
    root.put({ 'm.txt': 'one\n2\n3\n4\nfive\n' })
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK' })
    expect((await root.undo({ force: true })).merged).toEqual([{ path: 'm.txt', marked: false }])
    expect(root.text('m.txt')).toBe('1\n2\n3\n4\nfive\n')
  })
})

it('takes the run back that began last, whatever its id', async () => {
  const root = new Root()
  await root.run({ 'a.txt': 'first\n' }, { runId: 'run-b' })
  await sleep(2)
  await root.run({ 'a.txt': 'second\n' }, { runId: 'run-a' })
  expect(await root.undo()).toMatchObject({ target: 'run-a' })
  expect(root.text('a.txt')).toBe('first\n')
  expect((await listRuns(root.directory)).map(({ of, runId }) => of ?? runId)).toEqual(['run-a', 'run-a', 'run-b'])
})

it('is refused within a run, at once', async () => {
  const root = Root.repository()
  await root.run({ 'a.txt': 'run\n' })
  const transaction = root.transaction({ runId: 'run-outer' })
  await transaction.beforeBlock('git')
  await expect(root.undo({ runId: 'run-outer' })).rejects.toMatchObject({ code: 'LOCKED', message: expect.stringMatching(/within a run/) })
  await transaction.finish({ blocks: 0, failures: 0, subject: '', lines: [] })
})
