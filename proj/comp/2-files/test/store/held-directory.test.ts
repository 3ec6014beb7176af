import { execFileSync } from 'node:child_process'
import {
  existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import { copyTree } from '../../src/store/copy-tree.js'
import { DiskFiles } from '../../src/store/index.js'
import { inDirectory, inHeldDirectory, inParent } from '../../src/store/held-directory.js'
import { removeTree } from '../../src/store/remove-tree.js'
import { approved, outcome } from './support/as-approved.js'

const isLinux = process.platform === 'linux'

/** `root/d/file`, and `outside/file` beside the root; `swap` puts a link to `outside` in place of `root/d`. */
function plant() {
  const base = tempDir()
  const [inside, outside] = [join(base, 'root', 'd'), join(base, 'outside')]
  mkdirSync(inside, { recursive: true })
  mkdirSync(join(outside, 'sub'), { recursive: true })
  writeFileSync(join(inside, 'file'), 'inside')
  for (const name of ['file', 'sub/file']) writeFileSync(join(outside, name), 'SECRET')
  const swap = (): void => {
    renameSync(inside, `${inside}.away`)
    symlinkSync(outside, inside)
  }
  return { base, inside, outside, swap, path: approved(inside, 'file') }
}

function shown(directory: string): unknown {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort().map((name) => {
    const path = join(directory, name)
    const { mtimeMs, mode, ino, nlink } = lstatSync(path)
    return [name, mtimeMs, mode, ino, nlink, statSync(path).isFile() ? readFileSync(path, 'utf8') : '']
  })
}

const OPERATIONS: Record<string, (files: DiskFiles, path: ApprovedPath, other: ApprovedPath) => unknown> = {
  stat: (files, path) => files.stat(path),
  lstat: (files, path) => files.lstat(path),
  readBytes: (files, path) => files.readBytes(path, 100),
  write: (files, path) => files.write(path, 'new'),
  'write a new file': (files, path) => files.write(approved(`${path}.new`), 'new'),
  'copy from it': (files, path, other) => files.copy(path, other),
  'copy to it': (files, path, other) => files.copy(other, path),
  setExecutable: (files, path) => files.setExecutable(path, true),
  makeDirectories: (files, path) => files.makeDirectories(approved(`${path}.d`, 'e')),
  remove: (files, path) => files.remove(path),
  removeDirectory: (files, path) => files.removeDirectory(approved(path, '..', 'sub')),
  'move from it': (files, path, other) => files.move(path, other),
  'move to it': (files, path, other) => files.move(other, path),
  makeLink: (files, path) => files.makeLink(path, Buffer.from('x')),
  setMode: (files, path) => files.setMode(path, 0o777),
  list: (files, path) => files.list(approved(path, '..')),
}

describe('a directory that was replaced by a link after the gate looked', () => {
  const CASES = Object.entries(OPERATIONS).flatMap(([name, act]) => [false, true].map((isHeld) => ({ name, act, isHeld })))
  it.each(CASES)('$name refuses, and touches nothing (held before: $isHeld)', ({ act, isHeld }) => {
    const { base, outside, swap, path } = plant()
    const other = approved(base, 'root', 'other')
    writeFileSync(other, 'other')
    const before = shown(outside)
    if (isHeld) new DiskFiles().stat(path)
    swap()
    expect(outcome(() => act(new DiskFiles(), path, other))).toBe('POLICY_DENIED')
    expect(shown(outside)).toEqual(before)
    expect(readFileSync(other, 'utf8')).toBe('other')
    expect(readdirSync(join(base, 'root')).sort()).toEqual(['d', 'd.away', 'other'])
  })

  it('is looked at anew where another directory stands in its place, or none', () => {
    const { inside, path } = plant()
    const files = new DiskFiles()
    files.write(path, 'first')
    renameSync(inside, `${inside}.away`)
    expect(outcome(() => files.write(path, 'lost'))).toBe('ENOENT')
    mkdirSync(inside)
    files.write(path, 'second')
    expect(readFileSync(path, 'utf8')).toBe('second')
    expect(readFileSync(join(`${inside}.away`, 'file'), 'utf8')).toBe('first')
    rmSync(inside, { recursive: true })
    expect(outcome(() => files.write(path, 'lost'))).toBe('ENOENT')
  })

  it('is refused further up too', () => {
    const { outside, inside, path } = plant()
    mkdirSync(join(outside, 'd'))
    writeFileSync(join(outside, 'd', 'file'), 'SECRET')
    renameSync(join(inside, '..'), join(inside, '..', '..', 'away'))
    symlinkSync(outside, join(inside, '..'))
    expect(outcome(() => new DiskFiles().readBytes(path, 100))).toBe('POLICY_DENIED')
    expect(outcome(() => new DiskFiles().write(path, 'new'))).toBe('POLICY_DENIED')
    expect(readFileSync(join(outside, 'd', 'file'), 'utf8')).toBe('SECRET')
  })

  it('makes no difference while it is held', () => {
    const { base, inside, outside, swap, path } = plant()
    const before = shown(outside)
    const act = () => inParent(path, 'open', (held) => {
      swap()
      writeFileSync(held, 'written')
      return readFileSync(held, 'utf8')
    })
    if (!isLinux) return expect(outcome(act)).toBe('POLICY_DENIED')
    expect(act()).toBe('written')
    expect(shown(outside)).toEqual(before)
    expect(readFileSync(join(`${inside}.away`, 'file'), 'utf8')).toBe('written')
    return expect(existsSync(join(base, 'root', 'd', 'file'))).toBe(true)
  })

  it.runIf(isLinux)('makes no difference while a listing goes on', () => {
    const { inside, swap } = plant()
    expect(inDirectory(inside, 'scandir', (held) => {
      swap()
      return readdirSync(held)
    })).toEqual(['file'])
  })
})

describe('a file that was replaced by a link after the gate looked', () => {
  it.each(Object.entries(OPERATIONS))('%s does not follow it', (name, act) => {
    const { base, outside, path } = plant()
    const other = approved(base, 'root', 'other')
    writeFileSync(other, 'other')
    renameSync(path, `${path}.away`)
    symlinkSync(join(outside, 'file'), path)
    const before = shown(outside)
    const result = outcome(() => act(new DiskFiles(), path, other))
    expect(shown(outside)).toEqual(before)
    expect(JSON.stringify(result ?? '')).not.toContain('SECRET')
    if (name === 'stat') expect(result).toMatchObject({ kind: 'link' })
    if (['readBytes', 'write', 'copy from it', 'copy to it', 'setExecutable', 'setMode'].includes(name)) expect(result).toBe('ELOOP')
  })
})

describe('a tree on its way to another device', () => {
  it.runIf(isLinux)('is copied and removed without following what is put in its place', () => {
    const { base, outside } = plant()
    const tree = join(base, 'root', 'tree')
    mkdirSync(join(tree, 'sub'), { recursive: true })
    symlinkSync(outside, join(tree, 'link'))
    linkSync(join(outside, 'file'), join(tree, 'linked'))
    writeFileSync(join(tree, 'sub', 'x'), 'x')
    const before = shown(join(outside, 'sub'))
    inParent(join(base, 'root', 'copy'), 'rename', (to) => inParent(tree, 'rename', (from) => copyTree(from, to, tree)))
    expect(lstatSync(join(base, 'root', 'copy', 'link')).isSymbolicLink()).toBe(true)
    expect(lstatSync(join(base, 'root', 'copy', 'linked')).nlink).toBe(1)
    inParent(tree, 'rename', (held) => removeTree(held))
    expect(existsSync(tree)).toBe(false)
    expect(shown(join(outside, 'sub'))).toEqual(before)
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('SECRET')
  })

  it.runIf(isLinux)('is not entered through a link in place of one of its directories', () => {
    const { base, outside } = plant()
    symlinkSync(outside, join(base, 'link'))
    expect(outcome(() => inHeldDirectory(join(base, 'link'), (held) => readdirSync(held)))).toBe('ENOTDIR')
  })
})

describe('what holding costs', () => {
  it.runIf(isLinux)('leaves no descriptor open when the event loop had its turn, and gives none to children', async () => {
    const { inside, path, swap } = plant()
    const count = () => readdirSync('/proc/self/fd').length
    await nextTurn()
    const before = count()
    const files = new DiskFiles()
    for (let round = 0; round < 20; round++) {
      files.write(path, 'x')
      outcome(() => files.readBytes(approved(inside, 'none', 'x'), 1))
      outcome(() => files.move(path, approved(inside, 'none', 'x')))
    }
    swap()
    for (let round = 0; round < 20; round++) outcome(() => files.readBytes(path, 10))
    expect(count()).toBeLessThanOrEqual(before + 1)
    await nextTurn()
    expect(count()).toBe(before)
    const inherited = inParent(path.replace('/d/', '/d.away/'), 'open', () => (
      execFileSync('ls', ['-l', '/proc/self/fd'], { encoding: 'utf8' })
    ))
    expect(inherited).not.toContain('d.away')
  })

  it('names the path that was given in errors', () => {
    const { inside } = plant()
    const files = new DiskFiles()
    const messageOf = (act: () => unknown): string => {
      try {
        return String(act())
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(messageOf(() => files.remove(approved(inside, 'none')))).toBe(`ENOENT: no such file or directory, lstat '${inside}/none'`)
    expect(messageOf(() => files.move(approved(inside, 'a'), approved(inside, 'b'))))
      .toBe(`ENOENT: no such file or directory, rename '${inside}/a' -> '${inside}/b'`)
    expect(messageOf(() => files.list(approved(inside, 'none')))).toBe(`ENOENT: no such file or directory, scandir '${inside}/none'`)
    expect(messageOf(() => files.list(approved(inside, 'file')))).toBe(`ENOTDIR: not a directory, scandir '${inside}/file'`)
    expect(messageOf(() => files.write(approved(inside, 'x'.repeat(300)), ''))).toContain(`'${inside}/xxx`)
  })
})
