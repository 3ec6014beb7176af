import { execFileSync } from 'node:child_process'
import {
  chmodSync, chownSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { DiskFiles, OverlayFiles, readText } from '../../src/store/index.js'
import { TEMP_PREFIX } from '../../src/atomic-write/index.js'
import { approved, outcome } from './support/as-approved.js'

const isRoot = process.geteuid?.() === 0

describe('DiskFiles.write', () => {
  it('writes and reads every content byte for byte', () => {
    const path = approved(tempDir(), 'file')
    const files = new DiskFiles()
    fc.assert(fc.property(fc.uint8Array({ maxLength: 10_000, size: 'max' }), (content) => {
      expect(files.write(path, content).bytes).toBe(content.length)
      expect(Buffer.from(files.readBytes(path, 10_000)).equals(content)).toBe(true)
    }))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (content) => {
      expect(files.write(path, content).bytes).toBe(Buffer.byteLength(content))
      expect(readText(files, path, 10_000, 'file')).toBe(content)
    }))
  })

  it('writes more than one system call takes', () => {
    const path = approved(tempDir(), 'file')
    const content = Buffer.alloc(20 << 20, 'abc')
    new DiskFiles().write(path, content)
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it.each([0o644, 0o755, 0o600, 0o666, 0o777, 0o640, 0o444])('keeps mode %o', (mode) => {
    const path = approved(tempDir(), 'file')
    writeFileSync(path, 'old')
    chmodSync(path, mode)
    if (!isRoot && (mode & 0o200) === 0) return expect(outcome(() => new DiskFiles().write(path, 'new'))).toBe('EACCES')
    new DiskFiles().write(path, 'new')
    return expect(statSync(path).mode & 0o7777).toBe(mode)
  })

  it('drops set-uid bits', () => {
    const path = approved(tempDir(), 'file')
    writeFileSync(path, 'old')
    chmodSync(path, 0o6755)
    new DiskFiles().write(path, 'new')
    expect(statSync(path).mode & 0o7777).toBe(0o755)
  })

  it.skipIf(!isRoot)('keeps owner and group', () => {
    const path = approved(tempDir(), 'file')
    writeFileSync(path, 'old')
    chownSync(path, 12345, 23456)
    chmodSync(path, 0o640)
    new DiskFiles().write(path, 'new')
    expect(statSync(path)).toMatchObject({ uid: 12345, gid: 23456 })
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })

  it('breaks hard links and says so', () => {
    const dir = tempDir()
    const files = new DiskFiles()
    writeFileSync(join(dir, 'a'), 'old')
    linkSync(join(dir, 'a'), join(dir, 'b'))
    expect(files.lstat(approved(dir, 'a'))?.links).toBe(2)
    expect(files.write(approved(dir, 'a'), 'new')).toEqual({ bytes: 3, created: false, brokeHardLink: true })
    expect(readFileSync(join(dir, 'b'), 'utf8')).toBe('old')
    expect(files.write(approved(dir, 'a'), 'newer').brokeHardLink).toBe(false)
  })

  it('refuses directories, links and whatever is no file, and leaves nothing behind', async () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'directory'))
    execFileSync('mkfifo', [join(dir, 'pipe')])
    symlinkSync('target', join(dir, 'link'))
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(dir, 'socket'), resolve))
    onTestFinished(() => void server.close())
    const names = readdirSync(dir)
    for (const files of [new DiskFiles(), new OverlayFiles()]) {
      const write = (name: string) => outcome(() => files.write(approved(dir, name), 'x'))
      expect(write('directory')).toBe('EISDIR')
      expect(write('link')).toBe('ELOOP')
      expect(write('pipe')).toBe('NOT_TEXT')
      expect(write('socket')).toBe('NOT_TEXT')
      expect(write('missing/x')).toBe('ENOENT')
      expect(outcome(() => files.write(approved('/dev/null'), 'x'))).toBe('NOT_TEXT')
      expect(readdirSync(dir)).toEqual(names)
    }
  })

  it('names the file, not the temporary one, in errors', () => {
    const path = approved(tempDir(), 'missing', 'x')
    const message: unknown = expect.not.stringContaining(TEMP_PREFIX)
    expect(() => new DiskFiles().write(path, '')).toThrow(expect.objectContaining({ path, message }))
  })
})

