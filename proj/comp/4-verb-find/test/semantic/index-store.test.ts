import { execFile } from 'node:child_process'
import {
  cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { loadIndex } from '../../src/semantic/index-store.js'
import { pathsFor, plantOld, search, watchedContext } from './run-search.js'

const TREE = { 'a.ts': 'export function needle() {}\n', 'b.md': '# Other\n' }

function indexed(root: string): string {
  return join(root, '.hermes', 'index', 'passages.bin')
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
      .toMatchObject({ indexed_files: 2002, results: [{ path: 'a.ts' }] })
    expect(second.reads).toEqual([join(root, 'a.ts')])
    const third = watchedContext(root)
    plantOld(root, { 'b.md': '# Changed\n' })
    await search(third.context, { query: 'xylophone' })
    expect(third.reads).toEqual([join(root, 'b.md')])
  })

  it('is for the owner alone, ignored by git, and holds no text of a file', async () => {
    const root = tempDir()
    plantOld(root, { 'a.txt': 'a secret sentence in order\n' })
    await search(watchedContext(root).context, { query: 'secret' })
    expect(statSync(indexed(root)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(root, '.hermes', '.gitignore'), 'utf8')).toBe('*\n')
    expect(readFileSync(indexed(root), 'utf8')).not.toContain('secret sentence')
    expect(readdirSync(join(root, '.hermes', 'index')).sort()).toEqual(['passages.bin', 'passages.seal'])
  })

  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut short', (content: Buffer) => content.subarray(0, -20)],
    ['longer', (content: Buffer) => Buffer.concat([content, Buffer.from('x')])],
    ['of another version', (content: Buffer) => edited(content, '"version":2', '"version":9')],
    ['of another order of bytes', (content: Buffer) => edited(content, '"order":6', '"order":7')],
    ['no JSON', (content: Buffer) => edited(content, '{"path"', '[!path"')],
    ['of wrong records', (content: Buffer) => edited(content, '"size":', '"sice":')],
    ['of wrong lengths', (content: Buffer) => content.map((byte, at) => (at === content.indexOf('"lengths":[') + 11 ? 57 : byte))],
  ])('is built anew where it is %s', async (_, damage) => {
    const root = tempDir()
    plantOld(root, { ...TREE, 'c.md': 'other words\n' })
    await search(watchedContext(root).context, { query: 'needle' })
    const good = readFileSync(indexed(root))
    const damaged = damage(good)
    expect(good.equals(damaged)).toBe(false)
    writeFileSync(indexed(root), damaged)
    expect(await pathsFor(watchedContext(root).context, 'needle')).toEqual(['a.ts'])
    expect(readFileSync(indexed(root)).equals(good)).toBe(true)
  })

  it('finds what is there, whatever bytes are changed in it, or fails in no other way than by the order', async () => {
    const root = tempDir()
    plantOld(root, TREE)
    await search(watchedContext(root).context, { query: 'needle' })
    const good = readFileSync(indexed(root))
    await fc.assert(fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), async (at, byte) => {
      writeFileSync(indexed(root), good.map((old, i) => (i === at ? byte : old)))
      const { results } = await search(watchedContext(root).context, { query: 'needle' })
      for (const { path, text } of results) expect(readFileSync(join(root, path), 'utf8')).toContain(text)
    }), { numRuns: 200 })
  }, 30_000)

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

  it('takes none that was unpacked or copied to its place', async () => {
    const [root, elsewhere] = [tempDir(), tempDir()]
    plantOld(root, TREE)
    await search(watchedContext(root).context, { query: 'needle' })
    cpSync(join(root, '.hermes'), elsewhere, { recursive: true, preserveTimestamps: true })
    rmSync(join(root, '.hermes'), { recursive: true })
    cpSync(elsewhere, join(root, '.hermes'), { recursive: true, preserveTimestamps: true })
    // As long as what was indexed, and of the same time.
    plantOld(root, { 'a.ts': TREE['a.ts'].replace('needle', 'thread') })
    expect(await pathsFor(watchedContext(root).context, 'thread')).toEqual(['a.ts'])
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
      rmSync(out, { recursive: true, force: true })
    }
    expect(loadIndex(root)?.files.size).toBe(100)
    expect(readdirSync(join(root, '.hermes', 'index')).sort()).toEqual(['passages.bin', 'passages.seal'])
  })
})
