import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { needing } from '../../../test/support/needs.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { createSandbox } from '../../2-sandbox/src/index.js'
import { testDirectory, testRepository, useGitEnvironment, type TestRepository } from './repository.js'
import { runIn } from './run-verb.js'

beforeAll(useGitEnvironment)

const commit = (root: string, args: object, limits = {}, more: Parameters<typeof runIn>[4] = {}) => (
  runIn(root, 'git_commit', { message: 'Say why', ...args }, limits, more)
)

function committed({ git }: TestRepository, revision = 'HEAD'): string[] {
  return git('show', '--format=', '--name-status', '--no-renames', revision).split('\n').map(line => line.replace('\t', ' '))
}

/** `XY path` lines. */
function status({ git }: TestRepository): string[] {
  return git('status', '--porcelain', '--no-renames').split('\n').filter(line => line !== '')
}

function hook({ root }: TestRepository, name: string, script: string): void {
  const file = join(root, '.git/hooks', name)
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

describe('git_commit', () => {
  it('begins no housekeeping, which would go on behind the run and leave a lock when it is killed', async () => {
    const repository = testRepository({ 'a': '1' })
    const { root, git, write } = repository
    git('config', 'gc.auto', '1')
    git('config', 'gc.autoDetach', 'false')
    // Git guesses the number of loose objects by one of 256 directories.
    for (let at = 0; at < 1000; at++) write({ [`loose/${at}`]: `${at}\n` })
    git('add', 'loose')
    write({ 'a': '2' })
    const packs = (): string[] => readdirSync(join(root, '.git/objects/pack')).filter((name) => name.endsWith('.pack'))
    expect(packs()).toEqual([])
    expect(await commit(root, { all: true })).toMatchObject({ data: { subject: 'Say why' } })
    expect(packs()).toEqual([])
  })

  it('of what is staged', async () => {
    const repository = testRepository({ 'a': '1', 'b': '1' })
    const { root, git, write } = repository
    write({ 'a': '2', 'b': '2', 'new': 'n' })
    git('add', 'a')
    expect(await commit(root, { message: 'Subject\n\n# Body' })).toEqual({
      data: { hash: git('rev-parse', 'HEAD'), subject: 'Subject', files: ['a'] },
    })
    expect(git('log', '-1', '--format=%B')).toBe('Subject\n\n# Body\n')
    expect(status(repository)).toEqual([' M b', '?? new'])
  })

  it('beside a file that has the name of the commit', async () => {
    // What is in it and when decides the name of a commit: a hook makes the file, which knows it.
    const repository = testRepository({ 'a': '1' })
    const { root, git, write } = repository
    hook(repository, 'post-commit', 'touch "$(git rev-parse HEAD)"')
    write({ 'HEAD': 'a file', 'a': '2' })
    git('add', 'a')
    expect(await commit(root, {})).toMatchObject({ data: { subject: 'Say why', files: ['a'] } })
    expect(existsSync(join(root, git('rev-parse', 'HEAD')))).toBe(true)
  })

  it('of files: exactly these, new and deleted ones too, the rest stays staged', async () => {
    const repository = testRepository({ 'changed': '1', 'gone': '1', 'removed': '1', 'partly': '1', 'other': '1' })
    const { root, git, write } = repository
    write({ 'changed': '2', 'new': 'n', 'dir/new': 'n', 'left': 'l', 'other': '2', 'partly': '2', 'also-staged': 's' })
    git('add', 'other', 'partly', 'also-staged')
    git('rm', '--quiet', 'removed')
    write({ 'partly': '3' })
    rmSync(join(root, 'gone'))
    const files = ['changed', 'gone', 'removed', 'partly', 'new', 'dir/new', './changed']
    expect(await commit(root, { files })).toMatchObject({
      data: { files: ['changed', 'dir/new', 'gone', 'new', 'partly', 'removed'] },
    })
    expect(committed(repository)).toEqual(['M changed', 'A dir/new', 'D gone', 'A new', 'M partly', 'D removed'])
    expect(git('show', 'HEAD:partly')).toBe('3')
    expect(status(repository)).toEqual(['A  also-staged', 'M  other', '?? left'])
  })

  it('of all changes of tracked files', async () => {
    const repository = testRepository({ 'a': '1', 'b': '1', 'c': '1' })
    const { root, git, write } = repository
    write({ 'a': '2', 'staged': 's', 'untracked': 'u' })
    git('add', 'staged')
    rmSync(join(root, 'c'))
    expect(await commit(root, { all: true })).toMatchObject({ data: { files: ['a', 'c', 'staged'] } })
    expect(status(repository)).toEqual(['?? untracked'])
  })

  it('is the first one', async () => {
    const repository = testRepository()
    repository.write({ 'a': '1', 'b': '1' })
    expect(await commit(repository.root, { files: ['a'] })).toMatchObject({ data: { files: ['a'] } })
    expect(status(repository)).toEqual(['?? b'])
  })

  it.skipIf(process.platform === 'win32')('takes any name', async () => {
    const repository = testRepository({ 'x': 'x', 'y': 'y', 'xy': 'xy' })
    const names = ['-a', '--all', 'a\nb', '"q"', ':(top)x', '*', 'ünï', 'back\\slash', '?', ' space ', '#c', '!x', '[x]']
    repository.write({ ...Object.fromEntries(names.map(name => [name, name])), 'x': '2', 'xy': '2' })
    expect(await commit(repository.root, { files: names })).toMatchObject({
      data: { files: names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))) },
    })
    expect(status(repository)).toEqual([' M x', ' M xy'])
  })

  it('of a link is of the link', async () => {
    const repository = testRepository({ 'x': 'x' })
    symlinkSync('/etc/passwd', join(repository.root, 'link'))
    expect(await commit(repository.root, { files: ['link'] })).toMatchObject({ data: { files: ['link'] } })
    expect(repository.git('show', 'HEAD:link')).toBe('/etc/passwd')
  })

  it('refuses when there is nothing to commit', async () => {
    const repository = testRepository({ 'a': '1', 'b': '1' })
    const { root, write } = repository
    expect(await commit(root, {})).toEqual({
      code: 'NOTHING_TO_COMMIT', message: 'git_commit: nothing to commit: nothing is staged',
      hint: 'All is committed already: change something first.',
    })
    write({ 'a': '2', 'untracked': 'u' })
    expect(await commit(root, {})).toMatchObject({ hint: expect.stringContaining('all: true') as string })
    expect(await commit(root, { files: ['b'] })).toMatchObject({ code: 'NOTHING_TO_COMMIT' })
    expect(await commit(root, { files: ['a', 'b'] })).toMatchObject({ data: { files: ['a'] } })
    expect(await commit(root, { all: true })).toMatchObject({ code: 'NOTHING_TO_COMMIT' })
    expect(status(repository)).toEqual(['?? untracked'])
  })

  it('refuses what is no file of the repository, and changes nothing', async () => {
    const repository = testRepository({ 'file': '1', '.gitignore': 'ignored\n', 'dir/x': '1' })
    const { root, write } = repository
    testRepository({ 'inner': '1' }, makeDirectory(root, 'nested'))
    write({ 'file': '2', 'ignored': 'i', 'new': 'n', '.ssh/key': 'k', 'nested/inner': '2', 'dir/x': '2' })
    const before = status(repository)
    const refused = async (name: string) => commit(root, { files: ['new', 'file', name] })
    expect(await refused('fil')).toMatchObject({ code: 'ENOENT', hint: "Did you mean 'file'?" })
    for (const directory of ['dir', '.', './', root]) {
      expect(await refused(directory)).toMatchObject({
        code: 'EISDIR', hint: 'Name the files in it one by one; git_status lists them.',
      })
    }
    expect(await refused('ignored')).toMatchObject({
      code: 'INVALID_PARAMETER', message: "git_commit: the repository ignores 'ignored'",
    })
    expect(await refused('nested/inner')).toMatchObject({
      code: 'INVALID_PARAMETER', message: "git_commit: 'nested/inner' is in another repository than 'new'",
    })
    expect(await refused('.ssh/key')).toMatchObject({ code: 'POLICY_DENIED' })
    expect(await refused('/etc/passwd')).toMatchObject({ code: 'POLICY_DENIED' })
    expect(status(repository)).toEqual(before)
    expect(await commit(root, { files: ['nested/inner'] })).toMatchObject({ data: { files: ['nested/inner'] } })
  })

  it('checks its arguments', async () => {
    const { root } = testRepository({ 'a': '1' })
    for (const args of [{ message: ' \n' }, { message: 'a\0b' }, { files: [] }, { files: ['a'], all: true }]) {
      expect(await commit(root, args)).toMatchObject({ code: 'INVALID_PARAMETER' })
    }
    expect(await runIn(root, 'git_diff', {})).toEqual({ data: { diff: '', files: [] } })
  })

  it('puts no control character of a message into the commit', async () => {
    const { root, git, write } = testRepository({ 'a': '1' })
    write({ 'a': '2' })
    const message = 'Red \u001b[31m\u202e\r\n\r\nbody\u0007'
    expect(await commit(root, { message, all: true })).toMatchObject({ data: { subject: String.raw`Red \x1b[31m\u202e` } })
    expect(git('log', '-1', '--format=%B')).toBe(String.raw`Red \x1b[31m\u202e` + '\n\n' + String.raw`body\x07` + '\n')
  })

  it('takes messages that look like options', async () => {
    const { root, git, write } = testRepository({ 'a': '1' })
    write({ 'a': '2' })
    expect(await commit(root, { message: '--amend', all: true })).toMatchObject({ data: { subject: '--amend' } })
    expect(git('rev-list', '--count', 'HEAD')).toBe('2')
  })

  it('keeps to the root where the repository begins above it, and to what the policy allows', async () => {
    const repository = testRepository({ 'pkg/a': '1', 'outside': '1', 'pkg/hermes.yaml': '1' })
    const { root, git, write } = repository
    const pkg = join(root, 'pkg')
    write({ 'pkg/a': '2', 'outside': '2', 'pkg/hermes.yaml': '2', 'pkg/new': 'n' })
    git('add', 'outside', 'pkg/hermes.yaml')
    expect(await commit(pkg, {})).toEqual({
      code: 'POLICY_DENIED',
      message: 'git_commit: 2 of the staged files are outside the root or denied, so nothing was committed',
      hint: 'Name the files to commit in files, or ask the user to unstage the others.',
    })
    expect(await commit(pkg, { all: true })).toMatchObject({ data: { files: ['a'] } })
    expect(await commit(pkg, { files: ['new'] })).toMatchObject({ data: { files: ['new'] } })
    expect(status(repository)).toEqual(['M  outside', 'M  pkg/hermes.yaml'])
  })

  it('refuses in the middle of a merge, and with conflicts', async () => {
    const { root, git, write } = testRepository({ 'a': '1\n' })
    git('checkout', '--quiet', '-b', 'other')
    write({ 'a': '2\n' })
    git('commit', '--all', '--quiet', '--message=2')
    git('checkout', '--quiet', 'main')
    write({ 'a': '3\n' })
    git('stash', '--quiet')
    git('merge', '--quiet', 'other')
    expect(() => git('stash', 'pop')).toThrow('Command failed')
    expect(await commit(root, { all: true })).toMatchObject({
      code: 'OPERATION_IN_PROGRESS', message: 'git_commit: files have conflicts, so nothing was committed',
    })
    git('reset', '--quiet', '--hard')
    write({ 'a': '4\n' })
    git('commit', '--all', '--quiet', '--message=4')
    git('checkout', '--quiet', '-b', 'third', 'HEAD~1')
    expect(() => git('cherry-pick', 'stash@{0}')).toThrow('Command failed')
    git('cherry-pick', '--quit')
    git('reset', '--quiet', '--hard')
    git('merge', '--quiet', '--no-commit', '--no-ff', 'main')
    expect(await commit(root, { all: true })).toEqual({
      code: 'OPERATION_IN_PROGRESS', message: 'git_commit: a merge is not ended, so nothing was committed',
      hint: 'Only the user can end it: git merge --continue or git merge --abort.',
    })
  })

  it('says when git does not know who commits', async () => {
    const { root, git, write } = testRepository({ 'a': '1' })
    write({ 'a': '2' })
    git('config', 'user.useConfigOnly', 'true')
    const kept = { ...process.env }
    for (const who of ['AUTHOR', 'COMMITTER']) {
      for (const what of ['NAME', 'EMAIL']) delete process.env[`GIT_${who}_${what}`]
    }
    try {
      expect(await commit(root, { all: true })).toMatchObject({
        code: 'NO_IDENTITY', hint: expect.stringContaining('git config --global user.name') as string,
      })
    } finally {
      Object.assign(process.env, kept)
    }
  })

  it('of a submodule takes the commit checked out in it', async () => {
    const repository = testRepository({ 'x': 'x' })
    const { root, git } = repository
    const other = testRepository({ 's': '1' })
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub')
    git('commit', '--quiet', '--message=sub')
    const sub = testDirectory(join(root, 'sub'))
    sub.write({ 's': '2' })
    expect(await commit(root, { files: ['sub/s'] })).toMatchObject({ data: { files: ['sub/s'] } })
    expect(await commit(root, { files: ['sub'] })).toMatchObject({ data: { files: ['sub'] } })
    expect(status(repository)).toEqual([])
  })

  it('where there is no repository', async () => {
    expect(await commit(testDirectory().root, {})).toMatchObject({ code: 'NOT_A_REPOSITORY' })
    const { root, write } = testDirectory()
    write({ 'a': 'a' })
    expect(await commit(root, { files: ['a'] })).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })
})

