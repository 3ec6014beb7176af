import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { KeptResource, VerbContext } from '../../../0-contracts/src/index.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

const opened: Map<string, KeptResource>[] = []

afterEach(async () => {
  for (const kept of opened.splice(0)) {
    for (const resource of kept.values()) await resource[Symbol.asyncDispose]()
  }
})

/** A session that keeps what its calls open. */
function sessionIn(root: string, kind: 'disk' | 'overlay' = 'disk'): VerbContext {
  const context = contextFor(root, kind)
  const kept = new Map<string, KeptResource>()
  opened.push(kept)
  return { ...context, session: { ...context.session, kept } }
}

/** Where the name at a place is defined, as `path:line`. */
async function definitionAt(context: VerbContext, file_path: string, line: number, column: number): Promise<string> {
  const outcome = await runVerb('get_definition', { file_path, line, column }, context) as {
    data?: { definitions: { path: string; line: number }[] }; code?: string
  }
  return outcome.data?.definitions.map((one) => `${one.path}:${one.line}`).join() ?? String(outcome.code)
}

const TREE = {
  'tsconfig.json': '{ "compilerOptions": { "paths": { "#a": ["./a.ts"] } } }',
  'main.ts': "import { f } from './b'\nimport { g } from '#a'\nf()\ng()\n",
  'a.ts': 'export function g() {}\n',
  'b.ts': 'export function f() {}\n',
}

/** So long ago that the times of the files prove what is in them. */
function makeOld(root: string, names: readonly string[]): void {
  for (const name of ['.', ...names]) utimesSync(join(root, name), 1_000_000_000, 1_000_000_000)
}

describe.each([['just written', false], ['long there', true]])('files %s: a session sees', (_, isOld) => {
  const start = async (tree: Record<string, string> = TREE): Promise<[string, VerbContext]> => {
    const root = tempDir()
    plant(root, tree)
    if (isOld) makeOld(root, Object.keys(tree))
    const context = sessionIn(root)
    expect(await definitionAt(context, 'main.ts', 4, 1)).toBe('a.ts:1')
    return [root, context]
  }

  it('that a text has changed', async () => {
    const [root, context] = await start()
    expect(await definitionAt(context, 'main.ts', 3, 1)).toBe('b.ts:1')
    // Of the same size.
    writeFileSync(join(root, 'b.ts'), '\nexport function f(){}\n')
    expect(await definitionAt(context, 'main.ts', 3, 1)).toBe('b.ts:2')
    expect(await definitionAt(context, 'main.ts', 4, 1)).toBe('a.ts:1')
  })

  it('that a file is gone, and back', async () => {
    const [root, context] = await start()
    rmSync(join(root, 'b.ts'))
    expect(await definitionAt(context, 'main.ts', 3, 1)).toBe('main.ts:1')
    writeFileSync(join(root, 'b.ts'), '//\nexport function f() {}\n')
    expect(await definitionAt(context, 'main.ts', 3, 1)).toBe('b.ts:2')
  })

  it('a file of the project that declares for all', async () => {
    const [root, context] = await start({ ...TREE, 'use.ts': 'shout()\n' })
    expect(await definitionAt(context, 'use.ts', 1, 1)).toBe('TEXT_NOT_FOUND')
    mkdirSync(join(root, 'deep'))
    writeFileSync(join(root, 'deep/shout.ts'), 'function shout() {}\n')
    expect(await definitionAt(context, 'use.ts', 1, 1)).toBe('deep/shout.ts:1')
  })

  it('that aliases have changed', async () => {
    const [root, context] = await start()
    writeFileSync(join(root, 'c.ts'), '// c\nexport function g() {}\n')
    writeFileSync(join(root, 'tsconfig.json'), '{ "compilerOptions": { "paths": { "#a": ["./c.ts"] } } }')
    expect(await definitionAt(context, 'main.ts', 4, 1)).toBe('c.ts:2')
  })

  it('a nearer configuration', async () => {
    const [root, context] = await start({ ...TREE, 'src/main.ts': "import { g } from '#a'\ng()\n" })
    expect(await definitionAt(context, 'src/main.ts', 2, 1)).toBe('a.ts:1')
    plant(root, { 'src/tsconfig.json': '{ "compilerOptions": { "paths": { "#a": ["./x.ts"] } } }', 'src/x.ts': 'export let g\n' })
    expect(await definitionAt(context, 'src/main.ts', 2, 1)).toBe('src/x.ts:1')
  })

  it('a package that is installed', async () => {
    const [root, context] = await start({ ...TREE, 'use.ts': "import { p } from 'pack'\np()\n" })
    expect(await runVerb('get_definition', { file_path: 'use.ts', line: 2, column: 1 }, context)).toMatchObject({
      data: { definitions: [{ path: 'use.ts', line: 1 }], external: 'pack' },
    })
    plant(root, { 'node_modules/pack/index.d.ts': 'export function p(): void\n' })
    expect(await definitionAt(context, 'use.ts', 2, 1)).toBe('node_modules/pack/index.d.ts:1')
  })

  it('nothing of a file that now leads out of the root', async () => {
    const [root, context] = await start()
    expect(await definitionAt(context, 'main.ts', 3, 1)).toBe('b.ts:1')
    const outside = join(tempDir(), 'b.ts')
    writeFileSync(outside, 'export function f() {}\n')
    rmSync(join(root, 'b.ts'))
    symlinkSync(outside, join(root, 'b.ts'))
    expect(await definitionAt(context, 'main.ts', 3, 1)).toBe('main.ts:1')
  })
})

it('a dry run sees its own files, the next one others', async () => {
  const root = tempDir()
  plant(root, TREE)
  const first = sessionIn(root, 'overlay')
  expect(await definitionAt(first, 'main.ts', 3, 1)).toBe('b.ts:1')
  first.files.write(first.gate.approve('b.ts', 'write'), '\nexport function f(){}\n')
  expect(await definitionAt(first, 'main.ts', 3, 1)).toBe('b.ts:2')
  const { files, gate } = contextFor(root, 'overlay')
  expect(await definitionAt({ ...first, files, gate }, 'main.ts', 3, 1)).toBe('b.ts:1')
})

it('members of an import from outside come from there', async () => {
  const root = tempDir()
  plant(root, { 'a.ts': "import * as fs from 'node:fs'\nimport { b } from './gone'\nfs.read().then()\nb.read()\n" })
  const at = async (line: number, column: number) => (
    runVerb('get_definition', { file_path: 'a.ts', line, column }, contextFor(root, 'disk'))
  )
  expect(await at(3, 4)).toMatchObject({ data: { definitions: [], external: 'node:fs' } })
  expect(await at(3, 11)).toMatchObject({ data: { definitions: [], external: 'node:fs' } })
  expect(await at(4, 3)).toMatchObject({ code: 'TEXT_NOT_FOUND' })
})
