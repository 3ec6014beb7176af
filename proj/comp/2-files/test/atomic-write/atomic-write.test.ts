import {
  chmodSync, closeSync, linkSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, statSync,
  symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { mountOrSkip } from '../store/support/mount.js'
import {
  createWhole, replaceByTemp, replaceUnchanged, writeOwn, writeWhole, writeWholeAsync,
} from '../../src/atomic-write/index.js'
import { WholeFile } from '../../src/outputs/index.js'

const isRoot = process.geteuid?.() === 0
const modeOf = (file: string): number => statSync(file).mode & 0o777
const text = (file: string): string => readFileSync(file, 'utf8')

/** Root may write everywhere: as root, this is done by `nobody`. */
async function unprivileged<Value>(task: () => Value | Promise<Value>): Promise<Value> {
  if (!isRoot) return task()
  process.seteuid?.(65_534)
  try {
    return await task()
  } finally {
    process.seteuid?.(0)
  }
}

/** A file with `old` in it, alone in its directory. */
function plant(mode = 0o644): { directory: string; file: string } {
  const directory = tempDir()
  const file = join(directory, 'file')
  writeFileSync(file, 'old')
  chmodSync(file, mode)
  return { directory, file }
}

/** All ways to put other content into a file. */
const WAYS: [string, (file: string, content: string) => void | Promise<void>][] = [
  ['writeWhole', (file, content) => writeWhole(file, content)],
  ['writeWhole in place', (file, content) => writeWhole(file, content, { orInPlace: true })],
  ['writeOwn', (file, content) => writeOwn(file, content)],
  ['writeWholeAsync', (file, content) => writeWholeAsync(file, Buffer.from(content))],
  ['replaceUnchanged', (file, content) => void replaceUnchanged(file, content, 'old')],
  ['WholeFile', (file, content) => {
    const whole = new WholeFile(file)
    try {
      whole.write(content.slice(0, content.length / 2))
      whole.write(content.slice(content.length / 2))
      whole.finish()
    } finally {
      whole.discard()
    }
  }],
]

describe.each(WAYS)('%s', (_, write) => {
  it('puts the new content in the place of the old, which readers keep, and leaves nothing beside it', async () => {
    const { directory, file } = plant()
    const reader = openSync(file, 'r')
    await write(file, 'new content')
    expect(readFileSync(reader, 'utf8')).toBe('old')
    closeSync(reader)
    expect([text(file), readdirSync(directory)]).toEqual(['new content', ['file']])
  })

  it('leaves the old content and nothing else on a full disk', async (context) => {
    const directory = join(tempDir(), 'small')
    mkdirSync(directory)
    mountOrSkip(context, directory, '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs')
    writeFileSync(join(directory, 'file'), 'old')
    await expect((async () => write(join(directory, 'file'), 'x'.repeat(2 << 20)))()).rejects
      .toMatchObject({ code: 'ENOSPC' })
    expect([text(join(directory, 'file')), readdirSync(directory)]).toEqual(['old', ['file']])
  })

  it('says by the name of the file that its directory may not be written', async () => {
    const { directory, file } = plant(0o444)
    chmodSync(directory, 0o555)
    const failure = await unprivileged(() => write(file, 'new')).then(() => undefined, (error: unknown) => error)
    chmodSync(directory, 0o755)
    expect(failure).toMatchObject({ code: 'EACCES', path: file })
    expect(text(file)).toBe('old')
  })
})

describe('a file of the user', () => {
  it.each(['writeWhole', 'WholeFile'])('keeps its mode, and the link that leads to it: %s', (name) => {
    const { directory, file } = plant(0o640)
    symlinkSync('file', join(directory, 'link'))
    void WAYS.find(([way]) => way === name)?.[1](join(directory, 'link'), 'new')
    expect([text(file), modeOf(file), readlinkSync(join(directory, 'link'))]).toEqual(['new', 0o640, 'file'])
  })

  it('is made where a link leads nowhere, with the mode that is asked for', () => {
    const directory = tempDir()
    symlinkSync('not-yet', join(directory, 'link'))
    writeWhole(join(directory, 'link'), 'new', { mode: 0o600 })
    expect([text(join(directory, 'not-yet')), modeOf(join(directory, 'not-yet'))]).toEqual(['new', 0o600])
    expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true)
  })

  it('may be a device, which is written to; a directory is none', () => {
    writeWhole('/dev/null', 'gone')
    expect(() => writeWhole('/dev/full', 'x')).toThrow('ENOSPC')
    expect(() => writeWhole(tempDir(), 'x')).toThrow('EISDIR')
    expect(() => new WholeFile(tempDir())).toThrow('EISDIR')
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it('that is mounted by itself is written in place where that is allowed, and only there', (context) => {
    const { file } = plant()
    const directory = tempDir()
    writeFileSync(join(directory, 'mounted'), '')
    mountOrSkip(context, join(directory, 'mounted'), '--bind', file)
    expect(() => writeWhole(join(directory, 'mounted'), 'new')).toThrow('EBUSY')
    writeWhole(join(directory, 'mounted'), 'new', { orInPlace: true })
    expect([text(file), readdirSync(directory)]).toEqual(['new', ['mounted']])
  })

  it('in a directory that may not be written is written in place where that is allowed', async () => {
    const { directory, file } = plant(0o666)
    chmodSync(directory, 0o555)
    await unprivileged(() => writeWhole(file, 'new', { orInPlace: true }))
    expect([text(file), readdirSync(directory)]).toEqual(['new', ['file']])
    chmodSync(directory, 0o755)
  })

  it('is as it was, with nothing beside it, where the process ends before all pieces were there', () => {
    const { directory, file } = plant()
    const whole = new WholeFile(file)
    whole.write('half')
    expect(readdirSync(directory)).toHaveLength(2)
    process.listeners('exit').at(-1)?.(0)
    expect([text(file), readdirSync(directory)]).toEqual(['old', ['file']])
  })
})

describe('a file of hermes', () => {
  it('is for its owner alone, whatever was there', () => {
    const { directory, file } = plant(0o666)
    symlinkSync('file', join(directory, 'link'))
    writeOwn(join(directory, 'link'), 'new')
    writeOwn(file, 'newer')
    expect([lstatSync(join(directory, 'link')).isFile(), text(join(directory, 'link')), text(file)])
      .toEqual([true, 'new', 'newer'])
    expect([modeOf(file), modeOf(join(directory, 'link'))]).toEqual([0o600, 0o600])
  })
})

describe('createWhole', () => {
  it('makes a file once, whoever asks, and follows no link', () => {
    const directory = tempDir()
    const file = join(directory, 'file')
    createWhole(file, 'first', { mode: 0o600 })
    expect(() => createWhole(file, 'second')).toThrow('EEXIST')
    symlinkSync('elsewhere', join(directory, 'link'))
    expect(() => createWhole(join(directory, 'link'), 'x')).toThrow('EEXIST')
    expect([text(file), modeOf(file), readdirSync(directory)]).toEqual(['first', 0o600, ['file', 'link']])
  })

  it('leaves nothing of a file that does not fit', (context) => {
    const directory = join(tempDir(), 'small')
    mkdirSync(directory)
    mountOrSkip(context, directory, '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs')
    expect(() => createWhole(join(directory, 'file'), Buffer.alloc(2 << 20))).toThrow('ENOSPC')
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('replaceUnchanged', () => {
  it('leaves what was saved since, and keeps the mode', () => {
    const { directory, file } = plant(0o640)
    expect(replaceUnchanged(file, 'new', 'other')).toBe(false)
    expect(text(file)).toBe('old')
    expect(replaceUnchanged(file, 'new', 'old')).toBe(true)
    expect([text(file), modeOf(file), readdirSync(directory)]).toEqual(['new', 0o640, ['file']])
    expect(replaceUnchanged(join(directory, 'gone'), 'new', 'old')).toBe(false)
  })
})

describe('replaceByTemp', () => {
  it('leaves the file where the last look at it throws, and other names of it as they were', () => {
    const { directory, file } = plant()
    linkSync(file, join(directory, 'other'))
    const fill = (): number => 1
    expect(() => replaceByTemp(file, { mode: 0o600, fill, check: () => { throw new Error('changed') } })).toThrow('changed')
    expect([text(file), readdirSync(directory)]).toEqual(['old', ['file', 'other']])
    expect(replaceByTemp(file, { mode: 0o600, fill })).toBe(1)
    expect([text(file), text(join(directory, 'other'))]).toEqual(['', 'old'])
  })
})
