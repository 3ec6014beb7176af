import { appendFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { DiskFiles } from '../../../2-files/src/store/index.js'
import { contextFor, loadVerb, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

const MAIN = "import { Server } from './server'\nfunction main() {\n  new Server().listen(1)\n}\n"
const SERVER = 'export class Server {\n  listen(port: number) { return port }\n}\n'

class AbortsWhenRead extends DiskFiles {
  reads = 0
  readonly #controller: AbortController

  constructor(controller: AbortController) {
    super()
    this.#controller = controller
  }

  override readBytes(path: ApprovedPath, maxBytes: number): Uint8Array {
    this.reads++
    this.#controller.abort()
    return super.readBytes(path, maxBytes)
  }
}

describe.each(['find_symbol', 'get_definition'])('%s', (name) => {
  it('its examples are valid and run', async () => {
    const root = tempDir()
    plant(root, { 'src/main.ts': MAIN, 'src/server.ts': SERVER })
    const { examples, args } = await loadVerb(name)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      expect(v.is(args, example)).toBe(true)
      expect(await runVerb(name, example as object, contextFor(root, 'disk'))).toHaveProperty('data')
    }
  })

  it('is cancelled', async () => {
    const root = tempDir()
    plant(root, { 'src/main.ts': MAIN })
    const context = { ...contextFor(root, 'disk'), signal: AbortSignal.abort() }
    const args = name === 'find_symbol' ? { symbol_name: 'main' } : { file_path: 'src/main.ts', line: 2, column: 10 }
    expect(await runVerb(name, args, context)).toMatchObject({ code: 'CANCELLED' })
  })

  it.each([{ path: '/etc/a.ts' }, { path: 'link/a.ts' }])('touches nothing outside the root: $path', async ({ path }) => {
    const root = tempDir()
    symlinkSync('/etc', join(root, 'link'))
    const args = name === 'find_symbol' ? { symbol_name: 'a', path } : { file_path: path, line: 1, column: 1 }
    expect(await runVerb(name, args, contextFor(root, 'disk'))).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it('refuses a file over the limit', async () => {
    const root = tempDir()
    plant(root, { 'a.ts': { repeat: ['let f\n', 20_000] } })
    const args = name === 'find_symbol' ? { symbol_name: 'f', path: 'a.ts' } : { file_path: 'a.ts', line: 1, column: 5 }
    expect(await runVerb(name, args, contextFor(root, 'disk'))).toMatchObject({ code: 'FILE_TOO_LARGE' })
  })

  it.each([
    {}, { symbol_name: '', file_path: '' }, { symbol_name: 'a', symbol_type: 'struct' },
    { symbol_name: 'a', path: '../b' }, { file_path: 'a.ts', line: 0, column: 1 },
    { file_path: 'a.ts', line: 1.5, column: 1 }, { file_path: 'a.ts', line: '1', column: 1 },
  ])('refuses %j', async (args) => {
    expect(v.is((await loadVerb(name)).args, args)).toBe(false)
  })
})

describe('find_symbol', () => {
  it('names of other folders take no place of those below the path, and all that match are counted', async () => {
    const root = tempDir()
    // So many files that they are in the base of the index.
    const many: Record<string, string> = {}
    for (let file = 0; file < 110; file++) {
      many[`big/${file}.py`] = Array.from({ length: 25 }, (_, index) => `def get_${file}_${index}(): ...\n`).join('')
    }
    plant(root, { ...many, 'small/a.py': 'def get_what_has_a_longer_name(): ...\n' })
    const context = contextFor(root, 'disk')
    const find = async (args: object) => runVerb('find_symbol', args, context)
    expect(await find({ symbol_name: 'get', match: 'substring' })).toMatchObject({ data: { total: 2751 } })
    const found = { data: { symbols: [{ path: 'small/a.py' }] } }
    expect(await find({ symbol_name: 'get', match: 'substring', path: 'small' })).toMatchObject(found)
    expect(await find({ symbol_name: 'get', match: 'fuzzy', path: 'small' })).toMatchObject(found)
    expect(await find({ symbol_name: 'get', path: 'small' })).toMatchObject({
      data: { symbols: [], similar: ['get_what_has_a_longer_name'] },
    })
  })
})

describe('get_definition', () => {
  it("names what is in TypeScript's own library, and reads nothing else outside", async () => {
    const outer = tempDir()
    mkdirSync(join(outer, 'root'))
    writeFileSync(join(outer, 'secret.ts'), 'export const secret = 1\n')
    writeFileSync(join(outer, 'tsconfig.json'), '{ "compilerOptions": { "paths": { "x": ["./secret.ts"] } } }')
    const root = join(outer, 'root')
    plant(root, { 'a.ts': "import { secret } from '../secret'\nimport { secret as same } from 'x'\n[secret, same].map(String)\n" })
    const at = async (line: number, column: number) => (
      runVerb('get_definition', { file_path: 'a.ts', line, column }, contextFor(root, 'disk'))
    )
    expect(await at(3, 16)).toMatchObject({
      data: { definitions: [{ path: 'lib.es5.d.ts', library: true, name: 'map', kind: 'method' }] },
    })
    // The import is all that is known of it.
    expect(await at(3, 2)).toMatchObject({ data: { definitions: [{ path: 'a.ts', line: 1 }] } })
    expect(await at(3, 10)).toMatchObject({ data: { definitions: [{ path: 'a.ts', line: 2 }] } })
  })

  it('sees what a dry run would have written', async () => {
    const root = tempDir()
    plant(root, { 'a.ts': "import { b } from './b'\nb()\n" })
    const context = contextFor(root, 'overlay')
    context.files.write(context.gate.approve('b.ts', 'write'), 'export function b() {}\n')
    expect(await runVerb('get_definition', { file_path: 'a.ts', line: 2, column: 1 }, context)).toMatchObject({
      data: { definitions: [{ path: 'b.ts', line: 1, column: 17 }] },
    })
  })
})

describe('code that is nested too deeply for the language service', () => {
  const DEEP: [name: string, text: string][] = [
    ['a.ts', `function f() {}\nf()\nif (f) {}${' else if (1) {}'.repeat(3000)}\n`],
    ['a.js', `function f() {}\nf()\nfoo${'.a()'.repeat(5000)}\n`],
    ['a.ts', `function f() {}\nf()\n${'function g() {'.repeat(5000)}${'}'.repeat(5000)}\n`],
  ]

  it.each(DEEP)('%s: found by scope', async (name, text) => {
    const root = tempDir()
    plant(root, { [name]: text, 'c.ts': 'export function h() {}\n' })
    const context = contextFor(root, 'disk', { maxFileBytes: 1_000_000 })
    expect(await runVerb('get_definition', { file_path: name, line: 2, column: 1 }, context)).toMatchObject({
      data: { definitions: [{ path: name, line: 1, column: 10, name: 'f' }], by_scope: true },
    })
  })

  it.each(DEEP)('%s: also in another file of the project', async (name, text) => {
    const root = tempDir()
    plant(root, {
      [name]: text, 'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }', 'b.ts': 'h()\nmissing()\n',
      'c.ts': 'function h() {}\n',
    })
    const context = contextFor(root, 'disk', { maxFileBytes: 1_000_000 })
    expect(await runVerb('get_definition', { file_path: 'b.ts', line: 1, column: 1 }, context)).toMatchObject({
      data: { definitions: [{ path: 'c.ts', line: 1 }] },
    })
    const missing = await runVerb('get_definition', { file_path: 'b.ts', line: 2, column: 1 }, context)
    expect(['TEXT_NOT_FOUND', 'FILE_TOO_LARGE']).toContain((missing as { code: string }).code)
  })
})

describe('find_symbol', () => {
  it('ends over broken code and tells of it', async () => {
    const root = tempDir()
    const names = ['a.py', 'b.rs']
    plant(root, {
      ...Object.fromEntries(names.map((name) => [name, { repeat: ['[', 20_000] as [string, number] }])),
      'z.py': 'def f(): pass\n',
    })
    for (const name of names) appendFileSync(join(root, name), ' f')
    const context = contextFor(root, 'disk', { maxFileBytes: 1_000_000 })
    const args = { symbol_name: 'f', include_references: true }
    const outcome = await runVerb('find_symbol', args, context) as { data: { skipped?: { path: string }[] } }
    expect(outcome).toMatchObject({ data: { symbols: [{ path: 'z.py', name: 'f' }] } })
    for (const { path } of outcome.data.skipped ?? []) expect(names).toContain(path)
  }, 300_000)

  it.each(['while the index is built', 'while references are resolved'])('is cancelled %s', async (when) => {
    const root = tempDir()
    const tree = Object.fromEntries(Array.from({ length: 20 }, (_, each) => [`f${each}.py`, 'def f(): pass\nf()\n']))
    plant(root, tree)
    // So long ago that what is indexed is not read again, but for its references.
    for (const name of Object.keys(tree)) utimesSync(join(root, name), 1_000_000_000, 1_000_000_000)
    const context = contextFor(root, 'disk')
    if (when === 'while references are resolved') await runVerb('find_symbol', { symbol_name: 'f' }, context)
    const controller = new AbortController()
    const files = new AbortsWhenRead(controller)
    const args = { symbol_name: 'f', include_references: true }
    const cancelled = runVerb('find_symbol', args, { ...context, files, signal: controller.signal })
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' })
    expect(files.reads).toBe(1)
  })

  it('passes over what the gate denies', async () => {
    const root = tempDir()
    plant(root, { '.git/a.py': 'def f(): pass\n', 'a.py': 'def f(): pass\n' })
    expect(await runVerb('find_symbol', { symbol_name: 'f' }, contextFor(root, 'disk'))).toMatchObject({
      data: { symbols: [{ path: 'a.py' }] },
    })
  })
})
