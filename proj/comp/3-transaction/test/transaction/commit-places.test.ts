import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { addHook } from './support/add-hook.js'
import { findRepository } from '../../src/transaction/repository.js'
import { Root } from './root.js'

const sparse = (root: Root, ...directories: string[]) => root.git('sparse-checkout', 'set', ...directories)

describe('a repository with', () => {
  it('object names of SHA-256 gets its commits', async () => {
    const root = new Root()
    root.git('init', '--quiet', '--initial-branch=main', '--object-format=sha256')
    root.put({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
    root.git('add', '--all')
    root.git('commit', '--quiet', '-m', 'start')
    root.put({ 'a.txt': 'mine\n', 'b.txt': 'staged\n' })
    root.git('add', 'b.txt')
    const { gitCommit } = await root.run({ 'a.txt': 'run\n', 'c/d.txt': 'd\n' })
    expect(gitCommit).toMatch(/^[0-9a-f]{64}$/)
    expect(root.git('show', 'HEAD~1:a.txt')).toBe('mine\n')
    expect(root.status()).toEqual(['M  b.txt'])
  })

  it('filters takes up what they make of the files, saved work included', async () => {
    const root = Root.repository({ '.gitattributes': '*.up filter=case\n', 'x.up': 'x\n', 'filters/up': '#!/bin/sh\ntr a-z A-Z\n' })
    chmodSync(join(root.directory, 'filters/up'), 0o755)
    // A program below the work tree, as repositories have it.
    root.git('config', 'filter.case.clean', './filters/up')
    root.git('config', 'filter.case.required', 'true')
    root.git('add', '--renormalize', '.')
    root.git('commit', '--quiet', '--all', '-m', 'filtered')
    root.put({ 'x.up': 'mine\n' })
    await root.run({ 'x.up': 'run\n', 'y.up': 'y\n' })
    expect(['HEAD~1:x.up', 'HEAD:x.up', 'HEAD:y.up'].map((name) => root.git('cat-file', 'blob', name))).toEqual(['MINE\n', 'RUN\n', 'Y\n'])
    expect(root.status()).toEqual([])
  })

  it('settings that put its work tree above it is refused: what lies beside it would be moved', async () => {
    const root = Root.repository()
    root.git('config', 'core.worktree', dirname(root.directory))
    await expect(findRepository(root.directory)).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('core.worktree') })
  })

  it('core.autocrlf has no commit before for files that are as git has them', async () => {
    const root = new Root()
    root.git('init', '--quiet', '--initial-branch=main')
    root.git('config', 'core.autocrlf', 'true')
    root.put({ 'a.txt': 'one\r\n', 'b.txt': 'one\r\n' })
    root.git('add', '--all')
    root.git('commit', '--quiet', '-m', 'start')
    root.put({ 'b.txt': 'mine\r\n' })
    await root.run({ 'a.txt': 'two\r\n', 'b.txt': 'two\r\n' })
    expect(root.changedIn('HEAD~1')).toEqual(['b.txt'])
    expect(root.git('cat-file', 'blob', 'HEAD:a.txt')).toBe('two\n')
    expect(root.status()).toEqual([])
  })

  it('core.fileMode or core.symlinks false keeps what git has of modes and links, undo included', async () => {
    const root = Root.repository({ 'plain': 'p\n', 'tool': 't\n' })
    symlinkSync('plain', join(root.directory, 'link'))
    chmodSync(join(root.directory, 'tool'), 0o755)
    root.git('add', 'tool', 'link')
    root.git('commit', '--quiet', '-m', 'modes')
    for (const key of ['core.fileMode', 'core.symlinks']) root.git('config', key, 'false')
    // As some file systems show all files, and as git checks links out there.
    for (const name of ['plain', 'link', 'tool']) rmSync(join(root.directory, name))
    root.put({ 'plain': 'p\n', 'link': 'plain', 'tool': 't\n' })
    chmodSync(join(root.directory, 'plain'), 0o777)
    expect(root.status()).toEqual([])
    const before = root.git('ls-files', '--stage')
    await root.run({ 'plain': 'run\n', 'link': 'tool', 'tool': 'run\n', 'new': 'n\n' })
    expect(root.subjects()).toHaveLength(3)
    const modes = (...names: string[]) => root.git('ls-tree', 'HEAD', ...names).split('\n').map((line) => line.slice(0, 6))
    expect(modes('link', 'new', 'plain', 'tool')).toEqual(['120000', '100644', '100644', '100755', ''])
    await root.undo()
    expect(root.git('ls-files', '--stage')).toBe(before)
    expect(root.status()).toEqual([])
  })

  it('another encoding of messages has those of runs in UTF-8', async () => {
    const root = Root.repository()
    root.git('config', 'i18n.commitEncoding', 'ISO-8859-1')
    await root.run({ 'ü.txt': 'run\n' })
    expect(root.git('log', '-1', '--encoding=UTF-8', '--format=%B')).toContain('ü.txt')
  })

  it('a merge or cherry-pick that waits to be committed keeps its message', async () => {
    const root = Root.repository()
    root.git('switch', '--quiet', '--create', 'side')
    root.put({ 'side.txt': 's\n' })
    root.git('add', 'side.txt')
    root.git('commit', '--quiet', '-m', 'of the side')
    root.git('switch', '--quiet', 'main')
    root.git('merge', '--quiet', '--squash', 'side')
    await root.run({ 'a.txt': 'run\n' })
    root.git('commit', '--quiet', '--no-edit')
    expect(root.git('log', '-1', '--format=%B')).toContain('of the side')
    expect(root.changedIn()).toEqual(['side.txt'])
  })

  it('core.safecrlf that refuses a file says so', async () => {
    const root = Root.repository({ '.gitattributes': '*.txt text\n', 'a.txt': 'a\n' })
    root.git('config', 'core.safecrlf', 'true')
    const outcome = await root.run({ 'a.txt': 'one\r\ntwo\r\n' })
    expect(outcome.fatalError).toMatch(/^The changes are on disk but not committed: .*CRLF/)
    expect(root.status()).toEqual([' M a.txt'])
  })

  it('a submodule keeps its commit; what is in it is its own', async () => {
    const library = Root.repository({ 'lib.txt': 'lib\n' })
    const root = Root.repository()
    root.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.directory, 'sub')
    root.git('commit', '--quiet', '-am', 'sub')
    await root.run({ 'sub/lib.txt': 'run\n', 'a.txt': 'run\n' })
    expect(root.changedIn()).toEqual(['a.txt'])
    expect(root.status()).toEqual([' M sub'])
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'd/x.txt', 'x\n')
    transaction.files.move(root.gate.approve('sub', 'remove'), root.gate.approve('d/sub', 'remove'))
    expect((await transaction.finish({ blocks: 1, failures: 0, subject: 'x', lines: [] })).fatalError).toBeUndefined()
    expect(root.changedIn()).toEqual(['d/x.txt'])
    await root.undo()
    expect(root.status()).toEqual([' M sub'])
  })

  it('a bisect in progress is committed to, one with a cherry-pick is not', async () => {
    const root = Root.repository()
    root.put({ 'a.txt': 'two\n' })
    root.git('commit', '--quiet', '-am', 'two')
    root.git('bisect', 'start', 'HEAD', 'HEAD~1')
    expect((await root.run({ 'b.txt': 'run\n' })).gitCommit).toBeDefined()
    const other = Root.repository()
    writeFileSync(join(other.directory, '.git/CHERRY_PICK_HEAD'), other.git('rev-parse', 'HEAD'))
    await expect(other.run({ 'b.txt': 'run\n' })).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS', message: /cherry-pick/ })
  })

  it('packed branches and a branch with slashes finds its head', async () => {
    const root = Root.repository()
    root.git('checkout', '--quiet', '-b', 'topic/one')
    root.git('pack-refs', '--all')
    const { gitCommit } = await root.run({ 'a.txt': 'run\n' })
    expect(gitCommit).toBe(root.git('rev-parse', 'refs/heads/topic/one').trim())
    expect(root.subjects()).toHaveLength(2)
  })

  it('a split index keeps it', async () => {
    const root = Root.repository()
    root.git('update-index', '--split-index')
    root.put({ 'b.txt': 'staged\n' })
    root.git('add', 'b.txt')
    await root.run({ 'a.txt': 'run\n', 'n.txt': 'n\n' })
    expect(root.status()).toEqual(['M  b.txt'])
    root.git('commit', '--quiet', '-m', 'theirs')
    await root.run({ 'a.txt': 'run 2\n' })
    expect(root.status()).toEqual([])
    expect(root.git('fsck')).toBe('')
  })
})

