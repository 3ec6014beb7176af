import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { tokensAtMost } from '../../../1-reports/src/index.js'
import { symbolOutline } from '../../src/outline/symbol-outline.js'
import { contextFor, loadVerb, plant, runVerb, type Tree } from '../../../5-executor/test/verbs/golden-harness.js'

interface Outlined {
  text: string
  symbol_count: number
  total_symbols: number
}

async function outlineOf(tree: Tree, args: object = {}): Promise<Outlined> {
  const root = tempDir()
  plant(root, tree)
  const context = contextFor(root, 'disk', { maxFileBytes: 1_000_000 })
  return (await runVerb('symbol_outline', args, context) as { data: Outlined }).data
}

describe('symbol_outline', () => {
  it('its examples are valid and run', async () => {
    const { examples, args } = await loadVerb('symbol_outline')
    const root = tempDir()
    plant(root, { 'src/main.ts': 'export function main() {}\n' })
    for (const example of examples) {
      expect(v.is(args, example)).toBe(true)
      expect(await runVerb('symbol_outline', example as object, contextFor(root, 'disk'))).toHaveProperty('data')
    }
  })

  it('is cancelled, and touches nothing outside the root', async () => {
    const root = tempDir()
    plant(root, { 'src/main.ts': 'export function main() {}\n' })
    symlinkSync('/etc', join(root, 'link'))
    const context = contextFor(root, 'disk')
    const stopped = { ...context, signal: AbortSignal.abort() }
    expect(await runVerb('symbol_outline', {}, stopped)).toMatchObject({ code: 'CANCELLED' })
    for (const path of ['/etc', 'link', 'link/a.ts']) {
      expect(await runVerb('symbol_outline', { path }, context)).toMatchObject({ code: 'POLICY_DENIED' })
    }
  })

  it.each([{ depth: 0 }, { max_tokens: 99 }, { max_tokens: 50_001 }, { path: '../a' }])(
    'refuses %j', async (args) => expect(v.is((await loadVerb('symbol_outline')).args, args)).toBe(false),
  )

  it('has its pattern checked with the other arguments, before it runs', () => {
    expect(() => symbolOutline.check?.({ path: '.', pattern: '[a', max_tokens: 2000 })).toThrow('a [ without a ]')
    expect(() => symbolOutline.check?.({ path: '.', max_tokens: 2000 })).not.toThrow()
  })

  it('has no more tokens than were asked for, and counts what it shows', async () => {
    const name = fc.oneof(fc.stringMatching(/^[a-z]{1,12}$/), fc.constantFrom('长名字', 'ÄÖÜ', 'x'.repeat(300)))
    const definition = fc.oneof(
      name.map((n) => `export function ${n}(a: string, b = [1, 2]): Promise<void> {}`),
      fc.tuple(name, fc.array(name, { maxLength: 8 })).map(([n, members]) => (
        `class ${n} {\n${members.map((m) => `  ${m}(x: number) { return ${n}.${m} }`).join('\n')}\n}`
      )),
      name.map((n) => `const ${n} = {{{`), fc.constant('\r\n'), fc.constant('use(main, other)'),
    )
    const path = fc.tuple(fc.constantFrom('', 'src/', 'src/lib/', 'a b/', '"x/', '\u202e/'), name, fc.nat(9))
      .map(([folder, n, number]) => `${folder}${n.slice(0, 50)}${number}.ts`)
    const trees = fc.dictionary(path, fc.array(definition, { maxLength: 20 }).map((lines) => lines.join('\n')), {
      minKeys: 1, maxKeys: 12,
    })
    await fc.assert(fc.asyncProperty(trees, fc.integer({ min: 100, max: 700 }), fc.boolean(), async (tree, most, one) => {
      const args = { max_tokens: most, ...(one && { path: Object.keys(tree)[0] }) }
      const { text, symbol_count: shown, total_symbols: total } = await outlineOf(tree, args)
      expect(tokensAtMost(text)).toBeLessThanOrEqual(most)
      expect(text).not.toMatch(/[\r\u202e]/)
      const lines = text.split('\n').filter((line) => /^ {2}\d/.test(line))
      expect(lines.length).toBeLessThanOrEqual(shown)
      expect(shown).toBeLessThanOrEqual(total)
      if (shown < total) expect(text.split('\n').at(-1)).toContain(`Left out: ${total - shown} of ${total} definitions`)
      else expect(text).not.toContain('Left out:')
    }), { numRuns: 60 })
  })

  it('puts first what many files use, without tests and names that are the language\'s own', async () => {
    const uses = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [
      `src/use${n}.py`, `from core import open_store\n\ndef use${n}():\n    open_store(str(1))\n`,
    ]))
    const { text } = await outlineOf({
      ...uses,
      'src/core.py': 'def open_store(path): pass\n\ndef helper(): pass\n',
      'src/odd.py': 'def str(x): pass\n',
      'tests/test_core.py': 'def test_a():\n    open_store()\n\ndef test_b():\n    use1()\n',
    }, { max_tokens: 100 })
    expect(text.split('\n').slice(0, 2)).toEqual(['src/core.py:', '  1 def open_store(path)'])
    expect(text).not.toContain('tests/')
  })

  it('counts a use for the file that it imports, and none for a name of the language or of another module', async () => {
    const uses = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [
      `src/use${n}.py`, `import re\nfrom store import load\nfrom json import dumps\n\n`
        + `def use${n}():\n    load(re.sub(1), dumps(2)); print(3)\n`,
    ]))
    const { text } = await outlineOf({
      ...uses,
      'src/store.py': 'def load(path): pass\n',
      'src/other.py': 'def load(path): pass\n\ndef dumps(x): pass\n',
      'src/words.py': 'class re:\n    pass\n\ndef print(x): pass\n',
    }, { max_tokens: 100, path: 'src' })
    expect(text.split('\n').slice(0, 2)).toEqual(['src/store.py:', '  1 def load(path)'])
    expect(text).not.toMatch(/words|dumps/)
  })

  it('follows names through an index file, and sees other modules as no name of a tree', async () => {
    const { text } = await outlineOf({
      'app/a.ts': "import { open, join } from '../store/index.js'\nimport { slice } from 'lodash'\nslice(open(join()))\n",
      'app/b.ts': "import { open } from '../store/index.js'\nopen(1)\n",
      'store/index.ts': "export * from './src/files.js'\n",
      'store/src/files.ts': 'export function open() {}\nfunction unused() {}\n',
      'text/strings.ts': 'export function slice() {}\nexport function open() {}\n',
    }, { max_tokens: 100 })
    expect(text.split('\n').slice(0, 2).join('\n')).toMatch(/^store\/src\/files.ts:.*\n {2}1 export function open\(\)$/)
  })

  it('writes no index in a dry run', async () => {
    const root = tempDir()
    plant(root, { 'a.ts': 'export function a() {}\n' })
    await runVerb('symbol_outline', {}, contextFor(root, 'overlay'))
    expect(existsSync(join(root, '.hermes'))).toBe(false)
  })

  it('ends over code that is nested deeply, and over one long line', async () => {
    const { text } = await outlineOf({ 'a.ts': `${'function g() {'.repeat(3000)}${'}'.repeat(3000)}\nfunction last() {}\n` })
    expect(text).toContain('last()')
    const members = Array.from({ length: 5000 }, (_, n) => `m${n}(){}`).join(';')
    const long = await outlineOf({ 'a.js': `class A{${members}}` }, { path: 'a.js', max_tokens: 200 })
    expect(long).toMatchObject({ total_symbols: 5001 })
    expect(tokensAtMost(long.text)).toBeLessThanOrEqual(200)
  })
})
