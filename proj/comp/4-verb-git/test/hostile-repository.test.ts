import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { testRepository, useGitEnvironment, type TestRepository } from './repository.js'
import { runIn } from './run-verb.js'

beforeAll(useGitEnvironment)

/** Hooks that git itself may run when it reads or refreshes. */
const HOOKS = ['post-index-change', 'fsmonitor-watchman', 'pre-commit', 'post-checkout', 'reference-transaction']

interface Trap extends TestRepository {
  /** Names of the programs that ran. */
  sprung(): string[]
}

/** A repository whose configuration names a program wherever git takes one; each leaves a mark when it runs. */
function trap(): Trap {
  const marks = tempDir()
  const program = (name: string) => {
    const file = join(marks, `${name}.sh`)
    writeFileSync(file, `#!/bin/sh\ntouch '${join(marks, name)}.ran'\ncat 2>/dev/null\nexit 0\n`)
    chmodSync(file, 0o755)
    return file
  }
  const repository = testRepository({ 'a.txt': '1\n', 'b.bin': '1\n', 'c d.txt': '1\n' })
  const { root, git, write } = repository
  write({ '.gitattributes': '*.txt diff=evil filter=evil\n*.bin filter=process diff=other\n"c d.txt" filter=a\n' })
  git('add', '.gitattributes')
  git('commit', '--quiet', '--message=attributes')
  const settings: Record<string, string> = {
    'core.fsmonitor': program('fsmonitor'), 'core.pager': program('core-pager'), 'pager.log': program('pager-log'),
    'pager.diff': program('pager-diff'), 'pager.status': program('pager-status'), 'core.editor': program('editor'),
    'diff.external': program('diff-external'), 'diff.evil.textconv': program('textconv'),
    'diff.evil.command': program('diff-command'), 'diff.other.textconv': program('other-textconv'),
    'filter.evil.clean': program('clean'), 'filter.evil.smudge': program('smudge'), 'filter.evil.required': 'true',
    'filter.process.process': program('process'), 'filter.a.clean': program('clean-a'),
    'alias.status': `!${program('alias-status')}`, 'alias.diff': `!${program('alias-diff')}`,
    'alias.log': `!${program('alias-log')}`, 'alias.rev-parse': `!${program('alias-rev-parse')}`,
    'gpg.program': program('gpg'), 'gpg.ssh.program': program('gpg-ssh'), 'log.showSignature': 'true',
    'core.sshCommand': program('ssh'), 'core.askPass': program('askpass'), 'credential.helper': program('credential'),
    'interactive.diffFilter': program('diff-filter'), 'status.submoduleSummary': 'true', 'diff.submodule': 'diff',
  }
  for (const [name, value] of Object.entries(settings)) git('config', name, value)
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  for (const name of HOOKS) {
    writeFileSync(join(root, '.git/hooks', name), `#!/bin/sh\ntouch '${join(marks, `hook-${name}`)}.ran'\n`)
    chmodSync(join(root, '.git/hooks', name), 0o755)
  }
  signed(repository)
  // Same size, other times: git has to compare contents, which is where filters run.
  for (const name of ['a.txt', 'b.bin', 'c d.txt']) {
    write({ [name]: '2\n' })
    utimesSync(join(root, name), new Date(), new Date(Date.now() + 60_000))
  }
  for (const file of readdirSync(marks)) if (file.endsWith('.ran')) rmSync(join(marks, file))
  return { ...repository, sprung: () => readdirSync(marks).filter(name => name.endsWith('.ran')) }
}

/** A commit object with a signature, so that showing it would call for the program that checks it. */
function signed({ root, git }: TestRepository): void {
  const plain = git('cat-file', 'commit', 'HEAD')
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n'
  writeFileSync(join(root, '.git/signed'), plain.replace('\n\n', `\n${signature}\n`) + '\n')
  git('update-ref', 'refs/heads/main', git('hash-object', '-t', 'commit', '-w', '.git/signed'))
}

