import {
  constants, closeSync, linkSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import {
  noteOwnOutput, noteRunRoots, openOutput, outputTarget, ownOutputs, WholeFile, writeOutput,
} from '../../src/outputs/index.js'

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT

/** All ways to write an output. */
const WAYS: [string, (file: string) => void][] = [
  ['writeOutput', (file) => writeOutput(file, 'output')],
  ['writeOutput in place', (file) => writeOutput(file, 'output', { orInPlace: true })],
  ['openOutput', (file) => closeSync(openOutput(file, APPEND))],
  ['WholeFile', (file) => {
    const whole = new WholeFile(file)
    whole.write('output')
    whole.finish()
  }],
]

/** A root in which runs work, and what must not be reached beside it. */
function plant(): { root: string; outside: string; keys: string } {
  const base = tempDir()
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  mkdirSync(root)
  mkdirSync(outside)
  const keys = join(outside, 'keys')
  writeFileSync(keys, 'keys')
  noteRunRoots([root])
  return { root, outside, keys }
}

describe.skipIf(process.platform === 'win32').each(WAYS)('%s', (_, write) => {
  it('refuses a link that lies in the root', () => {
    const { root, keys } = plant()
    const file = join(root, 'report.md')
    symlinkSync(keys, file)
    expect(() => write(file)).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    expect(readFileSync(keys, 'utf8')).toBe('keys')
  })

  it('refuses a link to nothing, one in the way, and one that a link of the user leads to', () => {
    const { root, outside, keys } = plant()
    symlinkSync(join(outside, 'new'), join(root, 'dangling'))
    symlinkSync(outside, join(root, 'reports'))
    symlinkSync(keys, join(root, 'second'))
    symlinkSync(join(root, 'second'), join(outside, 'first'))
    for (const file of [join(root, 'dangling'), join(root, 'reports', 'keys'), join(outside, 'first')]) {
      expect(() => write(file)).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    }
    expect(readFileSync(keys, 'utf8')).toBe('keys')
    expect(lstatSync(join(outside, 'new'), { throwIfNoEntry: false })).toBeUndefined()
  })

  it('follows links that lie outside of the root, also into it', () => {
    const { root, outside } = plant()
    symlinkSync(join(outside, 'reports.md'), join(outside, 'link'))
    symlinkSync(root, join(outside, 'project'))
    write(join(outside, 'link'))
    write(join(outside, 'project', 'report.md'))
    expect(lstatSync(join(outside, 'link')).isSymbolicLink()).toBe(true)
    expect(lstatSync(join(outside, 'reports.md')).isFile()).toBe(true)
    expect(lstatSync(join(root, 'report.md')).isFile()).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32').each(WAYS)('%s to what is no file', (_, write) => {
  it('refuses a pipe in the root, also one that a link of the user leads to, and does not wait for a reader', () => {
    const { root, outside } = plant()
    execFileSync('mkfifo', [join(root, 'report.md')])
    symlinkSync(join(root, 'report.md'), join(outside, 'link'))
    for (const file of [join(root, 'report.md'), join(outside, 'link')]) {
      expect(() => write(file)).toThrow(expect.objectContaining({ code: 'POLICY_DENIED', message: expect.stringContaining('no file') }))
    }
  })

  it('refuses a socket in the root', async () => {
    const { root } = plant()
    const server = createServer().listen(join(root, 'report.md'))
    await once(server, 'listening')
    try {
      expect(() => write(join(root, 'report.md'))).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    } finally {
      server.close()
    }
  })

  it('refuses a pipe of the user that nobody reads, and writes to one that is read, and to devices', () => {
    const { outside } = plant()
    const pipe = join(outside, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(() => write(pipe)).toThrow(expect.objectContaining({ code: 'ENXIO', message: expect.stringContaining('nobody reads') }))
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    write(pipe)
    closeSync(reader)
    write('/dev/null')
  })
})

describe.skipIf(process.platform === 'win32')('what is put in the way later', () => {
  it('is not followed by a file that is written piece by piece', () => {
    const { root, outside } = plant()
    mkdirSync(join(root, 'reports'))
    const whole = new WholeFile(join(root, 'reports', 'keys'))
    whole.write('output')
    renameSync(join(root, 'reports'), join(root, 'moved'))
    symlinkSync(outside, join(root, 'reports'))
    expect(() => whole.finish()).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
    expect(readFileSync(join(outside, 'keys'), 'utf8')).toBe('keys')
  })

  it('is not added to by its second name', () => {
    const { root, keys } = plant()
    linkSync(keys, join(root, 'record.jsonl'))
    expect(() => openOutput(join(root, 'record.jsonl'), APPEND)).toThrow(
      expect.objectContaining({ code: 'POLICY_DENIED' }),
    )
    writeOutput(join(root, 'record.jsonl'), 'output')
    expect(readFileSync(keys, 'utf8')).toBe('keys')
  })
})

it.runIf(process.platform === 'linux')('an open file is reached by its name in /proc', () => {
  const { root } = plant()
  const descriptor = openSync(join(root, 'redirected'), 'w')
  try {
    expect(outputTarget(`/proc/self/fd/${descriptor}`)).toBe(join(root, 'redirected'))
  } finally {
    closeSync(descriptor)
  }
})

it('is hermes’ own as long as whoever writes it says so: a conversation that was saved is a file like any other', () => {
  const file = join(tempDir(), 'conversation.md')
  closeSync(openOutput(file, APPEND))
  expect(ownOutputs()).toEqual([])
  const end = noteOwnOutput(outputTarget(file))
  expect(ownOutputs()).toEqual([outputTarget(file)])
  end()
  expect(ownOutputs()).toEqual([])
})
