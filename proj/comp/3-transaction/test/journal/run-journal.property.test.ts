import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import {
  linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import {
  bringTo, captureState, listRunIds, mendLog, readRun, readSaved, resolveStored, RunJournal, statesOf,
} from '../../src/journal/index.js'
import { DiskFiles } from '../../../2-files/src/store/index.js'
import { JournalledRoot } from './journalled-root.js'

function savedOf(root: JournalledRoot, name: string): Buffer {
  const change = statesOf(root.read()).changed().find(({ path }) => path === name)
  if (change?.before.kind !== 'file') throw new Error('no file')
  return Buffer.from(readSaved(root.journal.directory, change.before))
}

describe('the journal of a run', () => {
  it('is for its owner only, and git ignores it', () => {
    const root = new JournalledRoot()
    execFileSync('git', ['init', '--quiet'], { cwd: root.directory })
    root.files.write(root.at('a'), 'new')
    const below = readdirSync(join(root.directory, '.hermes'), { recursive: true, encoding: 'utf8' })
    expect(below.sort()).toEqual(['.gitignore', 'journal', 'journal/r1', 'journal/r1/data', 'journal/r1/log.jsonl'])
    for (const name of ['', 'journal', 'journal/r1']) expect(statSync(join(root.directory, '.hermes', name)).mode & 0o777).toBe(0o700)
    for (const name of ['data', 'log.jsonl']) expect(statSync(join(root.journal.directory, name)).mode & 0o777).toBe(0o600)
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: root.directory, encoding: 'utf8' })).toBe('?? a\n')
  })

  it('is ignored also where an earlier process died before it could say so', () => {
    for (const content of [undefined, '']) {
      const directory = tempDir()
      mkdirSync(join(directory, '.hermes'))
      if (content !== undefined) writeFileSync(join(directory, '.hermes/.gitignore'), content)
      new RunJournal(directory, { runId: 'r1', kind: 'run', startedAt: '' }, false).close()
      expect(listRunIds(directory)).toEqual(['r1'])
      expect(readFileSync(join(directory, '.hermes/.gitignore'), 'utf8')).toBe('*\n')
    }
  })

  it.each([['bytes of every kind', Buffer.from(Array.from({ length: 256 }, (_, at) => at))], ['nothing', Buffer.alloc(0)],
    ['several MB', Buffer.alloc(5_000_001, 'old content\n')], ['just a piece', Buffer.alloc(1 << 20, 1)],
  ])('keeps %s', (_, old) => {
    const root = new JournalledRoot()
    writeFileSync(root.at('f'), old)
    root.files.write(root.at('f'), 'new')
    root.files.write(root.at('f'), 'newer')
    expect(savedOf(root, 'f').equals(old)).toBe(true)
  })

  it('keeps the target of a link that is no text', () => {
    const root = new JournalledRoot()
    const target = Buffer.from([0x66, 0xff, 0xfe, 0x2f, 0x80])
    symlinkSync(target, root.at('l'))
    root.files.remove(root.at('l'))
    const [change] = statesOf(root.read()).changed()
    if (!change) throw new Error('no change')
    bringTo(new DiskFiles(), root.at('l'), change.after, change.before, undefined)
    expect(readlinkSync(root.at('l'), 'buffer').equals(target)).toBe(true)
  })

  it('breaks hard links as every write does, and puts back the content', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'old')
    linkSync(root.at('a'), root.at('b'))
    expect(root.files.write(root.at('a'), 'new')).toMatchObject({ brokeHardLink: true })
    expect(readFileSync(root.at('b'), 'utf8')).toBe('old')
    root.files.restore(root.at('a'), captureState(root.at('b')), savedOf(root, 'a'))
    expect(readFileSync(root.at('a'), 'utf8')).toBe('old')
  })

  it.skipIf(process.platform === 'win32')('never waits for a pipe that is in the way, and says that it cannot make one again', () => {
    const root = new JournalledRoot()
    execFileSync('mkfifo', [root.at('pipe')])
    expect(() => root.files.write(root.at('pipe'), 'x')).toThrow(/pipe/)
    expect(lstatSync(root.at('pipe')).isFIFO()).toBe(true)
    expect(statesOf(root.read()).changed()).toEqual([])
    root.files.remove(root.at('pipe'))
    const [change] = statesOf(root.read()).changed()
    expect(change).toMatchObject({ before: { kind: 'other' }, after: { kind: 'absent' } })
    expect(() => root.files.restore(root.at('pipe'), { kind: 'other' }, undefined)).toThrow(/cannot be made again/)
  })

  it('leaves out what was not done', () => {
    const root = new JournalledRoot()
    mkdirSync(root.at('d'))
    root.files.write(root.at('a'), 'x')
    expect(() => root.files.write(root.at('d'), 'x')).toThrow(/EISDIR/)
    expect(() => root.files.removeDirectory(root.at('none'))).toThrow(/ENOENT/)
    expect(statesOf(root.read()).changed().map(({ path }) => path)).toEqual(['a'])
  })

  it('keeps paths below the root relative, others as they are', () => {
    const root = new JournalledRoot()
    const outside = join(tempDir(), 'x')
    for (const name of ['a/b', '..b', '...']) expect(root.journal.stored(root.at(name))).toBe(name)
    for (const path of [root.at('a/b'), root.at('..b'), outside, root.directory]) {
      expect(resolveStored(root.directory, root.journal.stored(path))).toBe(path)
    }
    expect(root.journal.stored(outside)).toBe(outside)
  })

  it('is flushed with each change where it is to be durable', () => {
    const root = new JournalledRoot(true)
    root.files.write(root.at('a'), 'x')
    root.journal.end({ endedAt: '', blocks: 1, failures: 0, summary: '', outcome: 'done' })
    expect(root.read().end?.outcome).toBe('done')
  })

  it('says so when someone else has changed it', () => {
    const root = new JournalledRoot()
    writeFileSync(root.at('a'), 'old')
    root.files.write(root.at('a'), 'new')
    writeFileSync(join(root.journal.directory, 'data'), 'xxx')
    expect(() => savedOf(root, 'a')).toThrow(expect.objectContaining({ code: 'CHANGED_ON_DISK' }))
    truncateSync(join(root.journal.directory, 'data'))
    expect(() => savedOf(root, 'a')).toThrow(expect.objectContaining({ code: 'CHANGED_ON_DISK' }))
    for (const line of ['{"op":"set"}', 'x', '{"op":"begin","format":3}', '']) {
      writeFileSync(join(root.journal.directory, 'log.jsonl'), `${line}\n`)
      expect(() => root.read()).toThrow(expect.objectContaining({ code: 'CHANGED_ON_DISK', hint: expect.stringContaining(root.journal.directory) }))
    }
  })
})

