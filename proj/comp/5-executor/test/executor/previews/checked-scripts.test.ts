import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outputFileSync } from 'fs-extra/esm'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../../src/executor/index.js'

const call = (verb: string, args: object) => (
  ['```json hermes', JSON.stringify({ verb, arguments: args }), '```'].join('\n')
)
const edit = (path: string, oldText: string, newText: string) => (
  call('edit_replace', { path, old_text: oldText, new_text: newText })
)
const CONFIG = '{"compilerOptions": {"strict": true, "plugins": [{"name": "./plugin.cjs"}]}, "include": ["src"]}'
const PROJECT = {
  'tsconfig.json': CONFIG,
  'src/a.ts': 'export function add(a: number, b: number): number {\n  return a + b\n}\n',
  'src/b.ts': "import { add } from './a.js'\nexport const sum = add(1, 2)\nexport const old: string = 5\n",
}

async function run(files: Record<string, string>, text: string, options: Partial<ExecutorOptions> = {}) {
  const root = tempDir()
  for (const [name, content] of Object.entries(files)) {
    outputFileSync(join(root, name), content)
  }
  await using hermes = new Hermes({ root, gitCommit: false, checks: 'full', checkMs: 100_000, ...options })
  const result = await hermes.execute(text)
  return { root, result, results: result.results }
}

