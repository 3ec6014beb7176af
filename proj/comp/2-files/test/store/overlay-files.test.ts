import {
  linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ApprovedPath, FileStore, PathGate } from '../../../0-contracts/src/index.js'
import { createPathGate } from '../../src/policy/index.js'
import { decodeUtf8 } from '../../src/store/decode-utf8.js'
import { DiskFiles, OverlayFiles } from '../../src/store/index.js'
import { approved, outcome } from './support/as-approved.js'

type Operation =
  | { method: 'write'; path: string; content: Uint8Array }
  | { method: 'move' | 'copy'; path: string; to: string }
  | { method: 'setExecutable'; path: string; executable: boolean }
  | { method: 'makeDirectories' | 'remove' | 'removeDirectory' | 'list' | 'stat' | 'lstat' | 'readBytes'; path: string }

const names = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 1, arbitrary: fc.constantFrom('l', 'm', '..') },
)
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const operations = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constant('write' as const), path: paths, content: fc.uint8Array({ maxLength: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ method: fc.constantFrom('move' as const, 'copy' as const), path: paths, to: paths }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ method: fc.constant('setExecutable' as const), path: paths, executable: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      method: fc.constantFrom('makeDirectories', 'remove', 'removeDirectory', 'list', 'stat', 'lstat', 'readBytes'),
      path: paths,
    }),
  },
)

/** A tree with two names of a file, and links to a file, to a directory, to nothing, and out of the root. */
function build(): string {
  const root = join(tempDir(), 'root')
  mkdirSync(join(root, 'a/b'), { recursive: true })
  mkdirSync(join(root, 'c'))
  writeFileSync(join(root, 'a/b/c'), 'deep')
  writeFileSync(join(root, 'b'), 'text')
  linkSync(join(root, 'b'), join(root, 'a/a'))
  symlinkSync('b', join(root, 'l'))
  symlinkSync('../a', join(root, 'c/l'))
  symlinkSync('nowhere', join(root, 'c/m'))
  symlinkSync('../..', join(root, 'a/m'))
  symlinkSync('c/l/b', join(root, 'm'))
  return root
}

function apply(operation: Operation, gate: PathGate, files: FileStore, root: string): unknown {
  const { method, path } = operation
  const relative = (full: string) => full.slice(root.length)
  const shownStat = (stat: ReturnType<FileStore['stat']>) =>
    stat && { kind: stat.kind, ...(stat.kind === 'file' && { size: stat.size, links: stat.links }) }
  switch (method) {
    case 'write': return files.write(gate.approve(path, 'write'), operation.content)
    case 'move': return files.move(gate.approve(path, 'remove'), gate.approve(operation.to, 'write'))
    case 'copy': return files.copy(gate.approve(path, 'read'), gate.approve(operation.to, 'write'))
    case 'setExecutable': return files.setExecutable(gate.approve(path, 'write'), operation.executable)
    case 'makeDirectories': return files.makeDirectories(gate.approve(path, 'write')).map(relative)
    case 'remove': return files.remove(gate.approve(path, 'remove'))
    case 'removeDirectory': return files.removeDirectory(gate.approve(path, 'remove'))
    case 'list': return files.list(gate.approve(path, 'read'))
    case 'stat': return shownStat(files.stat(gate.approve(path, 'remove')))
    case 'lstat': return shownStat(files.lstat(gate.approve(path, 'remove')))
    case 'readBytes': return [...files.readBytes(gate.approve(path, 'read'), 100)]
  }
}

/** All that is in a tree, as the store shows it. */
function contents(files: FileStore, directory: string): unknown[] {
  return files.list(directory as ApprovedPath).map(({ name, kind }) => {
    const path = join(directory, name) as ApprovedPath
    if (kind === 'directory') return [name, contents(files, path)]
    return kind === 'file' ? [name, [...files.readBytes(path, 1000)], files.lstat(path)?.links] : [name, kind]
  })
}

/** All that is in a tree on disk, looked at without a store. */
function onDisk(directory: string): unknown[] {
  return readdirSync(directory, { withFileTypes: true }).map((entry) => {
    const path = join(directory, entry.name)
    const { mode, ino, mtimeMs } = lstatSync(path)
    if (entry.isDirectory()) return [entry.name, ino, mtimeMs, onDisk(path)]
    return [entry.name, mode, ino, mtimeMs, entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'latin1')]
  })
}

