import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { git, plant, walked } from './planted-tree.js'

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

it('walk with gitignore finds what git lists', async () => {
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

/** Leaves out paths that another needs as a directory. */
function withoutFilesAbove(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((file) => !paths.some((other) => other.startsWith(`${file}/`)))
}