describe('a log that was cut off', () => {
  const names = fc.constantFrom('a', 'b', 'ü/漢', 'x"\n\\y')
  const change = fc.record({ name: names, content: fc.option(fc.string({ unit: 'binary', maxLength: 5 }), { nil: null }) })

  it('at any byte tells what was done up to there', () => {
    fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const root = new JournalledRoot()
      for (const { name, content } of changes) {
        if (content === null && captureState(root.at(name)).kind === 'absent') continue
        if (content === null) root.files.remove(root.at(name))
        else {
          root.files.makeDirectories(root.at(name.includes('/') ? 'ü' : '.'))
          root.files.write(root.at(name), content)
        }
      }
      root.journal.end({ endedAt: '', blocks: 1, failures: 0, summary: '', outcome: 'done' })
      const whole = root.read().operations
      const file = join(root.journal.directory, 'log.jsonl')
      const log = readFileSync(file)
      for (let size = log.length - 1; size >= 0; size--) {
        truncateSync(file, size)
        const run = readRun(root.directory, 'r1')
        expect(run?.end).toBeUndefined()
        if (run) expect(run.signature).toBe('signed')
        expect(run?.operations ?? []).toEqual(whole.slice(0, run?.operations.length ?? 0))
        if (size % 7 !== 0) continue
        mendLog(root.journal.directory)
        expect(readRun(root.directory, 'r1')?.operations).toEqual(run?.operations)
        writeFileSync(file, log.subarray(0, size))
      }
    }), { numRuns: 15 })
  })
})
