import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Root } from './root.js'
import { listRuns } from '../../src/transaction/index.js'

/** `a.txt` and `only-o` differ on the branch `o`. */
function withBranch(): Root {
  const root = Root.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  root.git('switch', '--quiet', '--create', 'o')
  root.put({ 'a.txt': 'a\n+o\n', 'only-o': 'o\n' })
  root.git('add', '--all')
  root.git('commit', '--quiet', '-m', 'on o')
  root.git('switch', '--quiet', 'main')
  return root
}

async function stateOf(root: Root): Promise<string[]> {
  return (await listRuns(root.directory)).filter(({ kind }) => kind === 'run').map(({ state }) => state)
}

describe('a run whose command goes to another branch', () => {
  it('is taken back there without what the branch had', async () => {
    const root = withBranch()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'new', 'new\n')
    await transaction.beforeBlock('exec')
    execSync('git switch -q o; echo command >> only-o', { cwd: root.directory })
    transaction.afterBlock('exec')
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'a\n+o\nV\n')
    expect((await transaction.finish({ blocks: 3, failures: 0, subject: 'many', lines: [] })).fatalError).toBeUndefined()
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect([root.text('a.txt'), root.text('only-o'), existsSync(join(root.directory, 'new'))]).toEqual(['a\n+o\n', 'o\n', false])
    expect(root.status()).toEqual([])
    expect(root.git('diff', '--stat', 'HEAD', 'HEAD~2')).toBe('')
  })

  it('is taken back there also where a command put back what a verb wrote', async () => {
    const root = withBranch()
    const transaction = root.transaction()
    await transaction.beforeBlock('exec')
    execSync('git switch -q o', { cwd: root.directory })
    transaction.afterBlock('exec')
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'V\n')
    root.change(transaction, 'made', 'made\n')
    await transaction.beforeBlock('exec')
    execSync('git checkout -q a.txt', { cwd: root.directory })
    await transaction.finish({ blocks: 3, failures: 0, subject: 'many', lines: [] })
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(root.text('a.txt')).toBe('a\n+o\n')
    expect(root.status()).toEqual([])
  })
})

describe('a run that is not in what is checked out', () => {
  it('is not taken back, and is still in force on its branch', async () => {
    const root = withBranch()
    root.git('switch', '--quiet', '--create', 'feature')
    await root.run({ 'b.txt': 'by the run\n', 'new': 'new\n' })
    root.git('switch', '--quiet', 'main')
    await expect(root.undo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO', message: expect.stringMatching(/not in what is checked out/) })
    expect(await stateOf(root)).toEqual(['applied'])
    root.git('switch', '--quiet', 'feature')
    expect(await root.undo()).toMatchObject({ success: true, restored: expect.arrayContaining(['b.txt', 'new']) })
  })

  it('is not repeated where the undo is gone from the history', async () => {
    const root = withBranch()
    await root.run({ 'b.txt': 'by the run\n' })
    await root.undo()
    root.git('reset', '--quiet', '--hard', 'HEAD~1')
    await expect(root.redo()).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await stateOf(root)).toEqual(['undone'])
  })

  it('is taken back where the history has it, but the files are as before already', async () => {
    const root = withBranch()
    await root.run({ 'b.txt': 'by the run\n' })
    root.git('revert', '--no-edit', 'HEAD')
    expect(await root.undo()).toMatchObject({ success: true, restored: [] })
    expect(await stateOf(root)).toEqual(['undone'])
  })
})

it('a run whose commit was rewritten since is in what is checked out', async () => {
  const root = withBranch()
  await root.run({ 'b.txt': 'by the run\n' })
  root.git('commit', '--quiet', '--amend', '--no-edit', '--author=x <x@example.org>')
  root.git('revert', '--no-edit', 'HEAD')
  expect(await root.undo()).toMatchObject({ success: true, restored: [] })
  expect(await stateOf(root)).toEqual(['undone'])
})

describe('a forced undo that keeps everything', () => {
  it('leaves the run in force', async () => {
    const root = withBranch()
    await root.run({ 'binary': '\0run' })
    root.put({ 'binary': '\0user' })
    expect(await root.undo({ force: true })).toMatchObject({ success: false, restored: [], kept: [{ path: 'binary' }] })
    expect(await stateOf(root)).toEqual(['applied'])
    root.put({ 'binary': '\0run' })
    expect(await root.undo()).toMatchObject({ success: true, restored: ['binary'] })
  })
})

describe('the list of runs', () => {
  it('still tells that a run was taken back when another came after', async () => {
    const root = withBranch()
    await root.run({ 'one': '1\n' })
    await root.undo()
    await root.run({ 'two': '2\n' })
    expect(await stateOf(root)).toEqual(['applied', 'undone'])
  })
})

describe('a run to be taken back', () => {
  it('may be named by what only its id begins with', async () => {
    const root = withBranch()
    await root.run({ 'one': '1\n' }, { runId: '2026-01-aaaa' })
    await root.run({ 'two': '2\n' }, { runId: '2026-01-abbb' })
    await expect(root.undo({ target: '2026-01-a' })).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('2026-01-abbb, 2026-01-aaaa') })
    await expect(root.undo({ target: '2027' })).rejects.toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect(await root.undo({ target: '2026-01-aa' })).toMatchObject({ target: '2026-01-aaaa', restored: ['one'] })
  })
})