describe.skipIf(process.platform === 'win32')('hooks of git_commit', () => {
  it('that refuse: nothing is changed, and what they print is told', async () => {
    const repository = testRepository({ 'a': '1', 'staged': '1' })
    const { root, git, write } = repository
    hook(repository, 'pre-commit', 'echo "lint: a is bad" >&2; echo and this; exit 3')
    write({ 'a': '2', 'new': 'n', 'staged': '2' })
    git('add', 'staged')
    const before = { status: status(repository), head: git('rev-parse', 'HEAD') }
    expect(await commit(root, { files: ['a', 'new'] })).toMatchObject({
      code: 'NONZERO_EXIT',
      message: 'git_commit: git or a hook (pre-commit) refused the commit (exit code 1); nothing was committed',
      hint: 'It printed: lint: a is bad | and this',
      data: { exit_code: 1, stderr: 'lint: a is bad\nand this\n' },
    })
    expect({ status: status(repository), head: git('rev-parse', 'HEAD') }).toEqual(before)
  })

  it('that change what is committed leave a clean index', async () => {
    const repository = testRepository({ 'a': '1\n', 'other': '1\n', 'generated': '1\n' })
    const { root, git, write } = repository
    hook(repository, 'pre-commit', 'echo formatted > a; echo formatted > new; echo 2 > generated; git add a new generated')
    hook(repository, 'commit-msg', 'echo "Signed" >> "$1"')
    write({ 'a': '2\n', 'new': 'n\n', 'other': '2\n' })
    git('add', 'other')
    expect(await commit(root, { files: ['a', 'new'] })).toMatchObject({ data: { files: ['a', 'generated', 'new'] } })
    expect(git('show', 'HEAD:a')).toBe('formatted')
    expect(git('log', '-1', '--format=%B')).toContain('Signed')
    expect(status(repository)).toEqual(['M  other'])
  })

  it('see the environment of a plain git', async () => {
    const repository = testRepository({ 'a': '1' })
    hook(repository, 'pre-commit', "git diff --cached --name-only -- '*' > .git/seen; env | grep -c '^GIT_LITERAL' >> .git/seen; true")
    repository.write({ 'a': '2' })
    expect(await commit(repository.root, { files: ['a'] })).toMatchObject({ data: { files: ['a'] } })
    expect(readFileSync(join(repository.root, '.git/seen'), 'utf8')).toBe('a\n0\n')
  })

  needing('bubblewrap').it('run in the sandbox', async () => {
    const [repository, outside] = [testRepository({ 'a': '1' }), tempDir()]
    hook(repository, 'pre-commit', `touch ${outside}/planted; touch .git/ran; true`)
    repository.write({ 'a': '2' })
    const sandbox = createSandbox({ root: repository.root, mode: 'auto' })
    expect(await commit(repository.root, { files: ['a'] }, {}, { sandbox })).toMatchObject({ data: { files: ['a'] } })
    expect([existsSync(join(repository.root, '.git/ran')), existsSync(join(outside, 'planted'))]).toEqual([true, false])
  })

  it('that hang are ended at the time limit, with what they started', async () => {
    const repository = testRepository({ 'a': '1' })
    hook(repository, 'pre-commit', 'echo waiting >&2; sleep 60; touch "$GIT_DIR/late"')
    repository.write({ 'a': '2', 'new': 'n' })
    expect(await commit(repository.root, { files: ['a', 'new'] }, { commandTimeoutMs: 4000 })).toMatchObject({
      code: 'TIMEOUT', data: { stderr: 'waiting\n' },
    })
    expect(status(repository)).toEqual([' M a', '?? new'])
    expect(await commit(repository.root, { files: ['a'] }, { commandTimeoutMs: 1500 })).toMatchObject({ code: 'TIMEOUT' })
  })

  it('are ended when the run is cancelled', async () => {
    const repository = testRepository({ 'a': '1' })
    const controller = new AbortController()
    hook(repository, 'pre-commit', 'touch .git/begun; sleep 60')
    repository.write({ 'a': '2' })
    const running = commit(repository.root, { all: true }, {}, { signal: controller.signal })
    while (!existsSync(join(repository.root, '.git/begun'))) await sleep(10)
    controller.abort()
    expect(await running).toMatchObject({ code: 'CANCELLED' })
    expect(status(repository)).toEqual([' M a'])
  })
})