describe('a file git was told not to look at', () => {
  it.each(['--assume-unchanged', '--skip-worktree'])('(%s) stays out of the commit, and the run says so', async (flag) => {
    const root = Root.repository()
    root.git('update-index', flag, 'a.txt')
    root.put({ 'a.txt': 'password\n' })
    const outcome = await root.run({ 'a.txt': 'run\n', 'b.txt': 'run\n' })
    expect(outcome.warnings).toEqual([expect.stringMatching(/^Not committed, since git was told not to look.*: a\.txt$/)])
    expect(root.subjects()).toEqual(['AI: file_write a.txt, file_write b.txt', 'start'])
    expect(root.changedIn()).toEqual(['b.txt'])
    expect(root.status()).toEqual([])
    expect(root.git('ls-files', '-v', 'a.txt')).toMatch(/^[hS] /)
    await root.undo()
    expect(root.text('a.txt')).toBe('password\n')
    expect(root.status()).toEqual([])
  })

  it('since it is outside of a sparse checkout is committed when the run writes it, and was not deleted before', async () => {
    const root = Root.repository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/c.txt': 'c\n' })
    sparse(root, 'in')
    expect(existsSync(join(root.directory, 'out'))).toBe(false)
    await root.run({ 'out/b.txt': 'run\n' })
    expect(root.subjects()).toEqual(['AI: file_write out/b.txt', 'start'])
    expect(root.changedIn()).toEqual(['out/b.txt'])
    expect(root.git('show', 'HEAD:out/c.txt')).toBe('c\n')
    expect(root.status()).toEqual([])
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect([root.git('show', 'HEAD:out/b.txt'), root.git('show', 'HEAD:out/c.txt')]).toEqual(['b\n', 'c\n'])
    expect(root.status()).toEqual([])
    expect(existsSync(join(root.directory, 'out'))).toBe(false)
  })
})

