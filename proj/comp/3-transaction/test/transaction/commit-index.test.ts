import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { addHook } from './support/add-hook.js'
import { Root } from './root.js'

const moved = async (root: Root, from: string, to: string, files: Record<string, string | null> = {}) => {
  const transaction = root.transaction()
  await transaction.beforeBlock('write')
  transaction.files.move(root.gate.approve(from, 'remove'), root.gate.approve(to, 'remove'))
  for (const [name, content] of Object.entries(files)) root.change(transaction, name, content)
  return transaction.finish({ blocks: 1, failures: 0, subject: 'move', lines: [] })
}

describe('after a commit that was refused', () => {
  const REFUSE_RUN = 'if git show :a.txt | grep -qx run; then exit 1; fi'

  it.each(['exit 1', REFUSE_RUN])('nothing is committed, and nothing staged: %s', async (script) => {
    const root = Root.repository()
    root.put({ 'a.txt': 'my work\n', 'new.txt': 'my new file\n' })
    addHook(root, 'pre-commit', script)
    const outcome = await root.run({ 'a.txt': 'run\n', 'new.txt': 'run\n' })
    expect(outcome.fatalError).toMatch(/not committed/)
    expect(root.subjects()).toEqual(['start'])
    expect(root.status()).toEqual([' M a.txt', '?? new.txt'])
    rmSync(join(root.directory, '.git/hooks/pre-commit'))
    root.put({ 'b.txt': 'b2\n' })
    root.git('commit', '--quiet', '-m', 'theirs', '-a')
    expect(root.changedIn()).toEqual(['a.txt', 'b.txt'])
  })

  it.each(['exit 1', REFUSE_RUN])('what was staged is as it was: %s', async (script) => {
    const root = Root.repository()
    root.put({ 'a.txt': 'my staged work\n', 'b.txt': 'staged\n' })
    root.git('add', 'a.txt', 'b.txt')
    root.put({ 'a.txt': 'my work\n' })
    addHook(root, 'pre-commit', script)
    await root.run({ 'a.txt': 'run\n' })
    expect(root.subjects()).toEqual(['start'])
    expect(root.status()).toEqual(['M  b.txt', 'MM a.txt'])
    expect(root.git('show', ':a.txt')).toBe('my staged work\n')
  })

  it('an unborn branch is unborn again', async () => {
    const root = new Root()
    root.git('init', '--quiet')
    root.put({ 'a.txt': 'my work\n' })
    addHook(root, 'pre-commit', REFUSE_RUN)
    expect((await root.run({ 'a.txt': 'run\n' })).fatalError).toMatch(/not committed/)
    expect(() => root.git('rev-parse', '--verify', '--quiet', 'HEAD')).toThrow(/rev-parse/)
    expect(root.status()).toEqual(['?? a.txt'])
  })
})

describe('a lock of the index', () => {
  const lockOf = (root: Root) => join(root.directory, '.git/index.lock')

  it('that stays is the reason why nothing is committed, and it stays', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'my work\n' })
    writeFileSync(lockOf(root), '')
    const outcome = await root.run({ 'a.txt': 'run\n' })
    expect(outcome.gitCommit).toBeUndefined()
    expect(outcome.fatalError).toMatch(/on disk but not committed: another git process holds .*index\.lock.*hermes undo/)
    expect(root.subjects()).toEqual(['start'])
    expect([root.text('a.txt'), existsSync(lockOf(root))]).toEqual(['run\n', true])
  })

  it('is waited for', async () => {
    const root = Root.repository()
    writeFileSync(lockOf(root), '')
    const [outcome] = await Promise.all([root.run({ 'a.txt': 'run\n' }), sleep(500).then(() => rmSync(lockOf(root)))])
    expect(outcome).toMatchObject({ gitCommit: root.git('rev-parse', 'HEAD').trim() })
    expect(root.status()).toEqual([])
  })

  it('is held while hooks run: a commit in between would be lost', async () => {
    const root = Root.repository()
    addHook(root, 'pre-commit', 'env -u GIT_INDEX_FILE git commit --quiet --no-verify --allow-empty -m between 2> said; true')
    const outcome = await root.run({ 'a.txt': 'run\n' })
    expect(outcome.gitCommit).toBeDefined()
    expect(root.text('said')).toMatch(/index\.lock/)
    expect(root.subjects()).toEqual(['AI: file_write a.txt', 'start'])
    expect(existsSync(lockOf(root))).toBe(false)
  })

  it('leaves nothing in the way of a merge that was begun meanwhile', async () => {
    const root = Root.repository()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'run\n')
    writeFileSync(join(root.directory, '.git/MERGE_HEAD'), root.git('rev-parse', 'HEAD'))
    const outcome = await transaction.finish({ blocks: 1, failures: 0, subject: 'x', lines: [] })
    expect(outcome.fatalError).toMatch(/not committed: a merge was begun/)
    expect(root.subjects()).toEqual(['start'])
  })
})

