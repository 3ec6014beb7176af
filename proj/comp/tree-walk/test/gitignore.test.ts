import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { DiskFiles } from '../../files/src/index.js'
import { createPathGate } from '../../policy/src/index.js'
import { walk, type WalkOptions } from '../src/index.js'

type Tree = Record<string, string>

function plant(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

async function walked(root: string, start = '.', options: Partial<WalkOptions> = {}): Promise<string[]> {
  const gate = createPathGate({ root })
  const context = { gate, files: new DiskFiles(), signal: new AbortController().signal }
  const found: string[] = []
  for await (const { relative } of walk(gate.approve(start, 'read'), context, {
    gitignore: true, onUnreadable: (path, error) => expect.unreachable(`${path}: ${error.code}`), ...options,
  })) found.push(relative)
  return found
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  })
}

function gitFiles(root: string): string[] {
  const listed = git(root, 'ls-files', '--others', '--cached', '--exclude-standard', '-z')
  return listed.split('\0').filter((path) => path !== '').sort()
}

const NAMES = ['a', 'b', 'ab', 'a b', 'x.log', '.h', '[a]', '#h', '!n', 'a\\b', 'end ', '{a,b}', 'a*'] as const
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const piece = fc.constantFrom('a', 'b', 'a b', '*', '*.log', '?', '[ab]', '[!a]', '[a-', '**', 'a*', '*b', '\\[a\\]',
  '\\#h', '\\!n', '\\a', 'a\\\\b', 'end\\ ', '{a,b}', 'a\\*', '.*', '[[:alpha:]]', '***', '[]a]', 'end', '\\')
const pattern = fc.tuple(
  fc.constantFrom('', '', '', '!', '!', '#', ' '), fc.constantFrom('', '', '/', '**/', '/**/'),
  fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('/')),
  fc.constantFrom('', '', '/', '/**', '/*', ' ', '  ', '\t', '\\ ', '\\'),
).map((parts) => parts.join(''))
const rules = fc.tuple(
  fc.array(fc.oneof({ weight: 9, arbitrary: pattern }, { weight: 1, arbitrary: fc.constant('') }), { maxLength: 5 }),
  fc.constantFrom('\n', '\n', '\r\n'), fc.boolean(), fc.constantFrom('', '', '', '\ufeff'),
).map(([lines, end, last, mark]) => mark + lines.join(end) + (last ? end : ''))

describe('walk with gitignore', () => {
  it('finds what git lists', async () => {
    const base = tempDir()
    const directory = fc.oneof(fc.constant(''), path.map((names) => `${names}/`))
    await fc.assert(fc.asyncProperty(
      fc.array(path, { minLength: 3, maxLength: 12 }),
      fc.array(fc.tuple(directory, rules), { minLength: 1, maxLength: 4 }),
      fc.option(rules, { nil: '' }),
      async (paths, ignores, exclude) => {
        const root = mkdtempSync(join(base, 'tree-'))
        git(root, 'init', '-q')
        writeFileSync(join(root, '.git/info/exclude'), exclude)
        const files = withoutFilesAbove([...paths, ...ignores.map(([where]) => `${where}.gitignore`)])
        plant(root, Object.fromEntries(files.map((file) => [file, ''])))
        for (const [where, text] of ignores) {
          if (files.includes(`${where}.gitignore`)) writeFileSync(join(root, where, '.gitignore'), text)
        }
        const expected = gitFiles(root)
        expect((await walked(root)).sort()).toEqual(expected)
        const below = dirname(expected.findLast((file) => file.includes('/')) ?? '.gitignore')
        const fromBelow = (await walked(root, below)).map((file) => (below === '.' ? file : `${below}/${file}`))
        expect(fromBelow.sort()).toEqual(expected.filter((file) => below === '.' || file.startsWith(`${below}/`)))
        rmSync(root, { recursive: true })
      },
    ), { numRuns: 100 })
  })

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

/** Leaves out paths that another needs as a directory. */
function withoutFilesAbove(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((file) => !paths.some((other) => other.startsWith(`${file}/`)))
}
