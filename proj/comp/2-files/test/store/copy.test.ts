import {
  appendFileSync, chmodSync, linkSync, mkdirSync, openSync, closeSync, readdirSync, readFileSync, statSync, symlinkSync,
  truncateSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { fillFrom } from '../../src/atomic-write/index.js'
import { DiskFiles, OverlayFiles } from '../../src/store/index.js'
import { approved, outcome } from './support/as-approved.js'

describe('copy on disk', () => {
  it.each([0, 1, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 3_000_000])('copies %i bytes', (size) => {
    const dir = tempDir()
    const content = Buffer.alloc(size, 'a\x00\xff\r\n')
    writeFileSync(join(dir, 'a'), content)
    const written = new DiskFiles().copy(approved(dir, 'a'), approved(dir, 'b'))
    expect(written).toEqual({ bytes: size, created: true, brokeHardLink: false })
    expect(readFileSync(join(dir, 'b')).equals(content)).toBe(true)
    expect(readFileSync(join(dir, 'a')).equals(content)).toBe(true)
    expect(readdirSync(dir)).toEqual(['a', 'b'])
  })

  it('does not hold a large file in memory', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a'), 'begin')
    truncateSync(join(dir, 'a'), 100 << 20)
    const before = process.memoryUsage()
    expect(new DiskFiles().copy(approved(dir, 'a'), approved(dir, 'b')).bytes).toBe(100 << 20)
    const after = process.memoryUsage()
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20 << 20)
    expect(statSync(join(dir, 'b')).size).toBe(100 << 20)
  })

  it('gives the copy the mode of the source, without set-uid bits, also over an old file', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'script'), '#!/bin/sh\n')
    writeFileSync(join(dir, 'secret'), 'old')
    chmodSync(join(dir, 'script'), 0o4755)
    chmodSync(join(dir, 'secret'), 0o600)
    const files = new DiskFiles()
    files.copy(approved(dir, 'script'), approved(dir, 'new'))
    expect(statSync(join(dir, 'new')).mode & 0o7777).toBe(0o755)
    files.copy(approved(dir, 'secret'), approved(dir, 'new'))
    expect(statSync(join(dir, 'new')).mode & 0o7777).toBe(0o600)
    expect(files.changes).toEqual([
      { kind: 'create', path: join(dir, 'new') }, { kind: 'modify', path: join(dir, 'new') },
    ])
  })

  it('comes to an end when the source goes on growing', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a'), 'old')
    const fd = openSync(join(dir, 'a'), 'r')
    const to = openSync(join(dir, 'b'), 'w')
    const fill = fillFrom(fd, 3)
    appendFileSync(join(dir, 'a'), ' and new')
    expect(fill(to)).toBe(3)
    closeSync(fd)
    closeSync(to)
    expect(readFileSync(join(dir, 'b'), 'utf8')).toBe('old')
  })
})

describe.each([['disk', () => new DiskFiles()], ['overlay', () => new OverlayFiles()]])('copy (%s)', (_name, make) => {
  it('replaces an old file and breaks its hard links', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a'), 'new content')
    writeFileSync(join(dir, 'b'), 'old')
    linkSync(join(dir, 'b'), join(dir, 'c'))
    const files = make()
    const replaced = files.copy(approved(dir, 'a'), approved(dir, 'b'))
    expect(replaced).toEqual({ bytes: 11, created: false, brokeHardLink: true })
    expect(Buffer.from(files.readBytes(approved(dir, 'b'), 100)).toString()).toBe('new content')
    expect(Buffer.from(files.readBytes(approved(dir, 'c'), 100)).toString()).toBe('old')
    expect(files.lstat(approved(dir, 'b'))).toMatchObject({ kind: 'file', size: 11, links: 1 })
    expect(files.copy(approved(dir, 'a'), approved(dir, 'b')).brokeHardLink).toBe(false)
  })

  it('is a file of its own: changing or removing the source leaves it', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a'), 'one')
    const files = make()
    const [a, b, c] = [approved(dir, 'a'), approved(dir, 'b'), approved(dir, 'c')]
    files.copy(a, b)
    files.write(a, 'two')
    files.copy(a, c)
    files.remove(a)
    expect([b, c].map((path) => Buffer.from(files.readBytes(path, 10)).toString())).toEqual(['one', 'two'])
    expect(files.list(approved(dir)).map(({ name }) => name)).toEqual(['b', 'c'])
  })

  it('refuses what is no file, and a missing directory', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a'), 'x')
    mkdirSync(join(dir, 'd'))
    symlinkSync('a', join(dir, 'l'))
    const files = make()
    const copy = (from: string, to: string) => outcome(() => files.copy(approved(dir, from), approved(dir, to)))
    expect(copy('none', 'b')).toBe('ENOENT')
    expect(copy('d', 'b')).toBe('EISDIR')
    expect(copy('l', 'b')).toBe('ELOOP')
    expect(copy('a', 'd')).toBe('EISDIR')
    expect(copy('a', 'none/b')).toBe('ENOENT')
    expect(copy('a', 'a/b')).toBe('ENOTDIR')
    expect(files.changes).toEqual([])
    expect(readdirSync(dir)).toEqual(['a', 'd', 'l'])
  })
})

it('an overlay records the texts of a copy, as of a write', () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'a'), 'new')
  writeFileSync(join(dir, 'b'), 'old')
  const files = new OverlayFiles()
  files.copy(approved(dir, 'a'), approved(dir, 'b'))
  files.copy(approved(dir, 'b'), approved(dir, 'c'))
  expect(files.changes).toEqual([
    { kind: 'modify', path: join(dir, 'b'), before: 'old', after: 'new' },
    { kind: 'create', path: join(dir, 'c'), after: 'new' },
  ])
  expect(readFileSync(join(dir, 'b'), 'utf8')).toBe('old')
})