it('a commit whose index could not be refreshed is reported, with how to mend that', async () => {
  const root = Root.repository()
  root.put({ 'b.txt': 'staged\n' })
  root.git('add', 'b.txt')
  // The next index of the user is made beside it: here it cannot be.
  addHook(root, 'post-commit', 'mkdir -p .git/hermes-next-run-x/in-the-way')
  const outcome = await root.run({ 'a.txt': 'run\n' }, { runId: 'run-x' })
  expect(outcome.fatalError).toBeUndefined()
  expect(outcome.gitCommit).toBe(root.git('rev-parse', 'HEAD').trim())
  expect(outcome.warnings).toEqual([expect.stringMatching(/index could not be brought up to date.*git reset -q -- a\.txt/)])
  root.git('reset', '-q', '--', 'a.txt')
  expect(root.status()).toEqual(['M  b.txt'])
})

describe('what was staged', () => {
  it('and is neither in HEAD nor on disk is saved first', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'staged\n', 'new.txt': 'staged new\n' })
    root.git('add', 'a.txt', 'new.txt')
    root.put({ 'a.txt': 'on disk\n', 'new.txt': 'new on disk\n' })
    await root.run({ 'a.txt': 'run\n', 'new.txt': 'run\n' }, { runId: 'run-x' })
    const what = 'file_write a.txt, file_write new.txt'
    expect(root.subjects()).toEqual([`AI: ${what}`, `AI: before ${what}`, `AI: staged before ${what}`, 'start'])
    expect(['HEAD~2:a.txt', 'HEAD~2:new.txt', 'HEAD~1:a.txt', 'HEAD:a.txt'].map((name) => root.git('show', name)))
      .toEqual(['staged\n', 'staged new\n', 'on disk\n', 'run\n'])
    expect(root.status()).toEqual([])
  })

  it('is saved also where the file on disk is as in HEAD', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'staged\n' })
    root.git('add', 'a.txt')
    root.put({ 'a.txt': 'a\n' })
    await root.run({ 'a.txt': 'run\n' })
    expect(root.subjects()).toEqual(['AI: file_write a.txt', 'AI: staged before file_write a.txt', 'start'])
    expect(root.git('show', 'HEAD~1:a.txt')).toBe('staged\n')
  })

  it('in another form than on disk stays where the run does not touch it', async () => {
    const root = Root.repository()
    root.put({ 'b.txt': 'staged\n' })
    root.git('add', 'b.txt')
    root.put({ 'b.txt': 'on disk\n' })
    await root.run({ 'a.txt': 'run\n' })
    expect(root.subjects()).toEqual(['AI: file_write a.txt', 'start'])
    expect([root.git('show', ':b.txt'), root.status()]).toEqual(['staged\n', ['MM b.txt']])
  })

  it('is not taken for a file that is only announced (intent to add)', async () => {
    const root = Root.repository()
    root.put({ 'new.txt': 'mine\n', 'other.txt': 'other\n' })
    root.git('add', '--intent-to-add', 'new.txt', 'other.txt')
    await root.run({ 'new.txt': 'run\n' })
    expect(root.subjects()).toEqual(['AI: file_write new.txt', 'AI: before file_write new.txt', 'start'])
    expect(root.status()).toEqual([' A other.txt'])
  })

  it('and unmerged, beside the run or in it, hinders nothing', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'stash\n', 'b.txt': 'stash\n' })
    root.git('stash', '--quiet')
    root.put({ 'a.txt': 'other\n', 'b.txt': 'other\n' })
    root.git('commit', '--quiet', '-am', 'other')
    expect(() => root.git('stash', 'pop')).toThrow(/CONFLICT|conflict|stash/)
    await root.run({ 'a.txt': 'run\n' })
    expect(root.subjects()).toEqual(['AI: file_write a.txt', 'AI: before file_write a.txt', 'other', 'start'])
    expect(root.git('show', 'HEAD~1:a.txt')).toMatch(/^<{7}/)
    expect(root.status()).toEqual(['UU b.txt'])
  })
})

