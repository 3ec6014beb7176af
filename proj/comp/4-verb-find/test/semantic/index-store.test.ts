import { execFile } from 'node:child_process'
import {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { loadIndex } from '../../src/semantic/index-store.js'
import { pathsFor, plantOld, search, watchedContext } from './run-search.js'

const TREE = { 'a.ts': 'export function needle() {}\n', 'b.md': '# Other\n' }

function indexed(root: string): string {
  return join(root, '.hermes', 'index', 'code.jsonl')
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
    expect(readdirSync(join(root, '.hermes', 'index'))).toEqual(['code.jsonl'])
  })

  it.each([
    ['empty', () => ''],
    ['cut short', (text: string) => text.slice(0, -20)],
    ['without its last line', (text: string) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`],
    ['of another version', (text: string) => text.replace(/"version":\d+/, '"version":999')],
    ['no JSON', (text: string) => text.replace('"path"', 'path')],
    ['of wrong entries', (text: string) => text.replace(/"chunks":\[.*?\]\}/g, '"chunks":[{"body":7}]}')],
    ['of other things', (text: string) => text.replace(/\n\{.*/g, '\n7')],
  ])('is built anew where it is %s', async (_, damage) => {
    const root = tempDir()
    plantOld(root, TREE)
    await search(watchedContext(root).context, { query: 'needle' })
    const good = readFileSync(indexed(root), 'utf8')
    writeFileSync(indexed(root), damage(good))
    expect(await pathsFor(watchedContext(root).context, 'needle')).toEqual(['a.ts'])
    expect(readFileSync(indexed(root), 'utf8')).toBe(good)
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
      rmSync(out, { recursive: true, force: true })
    }
    expect(loadIndex(root).size).toBe(100)
    expect(readdirSync(join(root, '.hermes', 'index'))).toEqual(['code.jsonl'])
  })
})
