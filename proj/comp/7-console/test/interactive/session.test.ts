import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { InteractiveSession, type InteractiveSetup } from '../../src/interactive/index.js'

/** Milliseconds: a bound for what never comes. */
const WAIT = 60_000
const OUTPUT = { columns: 40, rows: 12, write: () => undefined, on: () => undefined, off: () => undefined }

/** A session as a program of its own would run it. */
function begin(root: string, more: Partial<InteractiveSetup> = {}) {
  const keys = new PassThrough()
  const heard = { told: '', runs: [] as boolean[] }
  const session = new InteractiveSession({
    options: { root, rootAliases: [], gitCommit: false, sandbox: 'none' }, input: keys, output: OUTPUT,
    history: { lines: [], add: () => undefined }, consent: () => ({}),
    reportRun: () => ({ event: () => undefined, end: ({ success }) => heard.runs.push(success) }),
    tell: (text) => { heard.told += text }, quote: (text) => text, colour: false,
    runCommand: async (name, argv) => { heard.told += `${name} ${argv.join(' ')}\n` },
    clipboard: { read: async () => 'from the clipboard', write: async () => undefined },
    ...more,
  })
  return { session, keys, heard, exit: session.run() }
}

it('runs what a stream holds, and gives the exit code', async () => {
  const root = tempDir()
  const { keys, heard, exit } = begin(root)
  keys.end(`${shamBlock('abc', 'file_write', { path: join(root, 'a.txt'), content: 'one\n' })}\n/tools fs.exists\n\nverb: fs.readFile\narguments:\n  path: none\n`)
  expect(await exit).toBe(1)
  expect(heard).toEqual({ told: 'tools show fs.exists\n', runs: [true, false] })
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
})

it('gives the reply of the last run, which names a file that an earlier one has shown', async () => {
  const root = tempDir()
  const copied: string[] = []
  const { keys, heard, exit } = begin(root, { clipboard: { read: async () => '', write: async (text) => { copied.push(text) } } })
  const block = shamBlock('abc', 'file_write', { path: join(root, 'a.txt'), content: 'one\n' })
    + '\n' + shamBlock('see', 'file_read', { path: join(root, 'a.txt') })
  keys.end(`/reply\n${block}\n\n/copy\n/reply\n${block}\n\n/copy\n`)
  expect(await exit).toBe(0)
  expect(copied).toEqual([expect.stringContaining('\n    | one\n'), expect.stringContaining('unchanged since you read it')])
  expect(heard.told).toBe(`Nothing has run yet\n  Paste an answer first.\nThe reply is on the clipboard.\n${copied[0]}The reply is on the clipboard.\n`)
})

it('at a terminal, what is pasted runs only with a key that comes after it', async () => {
  const root = tempDir()
  const { keys, heard, exit } = begin(root, { terminal: 'editor' })
  const block = shamBlock('abc', 'file_write', { path: join(root, 'a.txt'), content: 'one\n' })
  keys.write(`\u001b[200~${block.replaceAll('\n', '\r')}\u001b[201~\r\r/run\r\u001b[201~`)
  await vi.waitFor(() => expect(heard.told).toContain('1 block:\n  abc  file_write\n'), WAIT)
  await sleep(100)
  expect([heard.runs, existsSync(join(root, 'a.txt'))]).toEqual([[], false])
  keys.write('\r')
  await vi.waitFor(() => expect(heard.runs).toEqual([true]), WAIT)
  // What is typed while something runs is thrown away, and for a moment after it.
  await sleep(200)
  keys.write('/paste\r')
  await vi.waitFor(() => expect(heard.told).toContain('Pasted 1 line, 0 blocks\n'), WAIT)
  await sleep(200)
  keys.write('\u0004')
  expect(await exit).toBe(0)
  expect(heard.told).toContain('Not run: 1 line that waited.\n')
})

it('at a terminal, /run leaves the prompt there', async () => {
  const root = tempDir()
  const block = shamBlock('abc', 'file_write', { path: join(root, 'a.txt'), content: 'one\n' })
  const { keys, heard, exit } = begin(root, { terminal: 'editor', clipboard: { read: async () => block, write: async () => undefined } })
  keys.write('/paste\r')
  await vi.waitFor(() => expect(heard.told).toContain('1 block:'), WAIT)
  await sleep(200)
  keys.write('/run\r')
  await vi.waitFor(() => expect(heard.runs).toEqual([true]), WAIT)
  await sleep(300)
  keys.write('/quit\r')
  expect(await exit).toBe(0)
})

it('mends what waits where asked to, and runs it with a key after that', async () => {
  const root = tempDir()
  const block = shamBlock('abc', 'file_write', { path: join(root, 'a.txt'), content: 'one' }).replace('#!SHAM', '#! SHAM')
  const { keys, heard, exit } = begin(root, { terminal: 'plain', clipboard: { read: async () => block, write: async () => undefined } })
  keys.end('/mend\n/paste\n/mend\n\n/paste\n/drop\n/mend\n')
  expect(await exit).toBe(0)
  expect(heard.told).toContain([
    'Pasted 5 lines, 0 blocks, and 1 that did not parse:', '✗  abc  (not parsed)        line 1:1',
    '    Invalid SHAM header format  MALFORMED_HEADER', '    #! SHAM [@three-char-SHA-256: abc]',
  ].join('\n'))
  expect(heard.told).toContain('What did not parse can be mended: /mend.\n')
  expect(heard.told).toContain('    -#! SHAM [@three-char-SHA-256: abc]\n    +#!SHAM [@three-char-SHA-256: abc]\n')
  expect(heard.told).toContain('1 fix in place; Enter runs it.\n')
  expect(heard.told.match(/Nothing waits/g)).toHaveLength(2)
  expect([heard.runs, readFileSync(join(root, 'a.txt'), 'utf8')]).toEqual([[true], 'one'])
})

it('leaves with the code of the signal, and says when it was told so before', async () => {
  const { session, exit } = begin(tempDir(), { terminal: 'editor' })
  expect([session.leave(143), session.leave(129), session.interrupt()]).toEqual([true, false, false])
  expect(await exit).toBe(143)
})

it('runs what the user has read besides, also of later answers where that is kept', async () => {
  const root = tempDir()
  const write = (name: string) => `<write_to_file>\n<path>${name}</path>\n<content>\n${name}\n</content>\n</write_to_file>\n`
  const asked: unknown[] = []
  const { keys, heard, exit } = begin(root, {
    terminal: 'plain',
    offer: async (_, reading) => {
      asked.push(reading)
      return [undefined, { formats: ['cline'], all: ['cline'], isKept: true } as const, undefined][asked.length - 1]
    },
  })
  keys.end(`${write('left.txt')}\n${write('kept.txt')}\n${write('later.txt')}\n`)
  expect(await exit).toBe(0)
  expect(asked).toEqual([{ editFormats: [] }, { editFormats: [] }, { editFormats: ['cline'] }])
  expect(heard.runs).toEqual([false, true, true])
  expect(['left.txt', 'kept.txt', 'later.txt'].map((name) => existsSync(join(root, name)))).toEqual([false, true, true])
})
