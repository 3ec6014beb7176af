import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listRuns } from '../../src/transaction/index.js'
import { Root } from './root.js'

describe('an undo that could not put back everything', () => {
  /** A run that removes the only file of a directory, in whose place someone else then puts a file. */
  async function halfUndone(): Promise<Root> {
    const root = Root.repository({ 'a.txt': 'a\n', 'd/x.txt': 'x\n' })
    await root.run({ 'a.txt': 'run\n', 'd/x.txt': null }, { runId: 'run-000000-half' })
    rmdirSync(join(root.directory, 'd'))
    root.put({ 'd': 'in the way' })
    const outcome = await root.undo({ force: true })
    expect(outcome).toMatchObject({ success: false, target: 'run-000000-half', restored: ['a.txt'], left: [{ path: 'd/x.txt' }] })
    return root
  }

  it('leaves the run in force: undo goes on where it stopped', async () => {
    const root = await halfUndone()
    expect(root.text('a.txt')).toBe('a\n')
    expect((await listRuns(root.directory)).map(({ state }) => state)).toEqual(['partial', 'partly undone'])
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK', data: { paths: ['d/x.txt'] } })
    expect(await root.undo({ force: true })).toMatchObject({ success: false, restored: [], left: [{ path: 'd/x.txt' }] })
    rmSync(join(root.directory, 'd'))
    expect(await root.undo()).toMatchObject({ success: true, target: 'run-000000-half', restored: ['d', 'd/x.txt'], left: [] })
    expect([root.text('a.txt'), root.text('d/x.txt')]).toEqual(['a\n', 'x\n'])
    await expect(root.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await root.redo()).toMatchObject({ success: true })
    expect([root.text('a.txt'), existsSync(join(root.directory, 'd/x.txt'))]).toEqual(['run\n', false])
    expect(await root.undo()).toMatchObject({ success: true })
    expect([root.text('a.txt'), root.text('d/x.txt')]).toEqual(['a\n', 'x\n'])
  })

  it('can be taken back itself by redo', async () => {
    const root = await halfUndone()
    expect(await root.redo()).toMatchObject({ success: true, target: 'run-000000-half', restored: ['a.txt'] })
    expect([root.text('a.txt'), root.text('d')]).toEqual(['run\n', 'in the way'])
    await expect(root.redo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    rmSync(join(root.directory, 'd'))
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect([root.text('a.txt'), root.text('d/x.txt')]).toEqual(['a\n', 'x\n'])
  })
})

it('passes over what is as before already', async () => {
  const root = Root.repository()
  const transaction = root.transaction()
  await transaction.beforeBlock('write')
  for (const text of ['1\n', '2\n']) root.change(transaction, 'a.txt', text)
  root.change(transaction, 'b.txt', 'run\n')
  transaction.files.move(root.gate.approve('c.txt', 'remove'), root.gate.approve('moved.txt', 'write'))
  await transaction.finish({ blocks: 1, failures: 0, subject: 'two', lines: [] })
  root.put({ 'a.txt': 'a\n', 'c.txt': 'c\n' })
  expect(await root.undo()).toMatchObject({ success: true, left: [] })
  expect([root.text('a.txt'), root.text('b.txt'), root.text('c.txt'), existsSync(join(root.directory, 'moved.txt'))]).toEqual(['a\n', 'b\n', 'c\n', false])
})

it('makes the directory again that was empty after the run, and removed since', async () => {
  const root = Root.repository({ 'd/e/x.txt': 'x\n' })
  await root.run({ 'd/e/x.txt': null })
  rmSync(join(root.directory, 'd'), { recursive: true })
  expect(await root.undo()).toMatchObject({ success: true, left: [] })
  expect(root.text('d/e/x.txt')).toBe('x\n')
})

it('puts a directory back where the run put a file', async () => {
  const root = Root.repository({ 'd/x.txt': 'x\n', 'f': 'f\n' })
  const before = root.tree()
  const transaction = root.transaction()
  await transaction.beforeBlock('write')
  root.change(transaction, 'd/x.txt', null)
  transaction.files.removeDirectory(root.gate.approve('d', 'remove'))
  root.change(transaction, 'd', 'a file now\n')
  root.change(transaction, 'f', null)
  root.change(transaction, 'f/y.txt', 'y\n')
  await transaction.finish({ blocks: 1, failures: 0, subject: 'exchange', lines: [] })
  const after = root.tree()
  expect(await root.undo()).toMatchObject({ success: true, left: [] })
  expect(root.tree()).toEqual(before)
  expect(await root.redo()).toMatchObject({ success: true, left: [] })
  expect(root.tree()).toEqual(after)
})

it('goes on after an undo whose process died, and which was recovered', async () => {
  const root = Root.repository()
  await root.run({ 'a.txt': 'run\n', 'b.txt': 'run\n' }, { runId: 'run-000000-first' })
  const half = root.transaction({ kind: 'undo', of: 'run-000000-first' })
  await half.beforeBlock('write')
  root.change(half, 'b.txt', 'b\n')
  rmSync(join(root.directory, '.hermes/lock'))
  expect(await root.recover(false)).toMatchObject({ restored: false, paths: ['b.txt'] })
  expect((await listRuns(root.directory)).map(({ state }) => state)).toEqual(['partial', 'partly undone'])
  expect(await root.undo()).toMatchObject({ success: true, target: 'run-000000-first', restored: ['a.txt'] })
  expect([root.text('a.txt'), root.text('b.txt'), root.status()]).toEqual(['a\n', 'b\n', []])
})