describe.skipIf(process.platform === 'win32')('a repository that names programs everywhere', () => {
  it('would run them for plain git', () => {
    const { git, sprung } = trap()
    for (const args of [['status'], ['diff'], ['log', '-1']]) {
      try {
        git(...args)
      } catch (error) {
        // A trap is no good filter.
        expect(error).toBeInstanceOf(Error)
      }
    }
    expect(sprung()).toEqual(expect.arrayContaining([
      'clean.ran', 'fsmonitor.ran', 'gpg.ran', 'hook-post-index-change.ran', 'process.ran',
    ]))
  })

  it.each([
    ['git_status', {}], ['git_status', { path: 'a.txt' }], ['git_diff', {}], ['git_diff', { commit: 'HEAD' }],
    ['git_diff', { staged: true }], ['git_log', {}], ['git_log', { path: 'a.txt', author: 'ada' }],
  ])('%s %j runs none', async (verb, args) => {
    const { root, sprung } = trap()
    expect(await runIn(root, verb, args)).toHaveProperty('data')
    expect(sprung()).toEqual([])
  })

  it('still shows what changed', async () => {
    const { root } = trap()
    const changed = ['a.txt', 'b.bin', 'c d.txt']
    expect(await runIn(root, 'git_status')).toMatchObject({
      data: { unstaged: changed.map(path => ({ path, status: 'modified' })) },
    })
    expect(await runIn(root, 'git_diff')).toMatchObject({ data: { files: changed.map(path => ({ path, added: 1, removed: 1 })) } })
  })

  it('in a submodule runs none either', async () => {
    const inner = trap()
    const outer = testRepository({ 'x': 'x' })
    outer.git('-c', 'protocol.file.allow=always', 'clone', '--quiet', '--no-checkout', inner.root, 'sub')
    for (const line of inner.git('config', '--local', '--list').split('\n')) {
      const [name = '', value = ''] = line.split(/=(.*)/s)
      if (/^(core\.fsmonitor|filter|diff)/.test(name)) outer.git('-C', 'sub', 'config', name, value)
    }
    outer.git('-C', 'sub', 'reset', '--quiet')
    outer.git('add', 'sub')
    outer.write({ 'sub/a.txt': '3\n', 'sub/b.bin': '3\n' })
    for (const file of inner.sprung()) expect(file).not.toBe('')
    const before = inner.sprung()
    expect(await runIn(outer.root, 'git_status')).toHaveProperty('data')
    expect(await runIn(outer.root, 'git_diff')).toHaveProperty('data')
    expect(inner.sprung()).toEqual(before)
  })

  it('that lacks objects fetches none', async () => {
    const { root, git, write } = testRepository({ 'a': '1\n' })
    const marks = tempDir()
    const settings = {
      'core.repositoryFormatVersion': '1', 'extensions.partialClone': 'origin', 'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::touch ${join(marks, 'ran')}`, 'protocol.ext.allow': 'always',
    }
    for (const [name, value] of Object.entries(settings)) git('config', name, value)
    const blob = git('rev-parse', 'HEAD:a')
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    write({ 'a': '2\n' })
    expect(() => git('diff')).toThrow('Command failed')
    expect(existsSync(join(marks, 'ran'))).toBe(true)
    rmSync(join(marks, 'ran'))
    expect(await runIn(root, 'git_diff')).toMatchObject({ code: 'NONZERO_EXIT' })
    expect(existsSync(join(marks, 'ran'))).toBe(false)
  })

  it('with a filter whose name has a sign of equality runs none either', async () => {
    const { root, git, write } = testRepository({ 'a': '1' })
    const mark = join(tempDir(), 'ran')
    git('config', 'filter.a=b.clean', `touch ${mark}; cat`)
    write({ '.git/info/attributes': '* filter=a=b\n', 'a': '2' })
    expect(await runIn(root, 'git_status')).toMatchObject({ data: { clean: false } })
    expect(existsSync(mark)).toBe(false)
  })

  it('that is bare, among the files of another, is not taken for one', async () => {
    const { root } = testRepository({ 'a': '1' })
    const marks = tempDir()
    mkdirSync(join(root, 'evil'))
    const evil = testRepository({}, join(root, 'evil'))
    evil.git('init', '--quiet', '--bare', '.')
    evil.git('config', '--file', 'config', 'core.bare', 'false')
    evil.git('config', '--file', 'config', 'core.worktree', '..')
    evil.git('config', '--file', 'config', 'core.fsmonitor', `touch ${join(marks, 'ran')}`)
    removeSync(join(evil.root, '.git'))
    expect(await runIn(root, 'git_status', { path: 'evil' })).not.toHaveProperty('data.operation')
    expect(existsSync(join(marks, 'ran'))).toBe(false)
  })
})
