import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { contextFor, runVerb } from '../../5-executor/test/verbs/golden-harness.js'
import { testDirectory, testRepository, useGitEnvironment, type TestRepository } from './repository.js'

beforeAll(useGitEnvironment)

function status(root: string, args: object = {}, limits: { maxMatches?: number } = {}): Promise<unknown> {
  const context = contextFor(root, 'disk', { commandTimeoutMs: 20_000, maxMatches: 1000, ...limits })
  return runVerb('git_status', args, context)
}

const NOTHING = { staged: [], unstaged: [], untracked: [], conflicted: [] }

describe('git_status', () => {
  it('of a fresh repository', async () => {
    const { root, write } = testRepository()
    expect(await status(root)).toEqual({ data: { branch: 'main', head: null, ...NOTHING, clean: true } })
    write({ 'a.txt': 'a', 'dir/b.txt': 'b' })
    expect(await status(root)).toMatchObject({ data: { untracked: ['a.txt', 'dir/b.txt'], clean: false } })
  })

  it('of every kind of change', async () => {
    const { root, git, write } = testRepository({
      'staged.txt': '1', 'unstaged.txt': '1', 'both.txt': '1', 'gone.txt': '1', 'removed.txt': '1', 'type.txt': '1',
      'old name.txt': 'many\nlines\nthat\nstay\n', '.gitignore': 'ignored\n',
    })
    write({ 'staged.txt': '2', 'both.txt': '2', 'new.txt': 'n', 'intent.txt': 'i', 'ignored': 'x', 'untracked.txt': 'u' })
    git('add', 'staged.txt', 'both.txt', 'new.txt')
    git('add', '--intent-to-add', 'intent.txt')
    git('rm', '--quiet', 'removed.txt')
    git('mv', 'old name.txt', 'new name.txt')
    write({ 'unstaged.txt': '2', 'both.txt': '3' })
    rmSync(join(root, 'gone.txt'))
    rmSync(join(root, 'type.txt'))
    execFileSync('ln', ['-s', 'new.txt', 'type.txt'], { cwd: root })
    expect(await status(root)).toEqual({ data: {
      branch: 'main',
      head: git('rev-parse', 'HEAD'),
      staged: [
        { path: 'both.txt', status: 'modified' },
        { path: 'new name.txt', status: 'renamed', old_path: 'old name.txt' },
        { path: 'new.txt', status: 'added' },
        { path: 'removed.txt', status: 'deleted' },
        { path: 'staged.txt', status: 'modified' },
      ],
      unstaged: [
        { path: 'both.txt', status: 'modified' },
        { path: 'gone.txt', status: 'deleted' },
        { path: 'intent.txt', status: 'added' },
        { path: 'type.txt', status: 'type_changed' },
        { path: 'unstaged.txt', status: 'modified' },
      ],
      untracked: ['untracked.txt'],
      conflicted: [],
      clean: false,
    } })
  })

  it('with a conflict, and the operation that is not ended', async () => {
    const { root, git, write } = conflicting()
    expect(() => git('merge', 'other')).toThrow('Command failed')
    const merging = { branch: 'main', operation: 'merge', conflicted: [{ path: 'a.txt', status: 'both_modified' }] }
    expect(await status(root)).toMatchObject({ data: merging })
    git('merge', '--abort')
    expect(() => git('rebase', 'other')).toThrow('Command failed')
    expect(await status(root)).toMatchObject({ data: { branch: null, operation: 'rebase' } })
    git('rebase', '--abort')
    expect(() => git('cherry-pick', 'other')).toThrow('Command failed')
    expect(await status(root)).toMatchObject({ data: { operation: 'cherry-pick' } })
    git('cherry-pick', '--abort')
    git('rm', '--quiet', 'a.txt')
    git('commit', '--quiet', '--message=gone')
    expect(() => git('merge', 'other')).toThrow('Command failed')
    expect(await status(root)).toMatchObject({ data: { conflicted: [{ path: 'a.txt', status: 'deleted_by_us' }] } })
    write({})
  })

  it('of a detached HEAD, and of a branch with an upstream', async () => {
    const { root, git, write } = testRepository({ 'a.txt': '1' })
    git('clone', '--quiet', root, join(root, '../clone-of-it'))
    const clone = testDirectory(join(root, '../clone-of-it'))
    try {
      write({ 'a.txt': '2' })
      git('commit', '--all', '--quiet', '--message=theirs')
      for (const name of ['b', 'c']) {
        clone.write({ [name]: name })
        clone.git('add', name)
        clone.git('commit', '--quiet', `--message=${name}`)
      }
      clone.git('fetch', '--quiet')
      expect(await status(clone.root)).toMatchObject({
        data: { branch: 'main', upstream: 'origin/main', ahead: 2, behind: 1, clean: true },
      })
    } finally {
      rmSync(clone.root, { recursive: true })
    }
    git('checkout', '--quiet', '--detach')
    expect(await status(root)).toMatchObject({ data: { branch: null, head: git('rev-parse', 'HEAD') } })
  })

  it.skipIf(process.platform === 'win32')('shows names exactly', async () => {
    const names = ['-dash', 'a\nb', '"quoted"', "it's", 'tab\there', 'ünï', 'back\\slash', ' space ', '# x', '? y', ':(top)z']
    const { root, git, write } = testRepository({ 'x': 'x' })
    write(Object.fromEntries(names.map(name => [name, name])))
    expect(await status(root)).toMatchObject({ data: { untracked: names.toSorted(byBytes) } })
    git('add', '--all')
    expect(await status(root)).toMatchObject({
      data: { staged: names.toSorted(byBytes).map(path => ({ path, status: 'added' })) },
    })
    for (const name of names) {
      expect(await status(root, { path: name })).toMatchObject({ data: { staged: [{ path: name, status: 'added' }] } })
    }
  })

  it.skipIf(process.platform !== 'linux')('shows names that are not UTF-8 with U+FFFD', async () => {
    const { root } = testRepository({ 'x': 'x' })
    execFileSync('sh', ['-c', "touch \"$(printf 'latin\\351')\""], { cwd: root })
    expect(await status(root)).toMatchObject({ data: { untracked: ['latin\ufffd'] } })
  })

  it('of a part, and of a repository below or above the root', async () => {
    const { root, write } = testRepository({ 'one/a': '1', 'two/b': '1' })
    write({ 'one/a': '2', 'two/b': '2', 'two/new': 'n' })
    expect(await status(root, { path: 'one' })).toMatchObject({ data: { unstaged: [{ path: 'one/a' }], untracked: [] } })
    expect(await status(root, { path: 'one/' })).toMatchObject({ data: { unstaged: [{ path: 'one/a' }], untracked: [] } })
    expect(await status(join(root, 'two'))).toMatchObject({ data: { unstaged: [{ path: 'b' }], untracked: ['new'] } })
    const outer = tempDir()
    mkdirSync(join(outer, 'inner'))
    const inner = testRepository({ 'c': '1' }, join(outer, 'inner'))
    inner.write({ 'c': '2' })
    expect(await status(outer, { path: 'inner' })).toMatchObject({ data: { unstaged: [{ path: 'inner/c' }] } })
    expect(await status(outer)).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })

  it('leaves out what the policy denies', async () => {
    const { root, write } = testRepository({ 'x': 'x' })
    write({ '.ssh/key': 'k', '.hermes/state': 's', 'hermes.yaml': 'p' })
    expect(await status(root)).toEqual({ data: expect.objectContaining({ untracked: [], clean: true }) })
    expect(await status(root, { path: '.git' })).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it('of a submodule and of a linked work tree', async () => {
    const { root, git } = testRepository({ 'x': 'x' })
    const other = testRepository({ 'sub.txt': '1' })
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub')
    git('commit', '--quiet', '--message=sub')
    const sub = testDirectory(join(root, 'sub'))
    sub.write({ 'sub.txt': '2' })
    expect(await status(root)).toMatchObject({ data: { clean: true } })
    expect(await status(root, { path: 'sub' })).toMatchObject({ data: { unstaged: [{ path: 'sub/sub.txt' }] } })
    sub.git('commit', '--all', '--quiet', '--message=2')
    expect(await status(root)).toMatchObject({ data: { unstaged: [{ path: 'sub', status: 'modified' }] } })
    git('worktree', 'add', '--quiet', 'linked', '-b', 'second')
    expect(await status(join(root, 'linked'))).toMatchObject({ data: { branch: 'second', clean: true } })
  })

  it('shows directories where there are too many files, and fails beyond that', async () => {
    const { root, write } = testRepository({ 'x': 'x' })
    const many = (prefix: string) => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${prefix}${index}`, '']))
    write(many('dir/'))
    expect(await status(root, {}, { maxMatches: 10 })).toMatchObject({ data: { untracked: ['dir/'] } })
    write(many(''))
    expect(await status(root, {}, { maxMatches: 10 })).toMatchObject({
      code: 'OUTPUT_LIMIT', message: 'git_status: more than 10 files differ', data: { branch: 'main' },
    })
  })

  it('where there is none', async () => {
    const { root } = testDirectory()
    expect(await status(root)).toEqual({
      code: 'NOT_A_REPOSITORY',
      message: 'git_status: not a git repository: there is no git repository here',
      hint: 'Git verbs work below a directory where git init or git clone was run: give path, or do without git.',
    })
    const bare = testDirectory()
    bare.git('init', '--quiet', '--bare')
    expect(await status(bare.root)).toMatchObject({
      code: 'NOT_A_REPOSITORY', message: 'git_status: not a git repository: a bare repository has no work tree',
    })
    const elsewhere = testRepository({ 'x': 'x' })
    elsewhere.git('config', 'core.worktree', tempDir())
    expect(await status(elsewhere.root)).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })

  it('of a path that is not there', async () => {
    const { root } = testRepository({ 'file.txt': 'x' })
    expect(await status(root, { path: 'fil.txt' })).toMatchObject({ code: 'ENOENT', hint: "Did you mean 'file.txt'?" })
    rmSync(join(root, 'file.txt'))
    expect(await status(root, { path: 'file.txt' })).toMatchObject({
      data: { unstaged: [{ path: 'file.txt', status: 'deleted' }] },
    })
    expect(await status(root, { path: '/etc/passwd' })).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it.skipIf(process.platform === 'win32')('without git', async () => {
    const { root } = testRepository()
    const { PATH } = process.env
    process.env['PATH'] = root
    try {
      expect(await status(root)).toMatchObject({ code: 'ENOENT', message: 'git_status: git not found in PATH (ENOENT)' })
    } finally {
      process.env['PATH'] = PATH
    }
  })

  it.runIf(process.getuid?.() === 0)('of a repository that another user owns', async () => {
    const { root } = testRepository({ 'x': 'x' })
    execFileSync('chown', ['-R', '65534', root])
    expect(await status(root)).toMatchObject({ code: 'EACCES', hint: expect.stringContaining('safe.directory') as string })
  })
})

function conflicting(): TestRepository {
  const repository = testRepository({ 'a.txt': '1\n' })
  const { git, write } = repository
  git('checkout', '--quiet', '-b', 'other')
  write({ 'a.txt': 'theirs\n' })
  git('commit', '--all', '--quiet', '--message=theirs')
  git('checkout', '--quiet', 'main')
  write({ 'a.txt': 'ours\n' })
  git('commit', '--all', '--quiet', '--message=ours')
  return repository
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
