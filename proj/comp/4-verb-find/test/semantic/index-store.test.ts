import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { removeSync } from 'fs-extra/esm'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { indexOf } from '../../../3-code-index/src/index.js'
import { readQuery } from '../../src/semantic/query.js'
import { rank } from '../../src/semantic/rank.js'
import { chunksIn, decodePassages } from '../../../3-code-index/src/passages/index.js'
import { pathsFor, plantOld, search, watchedContext } from './run-search.js'

/** So many files that they are kept on disk. */
const MANY = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`many/m${i}.py`, `def m${i}(): pass\n`]))
const TREE = { ...MANY, 'a.ts': 'export function needle() {}\n', 'b.md': '# Other\n' }

function indexed(root: string): string {
  return join(root, '.hermes', 'index', 'code.passages')
}

/** With another text of the same length in place of one. */
function edited(content: Buffer, before: string, after: string): Buffer {
  return Buffer.from(content.toString('latin1').replace(before, after), 'latin1')
}

describe('the index on disk', () => {
  it('saves reading: of an unchanged tree of 2,000 files only what is shown is read again', async () => {
    const root = tempDir()
    const many = Array.from({ length: 2000 }, (_, i) => [`dir${i % 40}/file${i}.txt`, `words of file number${i}\n`])
    plantOld(root, { ...Object.fromEntries(many), ...TREE })
    const first = watchedContext(root)
    expect(await pathsFor(first.context, 'needle')).toEqual(['a.ts'])
    expect(first.reads.length).toBeGreaterThan(2000)
    const second = watchedContext(root)
    expect(await search(second.context, { query: 'needle' }))
      .toMatchObject({ indexed_files: 2022, results: [{ path: 'a.ts' }] })
    expect(second.reads).toEqual([join(root, 'a.ts')])
    const third = watchedContext(root)
    plantOld(root, { 'b.md': '# Changed\n' })
    await search(third.context, { query: 'xylophone' })
    expect(third.reads).toEqual([join(root, 'b.md')])
  })

  it('is one with that of the symbols: what one tool has read, the other does not read again', async () => {
    const root = tempDir()
    plantOld(root, TREE)
    const symbols = async ({ context }: ReturnType<typeof watchedContext>): Promise<number> => {
      const scope = { start: context.gate.approve('.', 'read'), kind: 'directory', shown: '', verb: 'test' } as const
      return (await indexOf(context).refresh(scope, context)).definitionsNamed('needle').length
    }
    const first = watchedContext(root)
    await search(first.context, { query: 'needle' })
    const [before, inProcess] = [first.reads.length, watchedContext(root)]
    expect([await symbols(first), await symbols(inProcess)]).toEqual([1, 1])
    expect([first.reads.length - before, inProcess.reads.length]).toEqual([0, 0])
    // Of a file that changed both are new, whoever asks first.
    plantOld(root, { 'b.md': '# needle\n', 'many/m1.py': 'def needle(): pass\n' })
    const second = watchedContext(root)
    expect(await symbols(second)).toBe(2)
    expect(second.reads).toEqual([join(root, 'many/m1.py')])
    expect(new Set(await pathsFor(second.context, 'needle'))).toEqual(new Set(['a.ts', 'b.md', 'many/m1.py']))
  })

  it('has no passages until someone searches by words', async () => {
    const root = tempDir()
    plantOld(root, TREE)
    const { context } = watchedContext(root)
    const scope = { start: context.gate.approve('.', 'read'), kind: 'directory', shown: '', verb: 'test' } as const
    await indexOf(context).refresh(scope, context)
    expect(readdirSync(join(root, '.hermes', 'index')).sort()).toEqual(['code.delta', 'code.seal'])
    expect(await pathsFor(watchedContext(root).context, 'needle')).toEqual(['a.ts'])
    expect(readdirSync(join(root, '.hermes', 'index')).sort()).toEqual(['code.delta', 'code.passages', 'code.seal'])
  })

  it('is for the owner alone, ignored by git, and holds no text of a file', async () => {
    const root = tempDir()
    plantOld(root, { ...MANY, 'a.txt': 'a secret sentence in order\n' })
    await search(watchedContext(root).context, { query: 'secret' })
    expect(statSync(indexed(root)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(root, '.hermes', '.gitignore'), 'utf8')).toBe('*\n')
    expect(readFileSync(indexed(root), 'utf8')).not.toContain('secret sentence')
    expect(readdirSync(join(root, '.hermes', 'index')).sort()).toEqual(['code.delta', 'code.passages', 'code.seal'])
  })

  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut short', (content: Buffer) => content.subarray(0, -20)],
    ['longer', (content: Buffer) => Buffer.concat([content, Buffer.from('x')])],
    ['of another version', (content: Buffer) => edited(content, '"version":3', '"version":9')],
    ['of another order of bytes', (content: Buffer) => edited(content, '"order":6', '"order":7')],
    ['no JSON', (content: Buffer) => edited(content, '{"key"', '[!key"')],
    ['of wrong records', (content: Buffer) => edited(content, '"hash":', '"hush":')],
    ['of wrong lengths', (content: Buffer) => content.map((byte, at) => (at === content.indexOf('"lengths":[') + 11 ? 57 : byte))],
  ])('is built anew where it is %s', async (_, damage) => {
    const root = tempDir()
    plantOld(root, { ...TREE, 'c.md': 'other words\n' })
    await search(watchedContext(root).context, { query: 'needle' })
    const good = readFileSync(indexed(root))
    const damaged = damage(good)
    expect(decodePassages(good)?.files.size).toBe(23)
    expect(damaged.length > 0 ? decodePassages(Buffer.from(damaged)) : undefined).toBeUndefined()
    writeFileSync(indexed(root), damaged)
    expect(await pathsFor(watchedContext(root).context, 'needle')).toEqual(['a.ts'])
    expect(readFileSync(indexed(root)).equals(good)).toBe(true)
  })

  it('ranks whatever bytes are changed in it, or is taken for damaged', async () => {
    const root = tempDir()
    plantOld(root, TREE)
    await search(watchedContext(root).context, { query: 'needle' })
    const good = readFileSync(indexed(root))
    const query = readQuery('needle m1')
    const ranked = (content: Buffer): number | undefined => {
      const index = decodePassages(content)
      const files = Array.from(index?.files ?? [], ([shown, passages]) => ({ shown, index: passages }))
      for (const { index: passages } of files) expect(chunksIn(passages).length).toBeLessThan(10)
      return index && rank(query, files, index.dictionary).ranked.length
    }
    expect(ranked(good)).toBeGreaterThan(1)
    fc.assert(fc.property(fc.nat(good.length - 1), fc.nat(255), (at, byte) => {
      const found = ranked(Buffer.from(good.map((old, i) => (i === at ? byte : old))))
      if (found !== undefined) expect(found).toBeGreaterThanOrEqual(0)
    }), { numRuns: 500 })
  })

  it.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a link', (path: string) => symlinkSync('/dev/zero', path)],
  ])('does without where %s stands in its place', async (_, put) => {
    const root = tempDir()
    plantOld(root, TREE)
    mkdirSync(join(root, '.hermes', 'index'), { recursive: true })
    put(indexed(root))
    expect(await pathsFor(watchedContext(root).context, 'needle')).toEqual(['a.ts'])
  })

  it('does not follow a link in place of its directory', async () => {
    const root = tempDir()
    const elsewhere = tempDir()
    plantOld(root, TREE)
    symlinkSync(elsewhere, join(root, '.hermes'))
    expect(await pathsFor(watchedContext(root).context, 'needle')).toEqual(['a.ts'])
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('stays whole when several processes use it at once', async () => {
    const root = tempDir()
    plantOld(root, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}.txt`, `needle${i} word\n`])))
    const repository = fileURLToPath(new URL('../../../../..', import.meta.url))
    const out = mkdtempSync(join(repository, 'node_modules', '.test-'))
    try {
      const program = await bundleForNode(fileURLToPath(new URL('search-process.ts', import.meta.url)), out)
      const run = promisify(execFile)
      const runs = Array.from({ length: 4 }, (_, i) => run(process.execPath, [program, root, String(i)]))
      for (const [i, { stdout }] of (await Promise.all(runs)).entries()) expect(stdout).toBe(`f${i}.txt 100\n`)
    } finally {
      removeSync(out)
    }
    expect(decodePassages(readFileSync(indexed(root)))?.files.size).toBe(100)
    // It is sealed: but for the four files that were changed last, and for what is shown, nothing is read again.
    const { context, reads } = watchedContext(root)
    await search(context, { query: 'needle1', max_results: 1 })
    expect(reads.length).toBeLessThanOrEqual(5)
    expect(readdirSync(join(root, '.hermes', 'index')).sort()).toEqual(['code.delta', 'code.passages', 'code.seal'])
  })
})