describe('commits are signed', () => {
  const signed = (root: Root) => root.git('log', '--format=%G?').trim().split('\n')

  it('with the ssh key that is configured', async () => {
    const root = Root.repository()
    const keys = tempDir()
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'key')])
    root.git('config', 'gpg.format', 'ssh')
    root.git('config', 'user.signingKey', join(keys, 'key.pub'))
    root.git('config', 'commit.gpgSign', 'true')
    execFileSync('sh', ['-c', `echo "c@example.org $(cat ${join(keys, 'key.pub')})" > ${join(keys, 'signers')}`])
    root.git('config', 'gpg.ssh.allowedSignersFile', join(keys, 'signers'))
    root.put({ 'a.txt': 'mine\n' })
    await root.run({ 'a.txt': 'run\n' })
    expect(signed(root)).toEqual(['G', 'G', 'N'])
  })

  it('or not made', async () => {
    const root = Root.repository()
    root.git('config', 'gpg.format', 'ssh')
    root.git('config', 'user.signingKey', '/none/key.pub')
    root.git('config', 'commit.gpgSign', 'true')
    const outcome = await root.run({ 'a.txt': 'run\n' })
    expect(outcome.fatalError).toMatch(/^The changes are on disk but not committed: .*key\.pub/)
    expect(root.status()).toEqual([' M a.txt'])
  })
})

describe('hooks', () => {
  it('that rewrite what is committed have their way, in the index too', async () => {
    for (const hasStaged of [false, true]) {
      const root = Root.repository()
      addHook(root, 'pre-commit', 'echo formatted > a.txt; echo 2 > version; git add a.txt version')
      if (hasStaged) {
        root.put({ 'b.txt': 'staged\n' })
        root.git('add', 'b.txt')
      }
      await root.run({ 'a.txt': 'run\n' })
      expect(root.changedIn()).toEqual(['a.txt', 'version'])
      expect(root.git('show', 'HEAD:a.txt')).toBe('formatted\n')
      expect(root.status()).toEqual(hasStaged ? ['M  b.txt'] : [])
    }
  })

  it('may add to the message, and the run is still found by it', async () => {
    const root = Root.repository()
    addHook(root, 'prepare-commit-msg', 'printf "Ticket: 7\\n" >> "$1"')
    await root.run({ 'a.txt': 'run\n' }, { runId: 'run-x' })
    expect(root.git('log', '-1', '--format=%(trailers:only,unfold)').trim()).toBe('Hermes-Run: run-x\nTicket: 7')
  })
})

describe('the content that is committed', () => {
  it('of a file that the run wrote and a command then changed is that on disk', async () => {
    const root = Root.repository()
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'run\n')
    await transaction.beforeBlock('exec')
    root.put({ 'a.txt': 'formatted\n' })
    transaction.afterBlock('exec')
    await transaction.finish({ blocks: 2, failures: 0, subject: 'x', lines: [] })
    expect(root.git('show', 'HEAD:a.txt')).toBe('formatted\n')
    expect(root.status()).toEqual([])
  })

  it('is that of the run where someone else was at it meanwhile', async () => {
    const root = Root.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
    const transaction = root.transaction()
    await transaction.beforeBlock('write')
    root.change(transaction, 'a.txt', 'run\n')
    root.change(transaction, 'b.txt', null)
    root.change(transaction, 'c.txt', 'run\n')
    root.put({ 'a.txt': 'theirs\n', 'b.txt': 'theirs\n' })
    rmSync(join(root.directory, 'c.txt'))
    symlinkSync('a.txt', join(root.directory, 'c.txt'))
    const { warnings } = await transaction.finish({ blocks: 3, failures: 0, subject: 'x', lines: [] })
    expect(warnings).toEqual([expect.stringMatching(/Changed by someone else/)])
    expect(root.git('show', 'HEAD:a.txt')).toBe('run\n')
    expect(root.git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual(['a.txt', 'c.txt'])
    expect(root.git('ls-tree', 'HEAD', 'c.txt')).toMatch(/^100644/)
    expect(root.status()).toEqual([' M a.txt', ' T c.txt', '?? b.txt'])
  })
})

it('a repository whose directory was given another name since goes on', async () => {
  const root = Root.repository({ 'd/a.txt': 'a\n' })
  await root.run({ 'd/a.txt': 'run\n' })
  renameSync(join(root.directory, 'd'), join(root.directory, 'e'))
  await root.run({ 'e/a.txt': 'run 2\n' })
  expect(root.changedIn()).toEqual(['e/a.txt'])
  expect(root.status()).toEqual([' D d/a.txt'])
})
