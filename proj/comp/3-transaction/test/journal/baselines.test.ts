import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ChangedOnDisk } from '../../src/journal/index.js'
import { JournalledRoot } from './journalled-root.js'

function changedError(act: () => unknown): ChangedOnDisk {
  try {
    act()
  } catch (error) {
    if (error instanceof ChangedOnDisk) return error
    throw error
  }
  throw new Error('it was done')
}

function readIn(root: JournalledRoot, name: string): void {
  root.files.readBytes(root.at(name), 1e6)
  root.baselines.startBlock()
}

describe('a file that someone else changed since the session knew it', () => {
  it('is not overwritten, removed, or replaced by a move or a copy', () => {
    const root = new JournalledRoot()
    for (const name of ['a', 'b', 'from']) writeFileSync(root.at(name), 'read\n')
    for (const act of [
      () => root.files.write(root.at('a'), 'mine\n'),
      () => root.files.remove(root.at('a')),
      () => root.files.move(root.at('from'), root.at('a')),
      () => root.files.copy(root.at('from'), root.at('a')),
    ]) {
      readIn(root, 'a')
      writeFileSync(root.at('a'), 'theirs\n')
      const { code, message, known, found } = changedError(act)
      expect([code, Buffer.from(known!).toString(), Buffer.from(found!).toString()]).toEqual(['CHANGED_ON_DISK', 'read\n', 'theirs\n'])
      expect(message).toContain(root.at('a'))
      expect(readFileSync(root.at('a'), 'utf8')).toBe('theirs\n')
      writeFileSync(root.at('a'), 'read\n')
    }
    expect(root.read().operations).toEqual([])
  })

  it('is told once: after that the model knows', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'read')
    readIn(root, 'a')
    writeFileSync(root.at('a'), 'theirs')
    changedError(() => root.files.write(root.at('a'), 'mine'))
    root.files.write(root.at('a'), 'mine')
    expect(readFileSync(root.at('a'), 'utf8')).toBe('mine')
  })

  it('counts also after a write, and between the read and the write of one block', () => {
    const root = new JournalledRoot()
    root.files.write(root.at('a'), 'mine')
    writeFileSync(root.at('a'), 'theirs')
    changedError(() => root.files.write(root.at('a'), 'mine again'))
    root.baselines.startBlock()
    root.files.readBytes(root.at('a'), 100)
    writeFileSync(root.at('a'), 'theirs again')
    changedError(() => root.files.write(root.at('a'), 'edited'))
  })

  it('counts where a block reads again what was changed since an earlier one', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'read')
    readIn(root, 'a')
    writeFileSync(root.at('a'), 'theirs')
    root.files.readBytes(root.at('a'), 100)
    changedError(() => root.files.write(root.at('a'), 'edited'))
  })

  it('counts where a command ran in between, be it before the change or after it', () => {
    const root = new JournalledRoot()
    for (const name of ['before', 'after', 'command']) {
      writeFileSync(root.at(name), 'read')
      readIn(root, name)
    }
    writeFileSync(root.at('before'), 'them')
    const foreign = root.baselines.beforeCommand()
    writeFileSync(root.at('command'), 'by a command')
    root.baselines.afterCommand(foreign)
    for (const name of ['after', 'command']) writeFileSync(root.at(name), 'them')
    for (const name of ['before', 'after', 'command']) changedError(() => root.files.write(root.at(name), 'mine'))
  })

  it('counts under the name it was moved to, be it changed before the move or after it', () => {
    const root = new JournalledRoot()
    mkdirSync(root.at('d'))
    for (const name of ['early', 'late', 'd/f']) {
      writeFileSync(root.at(name), 'read')
      readIn(root, name)
    }
    writeFileSync(root.at('early'), 'theirs')
    root.files.move(root.at('early'), root.at('early2'))
    root.files.move(root.at('late'), root.at('late2'))
    root.files.move(root.at('d'), root.at('e'))
    for (const name of ['late2', 'e/f']) writeFileSync(root.at(name), 'theirs')
    for (const name of ['early2', 'late2', 'e/f']) changedError(() => root.files.write(root.at(name), 'mine'))
  })

  it('counts where it became a link or a directory', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'read')
    readIn(root, 'a')
    rmSync(root.at('a'))
    symlinkSync('elsewhere', root.at('a'))
    changedError(() => root.files.remove(root.at('a')))
    rmSync(root.at('a'))
    writeFileSync(root.at('a'), 'read')
    readIn(root, 'a')
    rmSync(root.at('a'))
    mkdirSync(root.at('a'))
    changedError(() => root.files.write(root.at('a'), 'x'))
  })
})

describe('no conflict is', () => {
  it('a file whose time alone is another, or that was changed and changed back', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'read')
    readIn(root, 'a')
    utimesSync(root.at('a'), 1, 1)
    writeFileSync(root.at('a'), 'other')
    writeFileSync(root.at('a'), 'read')
    root.files.write(root.at('a'), 'mine')
  })

  it('a file that is gone: nothing is lost', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'read')
    readIn(root, 'a')
    rmSync(root.at('a'))
    root.files.write(root.at('a'), 'mine')
    expect(readFileSync(root.at('a'), 'utf8')).toBe('mine')
  })

  it("what the session's own commands changed", () => {
    const root = new JournalledRoot()
    root.files.write(root.at('a'), 'mine')
    readIn(root, 'a')
    const foreign = root.baselines.beforeCommand()
    writeFileSync(root.at('a'), 'by a command')
    root.baselines.afterCommand(foreign)
    root.files.write(root.at('a'), 'mine again')
  })

  it('a file that the session never read', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'theirs')
    root.files.write(root.at('a'), 'mine')
  })

  it('a file that was moved away and made again', () => {
    const root = new JournalledRoot()
    root.files.write(root.at('a'), 'mine')
    root.files.move(root.at('a'), root.at('b'))
    writeFileSync(root.at('a'), 'theirs')
    root.files.write(root.at('a'), 'again')
    root.files.write(root.at('b'), 'and b')
  })
})

it('long contents are compared, but not kept to be shown', () => {
  const root = new JournalledRoot()
  writeFileSync(root.at('a'), Buffer.alloc(300_000))
  readIn(root, 'a')
  writeFileSync(root.at('a'), Buffer.alloc(300_001))
  expect(changedError(() => root.files.write(root.at('a'), 'x')).known).toBeUndefined()
})

it('of many contents the oldest are let go: those files are still compared', () => {
  const root = new JournalledRoot()
  const names = Array.from({ length: 100 }, (_, index) => `f${index}`)
  for (const name of names) {
    writeFileSync(root.at(name), Buffer.alloc(200_000, name))
    readIn(root, name)
  }
  for (const name of names) writeFileSync(root.at(name), 'theirs')
  const shown = names.map((name) => changedError(() => root.files.write(root.at(name), 'mine')).known?.length)
  expect(shown.at(-1)).toBe(200_000)
  expect(shown[0]).toBeUndefined()
  expect(shown.filter((length) => length !== undefined).length * 200_000).toBeLessThanOrEqual(16 * 1024 * 1024)
})
