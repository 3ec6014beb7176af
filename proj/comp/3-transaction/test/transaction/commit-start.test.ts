import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunTransaction } from '../../src/transaction/index.js'
import { addHook } from './support/add-hook.js'
import { Root } from './root.js'

const SUMMARY = { blocks: 2, failures: 0, subject: 'x', lines: [] }

type Step = Record<string, string | null> | (() => void)

/** A run of writes and of what a command does, in turn. */
async function run(root: Root, ...steps: Step[]) {
  const transaction = root.transaction()
  for (const step of steps) await take(root, transaction, step)
  return transaction.finish(SUMMARY)
}

async function take(root: Root, transaction: RunTransaction, step: Step): Promise<void> {
  const type = typeof step === 'function' ? 'exec' : 'write'
  await transaction.beforeBlock(type)
  if (typeof step === 'function') step()
  else for (const [name, content] of Object.entries(step)) root.change(transaction, name, content)
  transaction.afterBlock(type)
}

describe('the commit of what was there before a run', () => {
  it('does not hold what a command wrote before a verb', async () => {
    const root = Root.repository()
    root.put({ 'b.txt': 'my work\n', 'mine.txt': 'my file\n' })
    await run(root, () => root.put({ 'a.txt': 'BAD\n', 'b.txt': 'BAD\n', 'mine.txt': 'BAD\n', 'n.txt': 'BAD\n' }), {
      'a.txt': 'good\n', 'b.txt': 'good\n', 'mine.txt': 'good\n', 'n.txt': 'good\n',
    })
    expect(root.subjects()).toEqual(['AI: x', 'AI: before x', 'start'])
    expect(root.changedIn('HEAD~1')).toEqual(['b.txt', 'mine.txt'])
    expect([root.git('show', 'HEAD~1:b.txt'), root.git('show', 'HEAD~1:mine.txt')]).toEqual(['my work\n', 'my file\n'])
    expect(root.changedIn()).toEqual(['a.txt', 'b.txt', 'mine.txt', 'n.txt'])
    expect(root.status()).toEqual([])
  })

  it('holds what a command removed, and a verb made again', async () => {
    const root = Root.repository()
    root.put({ 'mine.txt': 'my file\n' })
    await run(root, () => rmSync(join(root.directory, 'mine.txt')), { 'mine.txt': 'new\n' })
    expect(root.subjects()).toEqual(['AI: x', 'AI: before x', 'start'])
    expect(root.git('show', 'HEAD~1:mine.txt')).toBe('my file\n')
  })

  it('holds nothing that the run staged', async () => {
    const root = Root.repository()
    const { gitCommit } = await run(root, { 'n.txt': 'new\n' }, () => root.git('add', 'n.txt'))
    expect(root.subjects()).toEqual(['AI: x', 'start'])
    expect(gitCommit).toBe(root.git('rev-parse', 'HEAD').trim())
    expect(root.status()).toEqual([])
  })

  it('holds what was staged before a command staged something else', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'staged\n' })
    root.git('add', 'a.txt')
    root.put({ 'a.txt': 'a\n' })
    await run(root, { 'a.txt': 'new\n' }, () => root.git('add', 'a.txt'))
    expect(root.subjects()).toEqual(['AI: x', 'AI: staged before x', 'start'])
    expect(root.git('show', 'HEAD~1:a.txt')).toBe('staged\n')
  })

  it('does not revert what a command of the run committed', async () => {
    const commitAll = (root: Root) => () => {
      root.git('add', '--all')
      root.git('commit', '--quiet', '-m', 'by a command')
    }
    const clean = Root.repository()
    const change = (): void => clean.put({ 'a.txt': 'model\n', 'n.txt': 'model\n' })
    await run(clean, change, commitAll(clean), { 'a.txt': 'model\nmore\n', 'n.txt': 'more\n' })
    expect(clean.subjects()).toEqual(['AI: x', 'by a command', 'start'])

    const early = Root.repository()
    await run(early, { 'a.txt': 'model\n' }, commitAll(early), { 'a.txt': 'model\nmore\n' })
    expect(early.subjects()).toEqual(['AI: x', 'by a command', 'start'])

    const dirty = Root.repository()
    dirty.put({ 'a.txt': 'my work\n', 'b.txt': 'my work\n' })
    const commitOne = (): void => void dirty.git('commit', '--quiet', '-m', 'by a command', '--', 'a.txt')
    await run(dirty, commitOne, { 'a.txt': 'more\n', 'b.txt': 'more\n' })
    expect(dirty.subjects()).toEqual(['AI: x', 'AI: before x', 'by a command', 'start'])
    expect(dirty.changedIn('HEAD~1')).toEqual(['b.txt'])
  })

  it('is refused by a hook like any other: then nothing is committed, and the work stays', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'SECRET\n', 'b.txt': 'staged\n' })
    root.git('add', 'b.txt')
    root.put({ 'b.txt': 'b\n' })
    addHook(root, 'pre-commit', 'if git grep --cached -q SECRET; then echo "no secrets" >&2; exit 1; fi')
    const before = root.status()
    const { fatalError, gitCommit } = await root.run({ 'a.txt': 'new\n', 'b.txt': 'new\n' })
    expect(gitCommit).toBeUndefined()
    expect(fatalError).toMatch(/not committed.*before.*no secrets/)
    expect(root.subjects()).toEqual(['start'])
    expect(root.status()).toEqual(before)
    expect([root.git('show', ':b.txt'), root.text('a.txt')]).toEqual(['staged\n', 'new\n'])
    await root.undo({ git: false })
    expect(root.text('a.txt')).toBe('SECRET\n')
  })
})