describe('OverlayFiles', () => {
  it('shows what DiskFiles would do, errors included, and does nothing', () => {
    fc.assert(fc.property(fc.array(operations, { minLength: 15, maxLength: 40, size: 'max' }), (sequence) => {
      const [diskRoot, overlayRoot] = [build(), build()]
      const untouched = onDisk(dirname(overlayRoot))
      const [disk, overlay] = [new DiskFiles(), new OverlayFiles()]
      const diskGate = createPathGate({ root: diskRoot })
      const overlayGate = createPathGate({ root: overlayRoot, probe: overlay.probe })
      for (const operation of sequence) {
        const expected = outcome(() => apply(operation, diskGate, disk, diskRoot))
        const shown = outcome(() => apply(operation, overlayGate, overlay, overlayRoot))
        expect({ operation, outcome: shown }).toEqual({ operation, outcome: expected })
      }
      expect(contents(overlay, overlayRoot)).toEqual(contents(disk, diskRoot))
      const changesOf = (files: FileStore, root: string) =>
        files.changes.map(({ kind, path, from }) => [kind, path.slice(root.length), from?.slice(root.length)])
      expect(changesOf(overlay, overlayRoot)).toEqual(changesOf(disk, diskRoot))
      expect(onDisk(dirname(overlayRoot))).toEqual(untouched)
    }), { numRuns: 300 })
  })

  it('records texts for diffs', () => {
    const root = build()
    const files = new OverlayFiles()
    const gate = createPathGate({ root, probe: files.probe })
    const path = gate.approve('b', 'write')
    files.write(path, 'new\n')
    files.write(path, Buffer.from([0xff]))
    files.write(path, 'x'.repeat((1 << 20) + 1))
    files.remove(path)
    files.move(gate.approve('a/b/c', 'remove'), gate.approve('z', 'write'))
    expect(files.changes).toEqual([
      { kind: 'modify', path, before: 'text', after: 'new\n' },
      { kind: 'modify', path, before: 'new\n' },
      { kind: 'modify', path },
      { kind: 'delete', path },
      { kind: 'move', path: join(root, 'z'), from: join(root, 'a/b/c'), after: 'deep' },
    ])
  })

  it('gives written files in chunks, and copies only', async () => {
    const root = build()
    const files = new OverlayFiles()
    const path = join(root, 'new') as ApprovedPath
    const content = Buffer.from('abc')
    files.write(path, content)
    content.fill('x')
    files.readBytes(path, 10).fill(0)
    for await (const chunk of files.chunks(path)) expect(decodeUtf8(chunk)).toBe('abc')
    expect(outcome(() => files.readBytes(path, 2))).toBe('FILE_TOO_LARGE')
    for await (const chunk of files.chunks(join(root, 'b') as ApprovedPath)) expect(decodeUtf8(chunk)).toBe('text')
  })

  it('never reads through a link that the gate did not see', () => {
    const root = build()
    const files = new OverlayFiles()
    const gate = createPathGate({ root })
    files.move(gate.approve('a/m', 'remove'), gate.approve('z', 'write'))
    expect(outcome(() => files.readBytes(gate.approve('z/secret', 'read'), 10))).toBe('POLICY_DENIED')
    expect(outcome(() => files.readBytes(gate.approve('z', 'read'), 10))).toBe('ELOOP')
  })

  it('lets a file be replaced by a directory of its name', () => {
    const root = build()
    const files = new OverlayFiles()
    const gate = createPathGate({ root, probe: files.probe })
    files.remove(gate.approve('b', 'remove'))
    files.makeDirectories(gate.approve('b', 'write'))
    expect(files.write(gate.approve('b/index.ts', 'write'), 'x').created).toBe(true)
    expect(files.list(gate.approve('b', 'read'))).toEqual([{ name: 'index.ts', kind: 'file' }])
  })

  it('knows the limits of names and paths, also below what exists in memory only', () => {
    const root = tempDir()
    const files = new OverlayFiles()
    files.makeDirectories(approved(root, 'made'))
    const long = approved(root, 'made', 'x'.repeat(256))
    const deep = approved(root, 'made', 'name/'.repeat(1000))
    for (const path of [long, deep]) {
      expect(outcome(() => files.write(path, ''))).toBe('ENAMETOOLONG')
      expect(outcome(() => files.makeDirectories(path))).toBe('ENAMETOOLONG')
    }
    expect(outcome(() => files.write(approved(root, 'made', 'x'.repeat(255)), '').created)).toBe(true)
  })

  it('keeps the texts of its last changes only, and all else of those before', () => {
    const root = tempDir()
    const files = new OverlayFiles()
    const path = approved(root, 'grows')
    const text = 'x'.repeat(1_000_000)
    for (let count = 0; count < 60; count++) files.write(path, `${text}${count}`)
    const held = files.changes.map(({ before = '', after = '' }) => before.length + after.length)
    expect(files.changes).toHaveLength(60)
    expect(files.changes[0]).toEqual({ kind: 'create', path })
    expect(files.changes.at(-1)).toMatchObject({ kind: 'modify', before: `${text}58`, after: `${text}59` })
    expect(held.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(50_000_000)
  })
})