describe.skipIf(process.platform === 'win32')('hooks in the work tree', () => {
  const RUN = '#!/bin/sh\ntouch .git/ran\n'
  const ran = ({ root }: TestRepository) => existsSync(join(root, '.git/ran'))

  /** With an executable hook, committed by the user. */
  function hooked(files: Record<string, string> = { '.husky/pre-commit': RUN }): TestRepository {
    const repository = testRepository({ 'a': '1', ...files })
    for (const path of Object.keys(files)) chmodSync(join(repository.root, path), 0o755)
    repository.git('commit', '--all', '--quiet', '--message=mode')
    repository.git('config', 'core.hooksPath', '.husky')
    return repository
  }

  it('run as the user committed them', async () => {
    const repository = hooked()
    repository.write({ 'a': '2' })
    expect(await commit(repository.root, { all: true })).not.toHaveProperty('data.hooks_skipped')
    expect(ran(repository)).toBe(true)
  })

  it.each([
    ['changed', { '.husky/pre-commit': `${RUN}# changed\n` }],
    ['new beside', { '.husky/lib.sh': 'x' }],
    ['ignored', { '.husky/lib.sh': 'x', '.git/info/exclude': 'lib.sh\n' }],
  ])('do not run where one is %s', async (_, files) => {
    const repository = hooked()
    repository.write({ 'a': '2', ...files })
    expect(await commit(repository.root, { files: ['a'] })).toMatchObject({ data: { files: ['a'], hooks_skipped: true } })
    expect(ran(repository)).toBe(false)
  })

  it('do not run for the commit that brings them, nor for the next, until the user trusts them', async () => {
    const repository = hooked()
    const { root, git, write } = repository
    write({ '.husky/pre-commit': `${RUN}# changed\n`, 'a': '2' })
    expect(await commit(root, { files: ['.husky/pre-commit'] })).toMatchObject({ data: { hooks_skipped: true } })
    expect(await commit(root, { files: ['a'] })).toMatchObject({ data: { hooks_skipped: true } })
    expect(ran(repository)).toBe(false)
    git('config', '--unset-all', 'hermes.changedHooks')
    write({ 'a': '3' })
    expect(await commit(root, { files: ['a'] })).not.toHaveProperty('data.hooks_skipped')
    expect(ran(repository)).toBe(true)
  })

  it('do not run in the first commit, nor before it', async () => {
    const repository = testRepository()
    repository.git('config', 'core.hooksPath', '.husky')
    for (const name of ['pre-commit', 'post-index-change', 'reference-transaction']) {
      repository.write({ [`.husky/${name}`]: RUN, 'a': '1' })
      chmodSync(join(repository.root, '.husky', name), 0o755)
    }
    expect(await commit(repository.root, { files: ['a'] })).toMatchObject({ data: { hooks_skipped: true } })
    expect(ran(repository)).toBe(false)
  })

  it('do not run where a link of .git/hooks leads to a changed file', async () => {
    const repository = hooked({ 'scripts/check': RUN })
    repository.git('config', '--unset', 'core.hooksPath')
    mkdirSync(join(repository.root, '.git/hooks'), { recursive: true })
    symlinkSync('../../scripts/check', join(repository.root, '.git/hooks/pre-commit'))
    repository.write({ 'a': '2', 'scripts/check': `${RUN}# changed\n` })
    expect(await commit(repository.root, { files: ['a'] })).toMatchObject({ data: { hooks_skipped: true } })
    expect(ran(repository)).toBe(false)
  })

  it('do not run from elsewhere below the root', async () => {
    const outer = testDirectory()
    const repository = testRepository({ 'a': '1' }, makeDirectory(outer.root, 'repository'))
    outer.write({ 'hooks/pre-commit': RUN })
    chmodSync(join(outer.root, 'hooks/pre-commit'), 0o755)
    repository.git('config', 'core.hooksPath', '../hooks')
    repository.write({ 'a': '2' })
    expect(await commit(outer.root, { files: ['repository/a'] })).toMatchObject({ data: { hooks_skipped: true } })
    expect(ran(repository)).toBe(false)
  })
})

function makeDirectory(root: string, name: string): string {
  mkdirSync(join(root, name))
  return join(root, name)
}