describe('a file that was ignored before a run', () => {
  const make = (): Root => {
    const root = Root.repository({ '.gitignore': '.env\n/d/*.key\n', 'd/x': 'x\n' })
    root.put({ '.env': 'TOKEN=1\n', 'd/my.key': 'KEY\n' })
    return root
  }

  it('is not committed where the run itself ceases to ignore it', async () => {
    const root = make()
    await run(root, { '.gitignore': 'node_modules/\n', '.env': 'TOKEN=1\nDEBUG=1\n', 'made.txt': 'made\n' })
    expect(root.changedIn()).toEqual(['.gitignore', 'made.txt'])
    expect(root.subjects()).toEqual(['AI: x', 'start'])
    await root.undo()
    expect([root.text('.env'), root.status()]).toEqual(['TOKEN=1\n', []])
  })

  it('is not committed where a command does', async () => {
    for (const text of ['.env\n!.env\n', '\n']) {
      const root = make()
      await run(root, () => root.put({ '.gitignore': text }), { '.env': 'TOKEN=1\nDEBUG=1\n' })
      expect(root.changedIn()).toEqual(['.gitignore'])
    }
    const staged = make()
    await run(staged, () => staged.git('add', '--force', '.env'), { '.env': 'more\n', 'made.txt': 'made\n' })
    expect(staged.changedIn()).toEqual(['made.txt'])
  })

  it('is not committed where the rules are removed, moved, or left behind by a move', async () => {
    const removed = make()
    await run(removed, { '.gitignore': null, '.env': 'more\n' })
    expect(removed.changedIn()).toEqual(['.gitignore'])

    const moved = make()
    const transaction = moved.transaction()
    await transaction.beforeBlock('write')
    transaction.files.move(moved.gate.approve('d', 'remove'), moved.gate.approve('e', 'write'))
    await transaction.finish(SUMMARY)
    expect(moved.changedIn()).toEqual(['e/x'])
    expect(moved.text('e/my.key')).toBe('KEY\n')
  })

  it('is not committed under another name', async () => {
    const root = make()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    transaction.files.move(root.gate.approve('.env', 'remove'), root.gate.approve('env.txt', 'write'))
    const { gitCommit, warnings } = await transaction.finish(SUMMARY)
    expect([gitCommit, root.subjects()]).toEqual([undefined, ['start']])
    expect(warnings).toEqual([expect.stringMatching(/ignored before the run.*: env\.txt$/)])
  })

  it('is committed where the user has git track it', async () => {
    const root = make()
    root.git('add', '--force', '.env')
    await run(root, { '.gitignore': '\n', '.env': 'more\n' })
    expect(root.changedIn()).toEqual(['.env', '.gitignore'])
  })
})

