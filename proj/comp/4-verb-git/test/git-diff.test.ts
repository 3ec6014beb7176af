import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { testDirectory, testRepository, useGitEnvironment } from './repository.js'
import { runIn } from './run-verb.js'

beforeAll(useGitEnvironment)

const diff = (root: string, args: object = {}, limits = {}) => runIn(root, 'git_diff', args, limits)

async function diffText(root: string, args: object = {}): Promise<string> {
  const { data } = await diff(root, args) as { data: { diff: string } }
  return data.diff
}

describe('git_diff', () => {
  it('of the work tree, of the index, and against a commit', async () => {
    const { root, git, write } = testRepository({ 'a.txt': 'one\n' })
    write({ 'a.txt': 'two\n', 'new.txt': 'n\n' })
    git('add', 'a.txt')
    write({ 'a.txt': 'three\n' })
    expect(await diff(root)).toEqual({ data: {
      diff: 'diff --git a/a.txt b/a.txt\nindex f719efd..2bdf67a 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three\n',
      files: [{ path: 'a.txt', added: 1, removed: 1 }],
    } })
    expect(await diffText(root, { staged: true })).toContain('-one\n+two\n')
    expect(await diffText(root, { commit: 'HEAD' })).toContain('-one\n+three\n')
    expect(await diffText(root, { commit: 'main', staged: true })).toContain('-one\n+two\n')
    expect(await diff(root, { path: 'new.txt' })).toEqual({ data: { diff: '', files: [] } })
  })

  it('of what is staged before the first commit', async () => {
    const { root, git, write } = testRepository()
    write({ 'a.txt': 'one\n' })
    git('add', 'a.txt')
    expect(await diff(root, { staged: true })).toMatchObject({ data: { files: [{ path: 'a.txt', added: 1, removed: 0 }] } })
    expect(await diff(root, { commit: 'HEAD' })).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await diff(root)).toEqual({ data: { diff: '', files: [] } })
  })

  it('of renames, binary files, deletions and empty files', async () => {
    const { root, git, write } = testRepository({
      'old "name".txt': 'many\nlines\nthat\nstay\n', 'bin': new Uint8Array([0, 1, 2]), 'gone': 'x\n',
    })
    git('mv', 'old "name".txt', 'new\nname.txt')
    write({ 'bin': new Uint8Array([0, 3]), 'empty': '' })
    git('rm', '--quiet', 'gone')
    git('add', '--all')
    expect(await diff(root, { staged: true })).toMatchObject({ data: { files: [
      { path: 'bin', added: 0, removed: 0, binary: true }, { path: 'empty', added: 0, removed: 0 },
      { path: 'gone', added: 0, removed: 1 },
      { path: 'new\nname.txt', old_path: 'old "name".txt', added: 0, removed: 0 },
    ] } })
  })

  it('keeps CRLF, shows other bytes as U+FFFD, and is cut at a line', async () => {
    const { root, write } = testRepository({ 'a': '1\n' })
    write({ 'a': Buffer.from([0x31, 0x0d, 0x0a, 0xe9, 0x0a]) })
    expect(await diffText(root)).toContain('+1\r\n+\ufffd\n')
    write({ 'a': 'line\n'.repeat(10_000) })
    const { data } = await diff(root, {}, { maxOutputBytes: 1003 }) as { data: { diff: string; truncated: boolean; files: unknown } }
    expect(data).toMatchObject({ truncated: true, files: [{ path: 'a', added: 10_000, removed: 1 }] })
    expect(data.diff).toMatch(/\n\+line\n$/)
    expect(data.diff.length).toBeGreaterThan(990)
    expect(data.diff.length).toBeLessThanOrEqual(1003)
  })

  it('names paths from the root', async () => {
    const { root, write } = testRepository({ 'pkg/a/x': '1\n', 'other': '1\n' })
    write({ 'pkg/a/x': '2\n', 'other': '2\n' })
    const below = await diff(join(root, 'pkg')) as { data: { diff: string } }
    expect(below).toMatchObject({ data: { files: [{ path: 'a/x', added: 1, removed: 1 }] } })
    expect(below.data.diff).toContain('diff --git a/a/x b/a/x\n')
    expect(await diff(join(root, 'pkg'), { path: 'a' })).toEqual(below)
    const outer = tempDir()
    const inner = testRepository({ 'y': '1\n' }, execFileSync('mktemp', ['-d', join(outer, 'sub.XXXX')], { encoding: 'utf8' }).trim())
    inner.write({ 'y': '2\n' })
    const path = inner.root.slice(outer.length + 1)
    expect(await diff(outer, { path })).toMatchObject({ data: { files: [{ path: `${path}/y` }] } })
  })

  it('leaves out what the policy denies', async () => {
    const { root, write } = testRepository({ '.ssh/key': 'old secret\n', 'hermes.yaml': 'old\n', 'a': '1\n' })
    write({ '.ssh/key': 'new secret\n', 'hermes.yaml': 'new\n', 'a': '2\n' })
    const found = await diff(root) as { data: { diff: string } }
    expect(found).toMatchObject({ data: { files: [{ path: 'a' }] } })
    expect(found.data.diff).not.toMatch(/secret|hermes/)
    expect(await diff(root, { path: '.ssh/key' })).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it('of a link shows the link, wherever it leads', async () => {
    const { root, git, write } = testRepository({ 'a': '1\n' })
    execFileSync('ln', ['-s', '/etc/passwd', 'link'], { cwd: root })
    git('add', 'link')
    expect(await diffText(root, { staged: true, path: 'link' })).toContain('+/etc/passwd\n')
    write({})
  })

  it('has the same form whatever is configured', async () => {
    const { root, git, write } = testRepository({ 'dir/a': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'b': '1\n' })
    write({ 'dir/a': '1\n2\n3\n4\nfive\n6\n7\n8\n9\n', 'b': '2\n' })
    const plain = await diffText(root)
    for (const setting of [
      'diff.noprefix', 'diff.mnemonicPrefix', 'diff.relative', 'diff.suppressBlankEmpty',
    ]) git('config', setting, 'true')
    for (const [name, value] of [
      ['diff.context', '0'], ['color.ui', 'always'], ['color.diff', 'always'], ['diff.wordRegex', '.'],
      ['diff.renames', 'false'], ['diff.submodule', 'log'], ['core.quotePath', 'true'], ['diff.srcPrefix', 'x/'],
    ]) git('config', name!, value!)
    writeFileSync(join(root, 'order'), 'dir/*\nb\n')
    git('config', 'diff.orderFile', join(root, 'order'))
    rmSync(join(root, 'order'))
    expect(await diffText(root)).toBe(plain)
  })

  it.each([
    ['-p', 'INVALID_PARAMETER'], ['--output=stolen', 'INVALID_PARAMETER'], ['mian', 'INVALID_PARAMETER'], ['', 'INVALID_PARAMETER'],
    ['HEAD..HEAD', 'INVALID_PARAMETER'], ['a\nb', 'INVALID_PARAMETER'], ['HEAD:a', 'INVALID_PARAMETER'],
  ])('refuses the commit %j', async (commit, code) => {
    const { root } = testRepository({ 'a': '1\n' })
    const refused = await diff(root, { commit })
    expect(refused).toMatchObject({ code, message: expect.stringContaining('git_diff: unknown commit') as string })
    if (commit === 'mian') expect(refused).toMatchObject({ hint: expect.stringMatching(/^Did you mean main\?/) as string })
    expect(await diff(root)).toEqual({ data: { diff: '', files: [] } })
  })

  it('takes expressions', async () => {
    const { root, git, write } = testRepository({ 'a': '1\n' })
    write({ 'a': '2\n' })
    git('commit', '--all', '--quiet', '--message=second commit')
    git('tag', 'v1')
    for (const commit of ['HEAD~1', 'v1^', ':/first', git('rev-parse', '--short', 'HEAD^')]) {
      expect(await diffText(root, { commit })).toContain('-1\n+2\n')
    }
  })

  it('shows files in conflict as git does, and lists them', async () => {
    const { root, git, write } = testRepository({ 'sub/f': '1\n2\n3\n', 'sub/gone': 'x\n', 'g': 'x\n', '.ssh/key': '1\n' })
    git('checkout', '--quiet', '-b', 'other')
    write({ 'sub/f': '1\ntheirs\n3\n', '.ssh/key': 'their secret\n' })
    git('rm', '--quiet', 'sub/gone')
    git('commit', '--quiet', '--all', '--message=theirs')
    git('checkout', '--quiet', 'main')
    write({ 'sub/f': '1\nours\n3\n', 'sub/gone': 'y\n', '.ssh/key': 'our secret\n' })
    git('commit', '--quiet', '--all', '--message=ours')
    expect(() => git('merge', 'other')).toThrow('git merge other')
    write({ g: 'y\n' })
    const conflict = (path: string) => ({ path, added: 0, removed: 0, conflicted: true })
    const unstaged = await diff(root) as { data: { diff: string; files: object[] } }
    expect(unstaged.data.files).toEqual([
      { path: 'g', added: 1, removed: 1 }, conflict('sub/f'), conflict('sub/gone'),
    ])
    const shown = git('diff', '--', '.', ':!.ssh')
    expect(shown).toContain('diff --cc sub/f')
    expect(unstaged.data.diff).toBe(`${shown}\n`)
    expect(await diff(root, { path: 'sub/f' })).toEqual({
      data: { diff: `${git('diff', 'sub/f')}\n`, files: [conflict('sub/f')] },
    })
    expect(await diff(root, { staged: true })).toEqual({
      data: { diff: '* Unmerged path sub/f\n* Unmerged path sub/gone\n', files: [conflict('sub/f'), conflict('sub/gone')] },
    })
    expect(await diff(root, { commit: 'HEAD', path: 'sub/f' })).toEqual({
      data: { diff: `${git('diff', 'HEAD', 'sub/f')}\n`, files: [{ path: 'sub/f', added: 4, removed: 0, conflicted: true }] },
    })
    expect(await diff(`${root}/sub`)).toMatchObject({ data: { files: [conflict('f'), conflict('gone')] } })
  })

  it('where there is no repository', async () => {
    expect(await diff(testDirectory().root)).toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })
})