describe('checks: full', () => {
  it('names what TypeScript finds in a changed file and did not find before', async () => {
    const text = edit('src/b.ts', 'export const sum = add(1, 2)', "export const sum = add(1, '2')")
    for (const dryRun of [false, true]) {
      const { result, results: [first] } = await run(PROJECT, text, { dryRun })
      const message = "Argument of type 'string' is not assignable to parameter of type 'number'."
      expect(result.warnings).toEqual([`src/b.ts has new problems: line 2 TS2345 ${message}`])
      expect(first).toMatchObject({
        success: true, hint: `src/b.ts has new problems: line 2 TS2345 ${message}`,
        broke: [{ path: 'src/b.ts', parseErrors: [], dropped: [], diagnostics: [{ line: 2, code: 'TS2345', message }] }],
      })
      expect(result.reply()).toContain('TS2345')
    }
  })

  it('tells each file once, with the block that wrote it last, and nothing that was there or only moved', async () => {
    const files = {
      ...PROJECT,
      'plugin.cjs': 'require("node:fs").writeFileSync(__dirname + "/ran", "")\nmodule.exports = () => ({ create: (x) => x })\n',
      'src/globals.ts': 'declare global {\n  var shared: number\n}\nexport {}\n',
      'src/c.ts': 'export const c = 1\n',
      'src/moved.ts': 'export const one: string = 1\n',
      'src/packages.ts': 'export const p = 1\n',
      'out.ts': 'export const x = 1\n',
    }
    const text = [
      call('write_file', { path: 'src/new.ts', content: 'export const made: string = 1\n' }),
      edit('src/moved.ts', 'export const one: string = 1', 'export const two = 2\nexport const one: string = 1'),
      edit('src/c.ts', 'export const c = 1', 'export const c = shared.toFixed()'),
      edit('src/packages.ts', 'export const p = 1', "import { of } from 'not-installed'\nof(n => n)\nexport const p = 1"),
      edit('out.ts', 'export const x = 1', 'export const x: string = 1'),
      edit('src/a.ts', '  return a + b', '  return a + c'),
      edit('src/b.ts', 'export const sum = add(1, 2)', 'const sum = add(1, 2)'),
      edit('src/b.ts', 'const sum = add(1, 2)', "export const sum: string = add(1, 2)\nexport const wrong: string = 5"),
    ].join('\n\n')
    const { root, result, results } = await run(files, text)
    expect(results.filter(({ success }) => !success)).toEqual([])
    const told = results.flatMap(({ seq, broke = [] }) => broke.flatMap(({ path, diagnostics = [] }) => (
      diagnostics.map(({ line, code }) => `${seq} ${path}:${line} ${code}`)
    )))
    expect(told).toEqual(['1 src/new.ts:1 TS2322', '6 src/a.ts:2 TS2304', '8 src/b.ts:2 TS2322', '8 src/b.ts:3 TS2322'])
    expect(result.warnings).toHaveLength(3)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  it('takes the configuration that includes the file, where the nearest names others', async () => {
    const { results } = await run({
      'tsconfig.json': '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
      'tsconfig.app.json': '{"compilerOptions": {"strict": true, "composite": true}, "include": ["src"]}',
      'src/a.ts': 'export const f = (a: string | null) => a\n',
    }, edit('src/a.ts', 'export const f = (a: string | null) => a', 'export const f = (a: string | null) => a.length'))
    expect(results[0]?.broke?.[0]?.diagnostics).toMatchObject([{ line: 1, code: 'TS18047' }])
  })

  it('sees nothing that verbs may not read', async () => {
    const files = { ...PROJECT, 'src/secret.ts': "export const key = 'hidden' as const\n" }
    const { result, results: [first] } = await run(
      files, edit('src/b.ts', 'export const sum = add(1, 2)', "import { key } from './secret.js'\nexport const sum: number = key"),
      { policy: { deny: ['src/secret.ts'] } },
    )
    expect(first?.broke?.[0]?.diagnostics).toMatchObject([{ line: 2, code: 'TS2307' }])
    expect(JSON.stringify(result)).not.toContain('hidden')
  })

  it('waits no longer than its time, and says so', async () => {
    const text = edit('src/b.ts', 'export const sum = add(1, 2)', "export const sum = add(1, '2')")
    const { result, results: [first] } = await run(PROJECT, text, { checkMs: 1 })
    expect(result).toMatchObject({
      success: true,
      warnings: ['TypeScript was not done within 0.001 s: new problems of the changed files are not known'],
    })
    expect(first?.broke).toBeUndefined()
  })

  it('says so where a file is too much for TypeScript', async () => {
    const deep = `export const deep = ${'('.repeat(20_000)}1${')'.repeat(20_000)}\n`
    const { result } = await run(PROJECT, call('write_file', { path: 'src/deep.ts', content: deep }))
    expect(result).toMatchObject({
      success: true,
      warnings: ['TypeScript failed (Maximum call stack size exceeded): new problems of the changed files are not known'],
    })
  })

  it.each<[string, Record<string, string>, Partial<ExecutorOptions>]>([
    ['with syntax alone', PROJECT, { checks: 'syntax' }],
    ['with no checks', PROJECT, { checks: 'off' }],
    ['without time for it', PROJECT, { checkMs: 0 }],
    ['without a configuration', { ...PROJECT, 'tsconfig.json': '' }, { policy: { deny: ['tsconfig.json'] } }],
    ['where the run is put back', PROJECT, { atomic: true }],
  ])('tells nothing %s', async (_, files, options) => {
    const text = [
      edit('src/b.ts', 'export const sum = add(1, 2)', "export const sum = add(1, '2')"), call('read_file', { path: 'none' }),
    ].join('\n\n')
    const { result, results: [first] } = await run(files, text, options)
    expect(first).toMatchObject({ success: true })
    expect([first?.broke, result.warnings]).toEqual([undefined, undefined])
  })
})

describe('checks: off', () => {
  it.each(['off', 'syntax'] as const)('looks at nothing that was written: %s', async (checks) => {
    const twice = [edit('src/a.ts', '  return a + b', '  return (a'), edit('src/a.ts', '  return (a', '  return (b')]
    for (const text of [edit('src/a.ts', '  return a + b', '  return (a'), twice.join('\n\n')]) {
      const { results } = await run(PROJECT, text, { checks })
      expect(results.at(-1)?.broke?.length).toBe(checks === 'off' ? undefined : 1)
    }
  })
})