describe('DiskFiles reading', () => {
  it('never waits at a pipe', async () => {
    const dir = tempDir()
    execFileSync('mkfifo', [join(dir, 'pipe')])
    for (const files of [new DiskFiles(), new OverlayFiles()]) {
      expect(outcome(() => files.readBytes(approved(dir, 'pipe'), 10))).toBe('NOT_TEXT')
      await expect(collect(files.chunks(approved(dir, 'pipe')))).rejects.toMatchObject({ code: 'NOT_TEXT' })
      expect(files.stat(approved(dir, 'pipe'))?.kind).toBe('other')
    }
  })

  it('bounds what is read', () => {
    const path = approved(tempDir(), 'file')
    writeFileSync(path, '12345')
    const files = new DiskFiles()
    expect(files.readBytes(path, 5)).toHaveLength(5)
    expect(() => files.readBytes(path, 4))
      .toThrow(expect.objectContaining({ code: 'FILE_TOO_LARGE', hint: expect.any(String) }))
  })

  it.skipIf(process.platform !== 'linux')('reads files that are longer than they say', () => {
    const files = new DiskFiles()
    expect(files.readBytes(approved(`/proc/${process.pid}/status`), 1 << 20).length).toBeGreaterThan(100)
    expect(outcome(() => files.readBytes(approved(`/proc/${process.pid}/status`), 100))).toBe('FILE_TOO_LARGE')
  })

  it('gives a file in chunks, and closes it when the reader stops', async () => {
    const path = approved(tempDir(), 'file')
    const content = Buffer.alloc(1_000_000, 'xyz')
    writeFileSync(path, content)
    const files = new DiskFiles()
    expect((await collect(files.chunks(path))).equals(content)).toBe(true)
    for await (const chunk of files.chunks(path)) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await expect(collect(files.chunks(approved(`${path}-none`)))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each([
    ['latin-1', Buffer.from('h\xe9llo', 'latin1'), /ISO-8859-1/],
    ['UTF-16', Buffer.from('\ufeffhéllo\ud83d', 'utf16le'), /UTF-16/],
    ['binary', Buffer.from([0, 0xff, 0xfe]), /binary/],
  ])('readText refuses %s with a hint', (_name, bytes, hint) => {
    const path = approved(tempDir(), 'file')
    writeFileSync(path, bytes)
    expect(() => readText(new DiskFiles(), path, 100, 'my/file')).toThrow(expect.objectContaining({
      code: 'NOT_TEXT', message: 'File is not UTF-8 text: my/file', hint: expect.stringMatching(hint),
    }))
  })
})

describe('DiskFiles directories', () => {
  it('lists sorted, without temporary files', () => {
    const dir = tempDir()
    for (const name of ['b', 'a', `${TEMP_PREFIX}x`, 'Z', 'ä']) writeFileSync(join(dir, name), '')
    mkdirSync(join(dir, 'd'))
    symlinkSync('nowhere', join(dir, 'l'))
    for (const files of [new DiskFiles(), new OverlayFiles()]) {
      expect(files.list(approved(dir)).map(({ name, kind }) => `${name} ${kind}`))
        .toEqual(['Z file', 'a file', 'b file', 'd directory', 'l link', 'ä file'])
    }
  })

  it('makes a file executable for those who may read it, and keeps it so when it is written', () => {
    const dir = tempDir()
    const path = approved(dir, 'run')
    writeFileSync(path, 'a')
    chmodSync(path, 0o640)
    const files = new DiskFiles()
    const mode = () => statSync(path).mode & 0o7777
    expect([files.setExecutable(path, true), files.setExecutable(path, true)]).toEqual([true, false])
    expect(mode()).toBe(0o750)
    files.write(path, 'b')
    expect(mode()).toBe(0o750)
    expect(files.setExecutable(path, false)).toBe(true)
    expect(mode()).toBe(0o640)
    expect(files.changes.map(({ kind }) => kind)).toEqual(['modify', 'modify', 'modify'])
    expect(outcome(() => files.setExecutable(approved(dir), true))).toBe('EISDIR')
    expect(outcome(() => files.setExecutable(approved(dir, 'none'), true))).toBe('ENOENT')
  })

  it.each([DiskFiles, OverlayFiles])('makes a file with other names executable without them: %o', (Files) => {
    const dir = tempDir()
    const path = approved(dir, 'run')
    writeFileSync(path, 'a', { mode: 0o644 })
    linkSync(path, join(dir, 'other'))
    const files = new Files()
    expect(files.setExecutable(path, true)).toBe(true)
    expect(files.setExecutable(path, true)).toBe(false)
    expect(files.stat(path)).toMatchObject({ links: 1, size: 1 })
    expect(files.stat(approved(dir, 'other'))).toMatchObject({ links: 1 })
    expect(statSync(join(dir, 'other')).mode & 0o777).toBe(0o644)
    expect(statSync(path).mode & 0o777).toBe(Files === DiskFiles ? 0o755 : 0o644)
    expect(readFileSync(path, 'utf8')).toBe('a')
  })

  it('creates directories, outermost first, and records each', () => {
    const dir = tempDir()
    const files = new DiskFiles()
    const nested = ['a', 'a/b', 'a/b/c'].map((name) => join(dir, name))
    expect(files.makeDirectories(approved(dir, 'a/b/c'))).toEqual(nested)
    expect(files.makeDirectories(approved(dir, 'a/b/c'))).toEqual([])
    expect(outcome(() => files.makeDirectories(approved(dir, 'a/x', 'y'.repeat(300))))).toBe('ENAMETOOLONG')
    expect(files.changes.map(({ kind, path }) => [kind, path])).toEqual(
      [...nested, join(dir, 'a/x')].map((path) => ['create-directory', path]),
    )
  })

  it('moves one of two names of a file onto the other', () => {
    const dir = tempDir()
    writeFileSync(join(dir, 'a'), 'x')
    linkSync(join(dir, 'a'), join(dir, 'b'))
    new DiskFiles().move(approved(dir, 'a'), approved(dir, 'b'))
    expect(readdirSync(dir)).toEqual(['b'])
    expect(lstatSync(join(dir, 'b')).nlink).toBe(1)
  })
})

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
