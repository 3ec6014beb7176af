import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listRuns } from '../../src/transaction/index.js'
import { Root } from './root.js'

describe.each([['in a repository', () => Root.repository()], ['outside of git', () => {
  const root = new Root()
  root.put({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
  return root
}]] as const)('undo %s', (_, makeRoot) => {
  it('puts back contents, modes, links, directories and what was not there', async () => {
    const root = makeRoot()
    root.put({ 'dir/deep/x.txt': 'x\n', 'dir/y.txt': 'y\n' })
    chmodSync(join(root.directory, 'b.txt'), 0o755)
    symlinkSync('a.txt', join(root.directory, 'link'))
    mkdirSync(join(root.directory, 'empty'), { mode: 0o700 })
    const before = root.tree()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    const { files } = transaction
    const path = (name: string) => root.gate.approve(name, 'remove')
    files.write(path('a.txt'), 'changed\n')
    files.write(path('a.txt'), 'changed again\n')
    files.remove(path('b.txt'))
    files.remove(path('link'))
    files.makeDirectories(path('new/er'))
    files.write(path('new/er/z.txt'), 'z\n')
    files.move(path('dir'), path('moved'))
    files.write(path('moved/y.txt'), 'y changed\n')
    files.move(path('moved/deep/x.txt'), path('x.txt'))
    files.copy(path('c.txt'), path('d.txt'))
    files.move(path('d.txt'), path('c.txt'))
    files.removeDirectory(path('empty'))
    files.setExecutable(path('a.txt'), true)
    files.setExecutable(path('x.txt'), true)
    await transaction.finish({ blocks: 1, failures: 0, subject: 'much', lines: [] })
    const after = root.tree()
    const { left } = await root.undo()
    expect(left).toEqual([])
    expect(root.tree()).toEqual(before)
    await root.redo()
    expect(root.tree()).toEqual(after)
    await root.undo()
    expect(root.tree()).toEqual(before)
  })

  it('takes back run after run, and redo repeats them until the next run', async () => {
    const root = makeRoot()
    for (const text of ['1\n', '2\n', '3\n']) await root.run({ 'a.txt': text })
    await root.undo()
    await root.undo()
    expect(root.text('a.txt')).toBe('1\n')
    await root.redo()
    expect(root.text('a.txt')).toBe('2\n')
    await root.run({ 'b.txt': 'other\n' })
    await expect(root.redo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    await root.undo()
    await root.undo()
    await root.undo()
    expect([root.text('a.txt'), root.text('b.txt')]).toEqual(['a\n', 'b\n'])
    await expect(root.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })

  it('stops where something was changed since, and changes nothing', async () => {
    const root = makeRoot()
    await root.run({ 'a.txt': 'run\n', 'b.txt': 'run\n' })
    root.put({ 'b.txt': 'mine\n' })
    const before = root.tree()
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK', message: expect.stringMatching(/: b\.txt$/), data: { paths: ['b.txt'] } })
    expect(root.tree()).toEqual(before)
    rmSync(join(root.directory, 'b.txt'))
    await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK' })
  })

  it('with force merges, and marks what both changed', async () => {
    const root = makeRoot()
    const lines = (changes: Record<number, string>) => Array.from({ length: 9 }, (__, i) => `${changes[i] ?? i}\n`).join('')
    root.put({ 'm.txt': lines({}) })
    await root.run({ 'm.txt': lines({ 0: 'run', 8: 'run' }) })
    root.put({ 'm.txt': lines({ 0: 'run', 4: 'mine', 8: 'run' }) })
    expect((await root.undo({ force: true })).merged).toEqual([{ path: 'm.txt', marked: false }])
    expect(root.text('m.txt')).toBe(lines({ 4: 'mine' }))
    await root.run({ 'm.txt': lines({ 0: 'again' }) })
    root.put({ 'm.txt': lines({ 0: 'mine' }) })
    expect((await root.undo({ force: true })).merged).toEqual([{ path: 'm.txt', marked: true }])
    expect(root.text('m.txt')).toMatch(/^<<<<<<< now\nmine\n[^]*>>>>>>> before the run\n/)
  })

  it('with force leaves away what was deleted since, and says so', async () => {
    const root = makeRoot()
    await root.run({ 'a.txt': 'new\n' })
    rmSync(join(root.directory, 'a.txt'))
    expect((await root.undo({ force: true })).kept).toEqual([{ path: 'a.txt', reason: 'deleted since: it stays away' }])
  })

  it('of an older run leaves later ones alone', async () => {
    const root = makeRoot()
    await root.run({ 'a.txt': 'first\n' }, { runId: 'run-000000-old' })
    await root.run({ 'b.txt': 'second\n' })
    await root.undo({ target: 'run-000000-old' })
    expect([root.text('a.txt'), root.text('b.txt')]).toEqual(['a\n', 'second\n'])
    await expect(root.undo({ target: 'nonsense' })).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
  })

  it('keeps what others put into a directory of the run', async () => {
    const root = makeRoot()
    await root.run({ 'made/x.txt': 'x\n' })
    root.put({ 'made/mine.txt': 'mine\n' })
    expect(await root.undo()).toMatchObject({ success: true, left: [], warnings: ['The directory made stays: it holds what the run did not put there'] })
    expect(root.text('made/mine.txt')).toBe('mine\n')
    expect(existsSync(join(root.directory, 'made/x.txt'))).toBe(false)
  })

  it('keeps what others put where the run had something only for a while, be it the same', async () => {
    for (const content of ['one\n', 'other\n']) {
      const root = makeRoot()
      await runThroughDetour(root)
      root.put({ 'way.txt': content })
      expect(await root.undo()).toMatchObject({ success: true, left: [], kept: [] })
      expect([root.text('way.txt'), existsSync(join(root.directory, 'end.txt')), root.text('a.txt')]).toEqual([content, false, 'a\n'])
      await root.redo()
      expect([root.text('way.txt'), root.text('end.txt')]).toEqual([content, 'one\n'])
    }
  })

  it('keeps what a run wrote again as it was before, where what it had moved away from there is gone', async () => {
    const root = makeRoot()
    await runWith(root, (transaction, move) => {
      move('b.txt', 'end.txt')
      root.change(transaction, 'b.txt', 'b\n')
      root.change(transaction, 'a.txt', 'changed\n')
    })
    rmSync(join(root.directory, 'end.txt'))
    expect(await root.undo()).toMatchObject({ success: true, left: [], kept: [] })
    expect([root.text('a.txt'), root.text('b.txt'), existsSync(join(root.directory, 'end.txt'))]).toEqual(['a\n', 'b\n', false])
  })

  it('puts back from the journal what was moved away, where that is gone', async () => {
    const root = makeRoot()
    await runWith(root, (_run, move) => {
      move('b.txt', 'end.txt')
      move('a.txt', 'b.txt')
    })
    rmSync(join(root.directory, 'end.txt'))
    expect(await root.undo()).toMatchObject({ success: true, left: [], kept: [] })
    expect([root.text('a.txt'), root.text('b.txt'), existsSync(join(root.directory, 'end.txt'))]).toEqual(['a\n', 'b\n', false])
  })

  it('does nothing where others have taken all back already', async () => {
    const root = makeRoot()
    await runThroughDetour(root)
    root.put({ 'a.txt': 'a\n' })
    rmSync(join(root.directory, 'end.txt'))
    expect(await root.undo()).toMatchObject({ success: true, left: [], restored: [] })
    expect([existsSync(join(root.directory, 'way.txt')), root.text('a.txt')]).toEqual([false, 'a\n'])
  })
})

/** A file is made, and gets to its place by way of another. */
async function runThroughDetour(root: Root): Promise<void> {
  await runWith(root, (transaction, move) => {
    root.change(transaction, 'a.txt', 'changed\n')
    root.change(transaction, 'way.txt', 'one\n')
    move('way.txt', 'end.txt')
  })
}

type Transaction = ReturnType<Root['transaction']>

async function runWith(root: Root, act: (transaction: Transaction, move: (from: string, to: string) => void) => void): Promise<void> {
  const transaction = root.transaction()
  await transaction.beforeBlock('write')
  act(transaction, (from, to) => transaction.files.move(root.gate.approve(from, 'remove'), root.gate.approve(to, 'write')))
  await transaction.finish({ blocks: 1, failures: 0, subject: 'changes', lines: [] })
}

it('says what it cannot take back of commands outside of git', async () => {
  const root = new Root()
  const transaction = root.transaction()
  await transaction.beforeBlock('exec')
  root.put({ 'x.txt': 'x' })
  await transaction.finish({ blocks: 1, failures: 0, subject: 'exec', lines: [] })
  expect((await root.undo()).warnings).toEqual([expect.stringMatching(/^Commands ran/)])
})

describe.each([['in a repository', () => Root.repository()], ['outside of git', () => {
  const root = new Root()
  root.put({ 'a.txt': 'a\n' })
  return root
}]] as const)('a command that was refused before it started, %s', (_, makeRoot) => {
  const summary = { blocks: 2, failures: 1, subject: 'write a.txt', lines: [] }

  it('is no reason to say that commands ran, nor to keep a run that changed nothing', async () => {
    const root = makeRoot()
    const transaction = root.transaction()
    await transaction.beforeBlock('dynamic')
    transaction.afterBlock('dynamic', true)
    await transaction.finish({ ...summary, blocks: 1 })
    expect(await listRuns(root.directory)).toEqual([])
    const other = root.transaction()
    await other.beforeBlock('write')
    root.change(other, 'a.txt', 'new\n')
    await other.beforeBlock('dynamic')
    other.afterBlock('dynamic', true)
    await other.finish(summary)
    const [listed] = await listRuns(root.directory)
    expect(listed).toMatchObject({ files: ['a.txt'], state: 'applied' })
    expect(listed).not.toHaveProperty('unknownFiles')
    expect(await root.undo()).toMatchObject({ success: true, warnings: [], restored: ['a.txt'] })
  })

  it('leaves one that ran after it as it is told', async () => {
    const root = makeRoot()
    const transaction = root.transaction()
    await transaction.beforeBlock('dynamic')
    transaction.afterBlock('dynamic', true)
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'by verb\n')
    await transaction.beforeBlock('dynamic')
    root.put({ 'x.txt': 'by command\n' })
    transaction.afterBlock('dynamic')
    await transaction.beforeBlock('dynamic')
    transaction.afterBlock('dynamic', true)
    await transaction.finish({ ...summary, blocks: 4 })
    const { warnings, restored } = await root.undo()
    expect(warnings).toEqual([expect.stringMatching(/^Commands ran/)])
    expect([restored.includes('a.txt'), root.text('a.txt')]).toEqual([true, 'a\n'])
  })

  it('counts where its process was noted', async () => {
    const root = makeRoot()
    const transaction = root.transaction()
    await transaction.beforeBlock('dynamic')
    transaction.noteProcess(1)
    transaction.afterBlock('dynamic', true)
    await transaction.finish(summary)
    expect((await root.undo()).warnings).toEqual([expect.stringMatching(/^Commands ran/)])
  })
})

it('passes the gate again', async () => {
  const root = Root.repository()
  await root.run({ 'sub/a.txt': 'x\n' })
  rmSync(join(root.directory, 'sub'), { recursive: true })
  symlinkSync('/tmp', join(root.directory, 'sub'))
  await expect(root.undo()).rejects.toMatchObject({ code: 'CHANGED_ON_DISK' })
  const { success, kept, restored } = await root.undo({ force: true })
  expect({ success, kept: kept.map(({ path }) => path), restored }).toEqual({ success: false, kept: ['sub'], restored: [] })
})
