import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { gitlinksAround, gitlinksIn } from '../src/index.js'

const NAMES = ['a', 'b/long/er', 'b/longer', `c/${'x'.repeat(200)}`.repeat(30), 'name with space', 'ünï']

interface Repository {
  root: string
  index: string
  git(...args: string[]): string
}

function repository(...flags: string[]): Repository {
  const root = tempDir()
  const git = (...args: string[]): string => execFileSync('git', args, {
    cwd: root, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
  git('init', '--quiet', ...flags)
  return { root, index: join(root, '.git/index'), git }
}

function addAll({ root, git }: Repository, names: readonly string[] = NAMES): void {
  writeFileSync(join(root, 'b-file'), 'x')
  writeFileSync(join(root, 'z'), 'x')
  git('add', '.')
  git('add', '--intent-to-add', 'z')
  const some = git('hash-object', 'z').trim()
  for (const name of names) git('update-index', '--add', '--cacheinfo', `160000,${some},${name}`)
}

describe('the submodules that an index names', () => {
  it.each([2, 3, 4])('are those that git tells of (version %d)', version => {
    const made = repository()
    addAll(made)
    made.git('update-index', `--index-version=${version}`)
    writeFileSync(join(made.root, 'new'), 'x')
    if (version === 3) made.git('add', '--intent-to-add', 'new')
    expect([...gitlinksIn(made.index) ?? []].sort()).toEqual([...NAMES].sort())
  })

  it('are known of a repository of SHA-256, and from a directory of it', () => {
    const made = repository('--object-format=sha256')
    addAll(made, ['a', 'deep/er'])
    expect(gitlinksAround(made.root)).toEqual([join(made.root, 'a'), join(made.root, 'deep/er')])
  })

  it('are known of an index in two parts', () => {
    const made = repository()
    addAll(made, ['in-one', 'in-both'])
    made.git('update-index', '--split-index')
    made.git('update-index', '--add', '--cacheinfo', `160000,${made.git('hash-object', 'z').trim()},in-the-other`)
    expect([...gitlinksIn(made.index) ?? []].sort()).toEqual(['in-both', 'in-one', 'in-the-other'])
  })

  it('are not known where the other part is missing', () => {
    const made = repository()
    addAll(made, ['in-one'])
    made.git('update-index', '--split-index')
    const [other = ''] = readdirSync(join(made.root, '.git')).filter(name => name.startsWith('sharedindex.'))
    rmSync(join(made.root, '.git', other))
    expect(gitlinksIn(made.index)).toBeUndefined()
  })

  it('keep every byte of their names', () => {
    const made = repository()
    addAll(made, [])
    const entry = Buffer.from(`160000 ${made.git('hash-object', 'z').trim()}\todd-\xff\0`, 'latin1')
    execFileSync('git', ['update-index', '-z', '--index-info'], { cwd: made.root, input: entry })
    expect(gitlinksIn(made.index)).toEqual(['odd-\udcff'])
  })

  it('are read anew where the index changes, and none are where there is none', () => {
    const made = repository()
    expect(gitlinksIn(made.index)).toEqual([])
    addAll(made, ['a'])
    expect(gitlinksIn(made.index)).toEqual(['a'])
    made.git('rm', '--quiet', '--cached', 'a')
    expect(gitlinksIn(made.index)).toEqual([])
  })

  it.each([0, 4, 11, 40, 100])('are not known of an index that was cut after %d bytes', length => {
    const made = repository()
    addAll(made, ['a'])
    truncateSync(made.index, length)
    expect(gitlinksIn(made.index)).toBeUndefined()
  })
})
