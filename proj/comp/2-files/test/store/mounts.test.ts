import {
  chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { fillWith, overwriteInPlace } from '../../src/atomic-write/index.js'
import { DiskFiles } from '../../src/store/index.js'
import { approved, outcome } from './support/as-approved.js'
import { mountOrSkip } from './support/mount.js'

/** A directory on a device of its own, 1 MiB large. */
function smallDevice(context: TestContext): string {
  const dir = join(tempDir(), 'small')
  mkdirSync(dir)
  mountOrSkip(context, dir, '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs')
  return dir
}

describe('a full device', () => {
  it('leaves the old content and no temporary file', (context) => {
    const dir = smallDevice(context)
    const files = new DiskFiles()
    files.write(approved(dir, 'file'), 'old')
    expect(outcome(() => files.write(approved(dir, 'file'), Buffer.alloc(2 << 20)))).toBe('ENOSPC')
    expect(outcome(() => files.write(approved(dir, 'new'), Buffer.alloc(2 << 20)))).toBe('ENOSPC')
    const large = approved(tempDir(), 'large')
    files.write(large, Buffer.alloc(2 << 20))
    expect(outcome(() => files.copy(large, approved(dir, 'file')))).toBe('ENOSPC')
    expect(readdirSync(dir)).toEqual(['file'])
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('old')
  })

  it('gives back the old content of a file written in place', (context) => {
    const dir = smallDevice(context)
    const old = Buffer.alloc(300_000, 'old')
    writeFileSync(join(dir, 'file'), old)
    expect(outcome(() => overwriteInPlace(join(dir, 'file'), fillWith(Buffer.alloc(900_000))))).toBe('ENOSPC')
    expect(readFileSync(join(dir, 'file')).equals(old)).toBe(true)
    expect(readdirSync(dir)).toEqual(['file'])
  })

  it('does not touch a file written in place when its old content cannot be saved', (context) => {
    const dir = smallDevice(context)
    const old = Buffer.alloc(700_000, 'old')
    writeFileSync(join(dir, 'file'), old)
    expect(outcome(() => overwriteInPlace(join(dir, 'file'), fillWith(Buffer.from('new'))))).toBe('ENOSPC')
    expect(readFileSync(join(dir, 'file')).equals(old)).toBe(true)
    expect(readdirSync(dir)).toEqual(['file'])
  })

  it('keeps the source of a move that does not fit', (context) => {
    const dir = smallDevice(context)
    const source = tempDir()
    writeFileSync(join(source, 'big'), Buffer.alloc(2 << 20))
    expect(outcome(() => new DiskFiles().move(approved(source, 'big'), approved(dir, 'big')))).toBe('ENOSPC')
    expect(readdirSync(dir)).toEqual([])
    expect(lstatSync(join(source, 'big')).size).toBe(2 << 20)
  })
})

describe('a bind-mounted file', () => {
  it('is written in place', (context) => {
    const dir = tempDir()
    writeFileSync(join(dir, 'real'), 'the old, longer content')
    writeFileSync(join(dir, 'mounted'), '')
    mountOrSkip(context, join(dir, 'mounted'), '--bind', join(dir, 'real'))
    const files = new DiskFiles()
    expect(files.write(approved(dir, 'mounted'), 'new')).toEqual({ bytes: 3, created: false, brokeHardLink: false })
    expect(readFileSync(join(dir, 'real'), 'utf8')).toBe('new')
    expect(readdirSync(dir)).toEqual(['mounted', 'real'])
    files.write(approved(dir, 'source'), 'a copy')
    const copied = files.copy(approved(dir, 'source'), approved(dir, 'mounted'))
    expect(copied).toEqual({ bytes: 6, created: false, brokeHardLink: false })
    expect(readFileSync(join(dir, 'real'), 'utf8')).toBe('a copy')
  })
})

describe('moving to another device', () => {
  it('moves files, links and directories with modes and times', (context) => {
    const dir = smallDevice(context)
    const source = tempDir()
    mkdirSync(join(source, 'tree/sub'), { recursive: true })
    writeFileSync(join(source, 'tree/sub/script'), '#!/bin/sh\n')
    chmodSync(join(source, 'tree/sub/script'), 0o750)
    symlinkSync('../nowhere', join(source, 'tree/link'))
    const { mtimeMs } = lstatSync(join(source, 'tree/sub/script'))
    writeFileSync(join(source, 'file'), 'x')
    writeFileSync(join(dir, 'file'), 'replaced')
    const files = new DiskFiles()
    files.move(approved(source, 'tree'), approved(dir, 'tree'))
    files.move(approved(source, 'file'), approved(dir, 'file'))
    expect(existsSync(join(source, 'tree'))).toBe(false)
    expect(readdirSync(source)).toEqual([])
    expect(readdirSync(dir).sort()).toEqual(['file', 'tree'])
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('x')
    expect(readlinkSync(join(dir, 'tree/link'))).toBe('../nowhere')
    const moved = lstatSync(join(dir, 'tree/sub/script'))
    expect(moved.mode & 0o777).toBe(0o750)
    expect(Math.abs(moved.mtimeMs - mtimeMs)).toBeLessThan(1)
    expect(files.changes.map(({ kind }) => kind)).toEqual(['move', 'move'])
  })

  it('refuses to replace a directory by a file, and the other way round', (context) => {
    const dir = smallDevice(context)
    const source = tempDir()
    mkdirSync(join(dir, 'directory/full'), { recursive: true })
    writeFileSync(join(dir, 'file'), '')
    mkdirSync(join(source, 'directory'))
    writeFileSync(join(source, 'file'), '')
    const files = new DiskFiles()
    const move = (from: string, to: string) => outcome(() => files.move(approved(source, from), approved(dir, to)))
    expect(move('file', 'directory')).toBe('EISDIR')
    expect(move('directory', 'file')).toBe('ENOTDIR')
    expect(move('directory', 'directory')).toBe('ENOTEMPTY')
    expect(readdirSync(source)).toEqual(['directory', 'file'])
    expect(readdirSync(dir).sort()).toEqual(['directory', 'file'])
  })
})
