import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Root } from './root.js'

describe('the commit of a run', () => {
  it('holds the touched paths only, and leaves what is staged or changed beside them', async () => {
    const root = Root.repository()
    root.put({ 'b.txt': 'staged\n', 'c.txt': 'changed\n', 'd.txt': 'untracked\n' })
    root.git('add', 'b.txt')
    const { gitCommit } = await root.run({ 'a.txt': 'new\n', 'x/y.txt': 'made\n' })
    expect(gitCommit).toBe(root.git('rev-parse', 'HEAD').trim())
    expect(root.changedIn()).toEqual(['a.txt', 'x/y.txt'])
    expect(root.status()).toEqual([' M c.txt', '?? d.txt', 'M  b.txt'])
  })

  it('has a subject with what was done, a line a block, and the id of the run', async () => {
    const root = Root.repository()
    await root.run({ 'a.txt': 'new\n' }, { runId: 'run-x' })
    expect(root.git('log', '-1', '--format=%B').trim()).toBe('AI: file_write a.txt\n\nok     file_write a.txt [b1]\n\nHermes-Run: run-x')
    expect(root.git('log', '-1', '--format=%(trailers:key=Hermes-Run,valueonly)').trim()).toBe('run-x')
  })

  it('comes after one with what was not committed of the same paths', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'my work\n', 'b.txt': 'other work\n', 'new.txt': 'untracked\n' })
    await root.run({ 'a.txt': 'run\n', 'new.txt': 'run\n' })
    expect(root.subjects()).toEqual([
      'AI: file_write a.txt, file_write new.txt', 'AI: before file_write a.txt, file_write new.txt', 'start',
    ])
    expect(root.git('show', 'HEAD~1:a.txt')).toBe('my work\n')
    expect(root.git('show', 'HEAD~1:new.txt')).toBe('untracked\n')
    expect(root.changedIn('HEAD~1')).toEqual(['a.txt', 'new.txt'])
    expect(root.status()).toEqual([' M b.txt'])
  })

  it('keeps a deletion that was not committed in the commit before', async () => {
    const root = Root.repository()
    root.git('rm', '--quiet', '--cached', 'a.txt')
    await root.run({ 'a.txt': 'again\n' })
    expect(root.subjects()).toHaveLength(2)
    expect(root.status()).toEqual([])
  })

  it('is not made where nothing has changed', async () => {
    const root = Root.repository()
    expect((await root.run({ 'a.txt': 'a\n' })).gitCommit).toBeUndefined()
    expect(root.subjects()).toEqual(['start'])
  })

  it('leaves ignored files out', async () => {
    const root = Root.repository({ '.gitignore': 'build/\n' })
    const outcome = await root.run({ 'build/x.js': 'x', 'y.js': 'y' })
    expect(outcome.fatalError).toBeUndefined()
    expect(root.changedIn()).toEqual(['y.js'])
    expect((await root.run({ 'build/x.js': 'z' })).gitCommit).toBeUndefined()
  })

  it('works on a detached HEAD, an unborn branch and in a linked work tree', async () => {
    const detached = Root.repository()
    detached.git('checkout', '--quiet', '--detach')
    await detached.run({ 'a.txt': 'new\n' })
    expect(detached.subjects()[0]).toBe('AI: file_write a.txt')
    expect(detached.git('rev-parse', 'main')).not.toBe(detached.git('rev-parse', 'HEAD'))

    const unborn = new Root()
    unborn.git('init', '--quiet')
    unborn.put({ 'mine.txt': 'mine\n' })
    await unborn.run({ 'a.txt': 'first\n', 'mine.txt': 'changed\n' })
    expect(unborn.subjects()).toEqual(['AI: file_write a.txt, file_write mine.txt', 'AI: before file_write a.txt, file_write mine.txt'])

    const main = Root.repository()
    const linked = new Root()
    main.git('worktree', 'add', '--quiet', '-b', 'side', join(linked.directory, 'tree'))
    const inside = new Root()
    Object.assign(inside, { directory: join(linked.directory, 'tree') })
    const { createPathGate } = await import('../../../2-files/src/policy/index.js')
    Object.assign(inside, { gate: createPathGate({ root: inside.directory }) })
    await inside.run({ 'a.txt': 'side\n' })
    expect(inside.subjects()).toEqual(['AI: file_write a.txt', 'start'])
    expect(main.subjects()).toEqual(['start'])
  })

  it('is refused while a merge or a rebase is in progress', async () => {
    const root = Root.repository()
    root.git('checkout', '--quiet', '-b', 'side')
    root.put({ 'a.txt': 'side\n' })
    root.git('commit', '--quiet', '-am', 'side')
    root.git('checkout', '--quiet', 'main')
    root.put({ 'a.txt': 'main\n' })
    root.git('commit', '--quiet', '-am', 'main')
    expect(() => root.git('merge', 'side')).toThrow(/merge/)
    await expect(root.run({ 'b.txt': 'x\n' })).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS', message: /^A merge is in progress/ })
    expect(root.text('b.txt')).toBe('b\n')
    root.git('merge', '--abort')
    expect(() => root.git('rebase', 'side')).toThrow(/rebase/)
    await expect(root.run({ 'b.txt': 'x\n' })).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  })

  it('leaves files of a submodule and of nested repositories to them', async () => {
    const root = Root.repository()
    mkdirSync(join(root.directory, 'nested'))
    root.git('init', '--quiet', 'nested')
    const { warnings } = await root.run({ 'nested/x.txt': 'x\n', 'a.txt': 'new\n' })
    expect(warnings).toEqual(['Not committed, since it is in a repository of its own: nested/x.txt'])
    expect(root.changedIn()).toEqual(['a.txt'])
    expect(root.text('nested/x.txt')).toBe('x\n')
  })

  it('takes any name', async () => {
    const root = Root.repository()
    const names = ['line\nbreak.txt', 'quo"te\\.txt', '-dash.txt', ' lead', 'ünï/漢字.txt', '*.txt', ':(top)x', '[a].txt']
    await root.run(Object.fromEntries(names.map((name) => [name, 'x\n'])))
    expect(root.changedIn()).toEqual([...names].sort())
    expect(root.status()).toEqual([])
  })

  it('keeps line ends and modes as the attributes and the disk have them', async () => {
    const root = Root.repository({ '.gitattributes': '*.txt text eol=crlf\n', 'a.txt': 'one\r\n', 'run.sh': 'echo\n' })
    chmodSync(join(root.directory, 'run.sh'), 0o755)
    root.git('commit', '--quiet', '-am', 'executable')
    await root.run({ 'a.txt': 'two\r\n', 'run.sh': 'echo 2\n' })
    expect(root.git('cat-file', 'blob', 'HEAD:a.txt')).toBe('two\n')
    expect(root.git('ls-tree', 'HEAD', 'run.sh')).toMatch(/^100755/)
    expect(root.subjects()).toEqual(['AI: file_write a.txt, file_write run.sh', 'executable', 'start'])
    expect(root.status()).toEqual([])
  })

  it('commits a change of who may execute a file', async () => {
    const root = Root.repository({ 'run.sh': 'echo\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    const path = root.gate.approve('run.sh', 'write')
    expect(transaction.files.setExecutable(path, true)).toBe(true)
    expect(transaction.files.setExecutable(path, true)).toBe(false)
    await transaction.finish({ blocks: 1, failures: 0, subject: 'mode', lines: [] })
    expect(root.git('ls-tree', 'HEAD', 'run.sh')).toMatch(/^100755/)
    expect(root.status()).toEqual([])
    await root.undo()
    expect(root.git('ls-tree', 'HEAD', 'run.sh')).toMatch(/^100644/)
    expect(root.status()).toEqual([])
  })

  it('follows moved files and directories, unfinished work in them included', async () => {
    const root = Root.repository({ 'd/a.txt': 'a\n', 'd/e/b.txt': 'b\n', 'f.txt': 'f\n', '.gitignore': '*.log\n' })
    root.put({ 'd/a.txt': 'changed\n', 'd/x.log': 'ignored\n', 'd/new.txt': 'untracked\n', 'f.txt': 'changed\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    transaction.files.move(root.gate.approve('d', 'remove'), root.gate.approve('moved', 'remove'))
    transaction.files.move(root.gate.approve('f.txt', 'remove'), root.gate.approve('g.txt', 'remove'))
    await transaction.finish({ blocks: 1, failures: 0, subject: 'move', lines: [] })
    expect(root.git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual([
      '.gitignore', 'g.txt', 'moved/a.txt', 'moved/e/b.txt', 'moved/new.txt',
    ])
    expect(root.git('show', 'HEAD~1:f.txt')).toBe('changed\n')
    expect(root.status()).toEqual([])
    await root.undo()
    expect(root.tree()['d/x.log']).toBe('644 ignored\n')
    expect(root.status()).toEqual([])
  })

  it('works in a sparse checkout', async () => {
    const root = Root.repository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' })
    root.git('sparse-checkout', 'set', 'in')
    await root.run({ 'in/a.txt': 'new\n', 'out/new.txt': 'new\n' })
    expect(root.changedIn()).toEqual(['in/a.txt', 'out/new.txt'])
    expect(root.git('show', 'HEAD:out/b.txt')).toBe('b\n')
  })

  it('removes and replaces links', async () => {
    const root = Root.repository()
    symlinkSync('a.txt', join(root.directory, 'link'))
    root.git('add', 'link')
    root.git('commit', '--quiet', '-m', 'link')
    await root.run({ link: null })
    expect(root.changedIn()).toEqual(['link'])
    expect(root.text('a.txt')).toBe('a\n')
    await root.undo()
    expect(root.tree()['link']).toBe('link a.txt')
    expect(root.status()).toEqual([])
  })
})

describe('hooks', () => {
  const hook = (root: Root, name: string, script: string, directory = '.git/hooks') => {
    mkdirSync(join(root.directory, directory), { recursive: true })
    writeFileSync(join(root.directory, directory, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(root.directory, directory, name), 0o755)
  }

  it('run, and see the commit as it will be', async () => {
    const root = Root.repository()
    hook(root, 'pre-commit', 'git diff --cached --name-only > seen')
    root.put({ 'b.txt': 'staged\n' })
    root.git('add', 'b.txt')
    await root.run({ 'a.txt': 'new\n' })
    expect(root.text('seen')).toBe('a.txt\n')
  })

  it('that refuse leave the files, and the run says so', async () => {
    const root = Root.repository()
    hook(root, 'pre-commit', 'echo "no tabs please" >&2; exit 1')
    const outcome = await root.run({ 'a.txt': 'new\n' })
    expect(outcome.gitCommit).toBeUndefined()
    expect(outcome.fatalError).toMatch(/not committed: no tabs please/)
    expect(root.text('a.txt')).toBe('new\n')
    expect(root.status()).toEqual([' M a.txt'])
    expect((await root.undo({ git: false })).restored).toEqual(['a.txt'])
  })

  it('that the run itself changed are not run, and the run says so', async () => {
    const root = Root.repository()
    root.git('config', 'core.hooksPath', '.husky')
    hook(root, 'pre-commit', 'exit 0', '.husky')
    root.git('add', '--all')
    root.git('commit', '--quiet', '-m', 'hooks')
    const outcome = await root.run({ '.husky/pre-commit': '#!/bin/sh\ntouch planted\n' })
    expect(existsSync(join(root.directory, 'planted'))).toBe(false)
    expect(outcome.warnings).toEqual([expect.stringMatching(/hooks/)])
    expect(root.changedIn()).toEqual(['.husky/pre-commit'])
  })
})

describe('what commands changed', () => {
  it('is found, committed where it was clean before, and told where not', async () => {
    const root = Root.repository()
    root.put({ 'c.txt': 'dirty\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('exec')
    root.put({ 'b.txt': 'by a command\n', 'c.txt': 'by a command\n', 'made/d.txt': 'made\n' })
    transaction.afterBlock('exec')
    const outcome = await transaction.finish({ blocks: 1, failures: 0, subject: 'exec', lines: [] })
    expect(root.changedIn()).toEqual(['b.txt', 'made/d.txt'])
    expect(root.status()).toEqual([' M c.txt'])
    expect(outcome.warnings).toEqual([expect.stringMatching(/not committed.*c\.txt/)])
    await root.undo()
    expect(root.text('b.txt')).toBe('b\n')
    expect(root.text('c.txt')).toBe('dirty\n')
    expect(existsSync(join(root.directory, 'made/d.txt'))).toBe(false)
  })

  it('is put back with the rest when the run is rolled back', async () => {
    const root = Root.repository()
    root.put({ 'c.txt': 'dirty\n' })
    const before = root.tree()
    const transaction = root.transaction({ atomic: true })
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'by a verb\n')
    await transaction.beforeBlock('exec')
    root.put({ 'a.txt': 'by a command\n', 'c.txt': 'by a command\n', 'made.txt': 'made\n' })
    transaction.afterBlock('exec')
    await transaction.beforeBlock('write')
    root.change(transaction, 'b.txt', 'by a verb\n')
    const { left, warnings } = await transaction.rollBack({ blocks: 3, failures: 1, subject: 'x', lines: [] }, root.gate)
    expect(left).toEqual([])
    expect(warnings).toEqual([
      expect.stringMatching(/files are put back/), expect.stringMatching(/whoever changed it; git still has what was there/),
    ])
    expect(root.tree()).toEqual(before)
  })
})