describe('a directory that is moved', () => {
  it('takes its unfinished work along, which is committed under the old names first', async () => {
    const root = Root.repository({ 'd/a.txt': 'a\n', 'd/e/b.txt': 'b\n', 'd/gone.txt': 'gone\n', '.gitignore': '*.log\n' })
    root.put({ 'd/a.txt': 'changed\n', 'd/x.log': 'ignored\n', 'd/new.txt': 'untracked\n', 'd/staged.txt': 'staged\n' })
    rmSync(join(root.directory, 'd/gone.txt'))
    root.git('add', 'd/staged.txt')
    await moved(root, 'd', 'moved')
    expect(root.subjects()).toEqual(['AI: move', 'AI: before move', 'start'])
    expect(root.git('show', '--format=', '--name-status', '--no-renames', 'HEAD~1').trim().split('\n'))
      .toEqual(['M\td/a.txt', 'D\td/gone.txt', 'A\td/new.txt', 'A\td/staged.txt'])
    expect(root.git('show', '--format=', '--name-status', 'HEAD').trim().split('\n').sort()).toEqual([
      'R100\td/a.txt\tmoved/a.txt', 'R100\td/e/b.txt\tmoved/e/b.txt', 'R100\td/new.txt\tmoved/new.txt',
      'R100\td/staged.txt\tmoved/staged.txt',
    ])
    expect(root.status()).toEqual([])
  })

  it('and written in afterwards has what was in it before under the old names', async () => {
    const root = Root.repository({ 'd/a.txt': 'a\n', 'd/b.txt': 'b\n', 'd/c.txt': 'c\n' })
    root.put({ 'd/a.txt': 'mine\n' })
    await moved(root, 'd', 'moved', { 'moved/a.txt': 'run\n', 'moved/b.txt': null, 'moved/new.txt': 'run\n' })
    expect(root.subjects()).toEqual(['AI: move', 'AI: before move', 'start'])
    expect(root.git('show', '--format=', '--name-status', '--no-renames', 'HEAD~1').trim()).toBe('M\td/a.txt')
    expect(root.git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual(['moved/a.txt', 'moved/c.txt', 'moved/new.txt'])
    expect(root.status()).toEqual([])
    await root.undo()
    expect(Object.keys(root.tree())).toEqual(['d', 'd/a.txt', 'd/b.txt', 'd/c.txt'])
    expect(root.text('d/a.txt')).toBe('mine\n')
    expect(root.status()).toEqual([])
  })

  it('back by an undo leaves out what someone else changed in it since', async () => {
    const root = Root.repository({ 'd/a.txt': 'a\n', 'd/b.txt': 'b\n' })
    await moved(root, 'd', 'moved')
    root.put({ 'moved/a.txt': 'theirs\n' })
    const { warnings } = await root.undo()
    expect(root.tree()).toMatchObject({ 'd/a.txt': '644 theirs\n', 'd/b.txt': '644 b\n' })
    expect(root.git('show', '--format=', '--name-status').trim()).toBe('R100\tmoved/b.txt\td/b.txt')
    expect(root.status()).toEqual([' D moved/a.txt', '?? d/a.txt'])
    expect(warnings).toEqual([expect.stringMatching(/^Not committed.*d\/a\.txt/)])
  })

  it('twice keeps the first names', async () => {
    const root = Root.repository({ 'd/a.txt': 'a\n' })
    root.put({ 'd/a.txt': 'mine\n', 'd/new.txt': 'new\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    for (const [from, to] of [['d', 'e'], ['e', 'f']] as const) {
      transaction.files.move(root.gate.approve(from, 'remove'), root.gate.approve(to, 'remove'))
    }
    await transaction.finish({ blocks: 2, failures: 0, subject: 'move', lines: [] })
    expect(root.changedIn('HEAD~1')).toEqual(['d/a.txt', 'd/new.txt'])
    expect(root.git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual(['f/a.txt', 'f/new.txt'])
    expect(root.status()).toEqual([])
  })
})

describe('a file in the place of a directory', () => {
  it.each([
    ['is committed', (path: string) => writeFileSync(path, 'file\n')],
    ['may be a link', (path: string) => symlinkSync('c.txt', path)],
  ])('%s, and so is what takes its place again', async (_, make) => {
    const root = Root.repository({ 'c.txt': 'c\n', 'd/a.txt': 'a\n', 'd/b.txt': 'b\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('exec')
    rmSync(join(root.directory, 'd'), { recursive: true })
    make(join(root.directory, 'd'))
    transaction.afterBlock('exec')
    expect((await transaction.finish({ blocks: 1, failures: 0, subject: 'x', lines: [] })).fatalError).toBeUndefined()
    expect(root.changedIn()).toEqual(['d', 'd/a.txt', 'd/b.txt'])
    expect(root.status()).toEqual([])
    await root.undo()
    expect(root.tree()).toMatchObject({ 'd/a.txt': '644 a\n', 'd/b.txt': '644 b\n' })
    expect(root.changedIn()).toEqual(['d', 'd/a.txt', 'd/b.txt'])
    expect(root.status()).toEqual([])
  })

  it('or the other way round by verbs is committed', async () => {
    const root = Root.repository({ d: 'file\n' })
    const outcome = await root.run({ d: null, 'd/a.txt': 'a\n' })
    expect(outcome.fatalError).toBeUndefined()
    expect(root.changedIn()).toEqual(['d', 'd/a.txt'])
    const back = await root.run({ 'd/a.txt': null })
    expect(back.fatalError).toBeUndefined()
    expect(root.status()).toEqual([])
  })
})
