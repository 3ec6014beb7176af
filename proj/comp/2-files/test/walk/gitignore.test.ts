import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { git, plant, type Tree, walked } from './planted-tree.js'

describe('walk with gitignore', () => {
  it.each<[name: string, tree: Tree, start: string, found: string[]]>([
    ['rules without a repository', { '.gitignore': '*.log\n!b.log', 'a.log': '', 'b.log': '', 'c/a.log': '' }, '.', [
      '.gitignore', 'b.log',
    ]],
    ['a start that is ignored itself, and what its own rules say', {
      '.gitignore': 'lib/\n*.js', 'lib/.gitignore': '*.md', 'lib/a.js': '', 'lib/a.md': '', 'lib/deep/b.js': '',
    }, 'lib', ['.gitignore', 'a.js', 'deep/b.js']],
    ['a start below an ignored directory', { '.gitignore': 'lib/\n*.js', 'lib/x/a.js': '' }, 'lib/x', ['a.js']],
    ['rules of a parent', { '.gitignore': '/lib/*.js\n', 'lib/a.js': '', 'lib/b.ts': '' }, 'lib', ['b.ts']],
    ['.ignore before .gitignore, at every level', {
      '.ignore': '!lib/\n*.md', '.gitignore': 'lib/\n*.js', 'lib/.gitignore': '!*.md\n!keep.js', 'lib/a.md': '',
      'lib/a.ts': '', 'lib/a.js': '', 'lib/keep.js': '', 'lib/deep/b.ts': '',
    }, '.', ['.gitignore', '.ignore', 'lib/.gitignore', 'lib/a.ts', 'lib/deep/b.ts', 'lib/keep.js']],
    ['.rgignore before .ignore', { '.rgignore': '!a', '.ignore': 'a\nb', 'a': '', 'b': '' }, '.', [
      '.ignore', '.rgignore', 'a',
    ]],
    ['names in UTF-8', { '.gitignore': '\u00e9*', '\u00e9/a': '', 'e': '' }, '.', ['.gitignore', 'e']],
    ['which rules could take too long', {
      '.gitignore': `${'**/a/'.repeat(40)}b\n${'*a'.repeat(60)}b\nc`, [`${'a/'.repeat(150)}d`]: '', [`${'a'.repeat(200)}/c`]: '',
    }, '.', ['.gitignore', `${'a/'.repeat(150)}d`]],
    ['rules that say one thing many times', {
      '.gitignore': '/**/**/***/**/**/a\n!**/**/**/**/b/a\nc/**/**/**/**', 'd/a': '', 'b/a': '', 'c/d/e': '', 'e': '',
    }, '.', ['.gitignore', 'b/a', 'e']],
    ['a directory named as a file of rules', { '.gitignore/a': '', 'b': '' }, '.', ['.gitignore/a', 'b']],
  ])('knows %s', async (_name, tree, start, found) => {
    const root = tempDir()
    plant(root, tree)
    expect(await walked(root, start)).toEqual(found)
  })

  it('keeps rules of git out of repositories inside, and takes those of a linked work tree', async () => {
    const root = tempDir()
    const outer = join(root, 'outer')
    plant(outer, { '.gitignore': '*.log', 'a.log': '', 'inner/b.log': '', 'inner/c.tmp': '' })
    git(outer, 'init', '-q')
    git(outer, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
    git(join(outer, 'inner'), 'init', '-q')
    writeFileSync(join(outer, '.git/info/exclude'), '*.tmp')
    expect(await walked(outer)).toEqual(['.gitignore', 'inner/b.log', 'inner/c.tmp'])
    git(outer, 'worktree', 'add', '-q', join(root, 'linked'))
    plant(join(root, 'linked'), { 'c.tmp': '', 'd': '' })
    expect(await walked(join(root, 'linked'))).toEqual(['d'])
    expect(await walked(join(root, 'linked'), '.', { gitignore: false })).toEqual(['c.tmp', 'd'])
  })

  it('reads rules no further up than the gate allows, and through no link out of there', async () => {
    const root = tempDir()
    plant(root, { '.gitignore': '*.js', 'lib/a.js': '', 'rules': 'a.js' })
    symlinkSync('../rules', join(root, 'lib/.gitignore'))
    expect(await walked(join(root, 'lib'))).toEqual(['a.js'])
  })

  it.each(['', 'a', 'a/b'])('ends where the root is also called %j, a directory above it', async (above) => {
    const top = tempDir()
    plant(top, { '.gitignore': '*.js', 'a/b/c/.gitignore': '*.log', 'a/b/c/a.js': '', 'a/b/c/d/e': '', 'a/b/c/d/f.log': '' })
    const aliases = [join(top, above)]
    expect(await walked(join(top, 'a/b/c'), '.', {}, aliases)).toEqual(['.gitignore', 'a.js', 'd/e'])
    expect(await walked(join(top, 'a/b/c'), 'd', {}, aliases)).toEqual(['e'])
  })

  it('passes over hidden names on request', async () => {
    const root = tempDir()
    plant(root, { '.a': '', '.b/c': '', 'd/.e': '', 'd/f': '' })
    expect(await walked(root, '.', { hidden: false })).toEqual(['d/f'])
  })

  it('goes by path or by name', async () => {
    const root = tempDir()
    const names = ['a-b', 'a/z', 'a.txt', '\uff5e', '\u{1f600}', 'B']
    plant(root, Object.fromEntries(names.map((name) => [name, ''])))
    expect(await walked(root)).toEqual(['B', 'a-b', 'a.txt', 'a/z', '\u{1f600}', '\uff5e'])
    expect(await walked(root, '.', { order: 'name' })).toEqual(['B', 'a/z', 'a-b', 'a.txt', '\uff5e', '\u{1f600}'])
  })
})