describe('hooks that a run planted', () => {
  const plant = (root: Root) => (): void => {
    root.put({ 'a.txt': 'run\n' })
    addHook(root, 'pre-commit', 'touch planted')
  }

  it('are run by neither its undo nor its redo, which say so', async () => {
    const root = Root.repository()
    const { warnings } = await run(root, plant(root))
    expect(warnings).toEqual([expect.stringMatching(/no hook was run.*they stay/)])
    const undone = await root.undo()
    expect([undone.success, root.tree()['planted'], root.text('a.txt')]).toEqual([true, undefined, 'a\n'])
    expect(undone.warnings).toContainEqual(expect.stringMatching(/Hooks.*still there/))
    await root.redo()
    expect(root.tree()['planted']).toBeUndefined()
    await root.run({ 'b.txt': 'later\n' })
    await root.undo()
    expect(root.tree()['planted']).toBeDefined()
  })

  it('are run again once they are as they were', async () => {
    const root = Root.repository()
    addHook(root, 'pre-commit', 'touch mine')
    await run(root, plant(root))
    addHook(root, 'pre-commit', 'touch mine')
    await root.undo()
    expect(Object.keys(root.tree())).toContain('mine')
  })
})

it('an undo that a hook refuses is not to be undone', async () => {
  const root = Root.repository()
  await root.run({ 'a.txt': 'new\n' })
  addHook(root, 'pre-commit', 'echo no >&2; exit 1')
  const undone = await root.undo()
  expect(undone.fatalError).toMatch(/hermes redo/)
  expect(undone.fatalError).not.toMatch(/hermes undo/)
  expect((await root.redo()).success).toBe(true)
  expect([root.text('a.txt'), root.status()]).toEqual(['new\n', []])
})

describe('a command that removes .hermes', () => {
  const clean = (root: Root) => (): void => {
    writeFileSync(join(root.directory, 'ok'), 'ok\n')
    root.git('clean', '-fdxq', '--exclude=ok')
  }

  it('costs the run neither its commit nor its undo', async () => {
    const root = Root.repository()
    await root.run({ 'c.txt': 'first\n' })
    root.put({ 'mine.txt': 'untracked\n' })
    const before = root.tree()
    const { fatalError, gitCommit, warnings } = await run(root, { 'a.txt': 'verb\n' }, clean(root), { 'b.txt': 'verb\n' })
    expect(fatalError).toBeUndefined()
    expect(gitCommit).toBeDefined()
    expect(warnings).toContainEqual(expect.stringMatching(/\.hermes.*earlier runs/))
    expect(root.changedIn()).toEqual(['a.txt', 'b.txt', 'ok'])
    expect((await root.undo()).success).toBe(true)
    expect(root.tree()).toEqual(before)
  })

  it('is rolled back, too', async () => {
    const root = Root.repository()
    root.put({ 'mine.txt': 'untracked\n' })
    const before = root.tree()
    const transaction = root.transaction({ atomic: true })
    for (const step of [{ 'a.txt': 'verb\n' }, clean(root)]) await take(root, transaction, step)
    expect((await transaction.rollBack(SUMMARY, root.gate)).left).toEqual([])
    expect(root.tree()).toEqual(before)
  })
})

it('what a command changed is committed also where a verb came after it and changed nothing on the whole', async () => {
  const root = Root.repository()
  await run(root, () => root.put({ 'a.txt': 'by a command\n' }), { 'a.txt': 'verb\n' }, { 'a.txt': 'by a command\n' })
  expect(root.git('show', 'HEAD:a.txt')).toBe('by a command\n')
  expect(root.subjects()).toEqual(['AI: x', 'start'])
})
