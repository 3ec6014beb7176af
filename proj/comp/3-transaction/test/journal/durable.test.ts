import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const LOG = '.hermes/journal/r1/log.jsonl'
const DATA = '.hermes/journal/r1/data'
const CHANGES = ['rename old.txt', 'unlink gone.txt', 'mkdir made', 'mkdir made/deep', 'rename made/deep/new.txt', 'rename made/moved.txt']

async function callsOf(...args: string[]): Promise<string[]> {
  const script = await bundleForNode(new URL('support/log-flushes.ts', import.meta.url).pathname, tempDir())
  const root = tempDir()
  for (const name of ['old.txt', 'gone.txt', 'moved.txt']) writeFileSync(join(root, name), `old ${name}`)
  const { stdout, stderr } = spawnSync(process.execPath, [script, root, ...args], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

// Names of open files are told by /proc.
describe.skipIf(process.platform !== 'linux')('a durable run', () => {
  it('flushes once what it noted of files in a row, before it changes the first', async () => {
    const calls = await callsOf('in a row')
    const written = calls.slice(calls.indexOf('all asked for'), calls.lastIndexOf('told') + 1).filter(call => !call.startsWith('write .hermes-tmp'))
    expect(written).toEqual([
      'all asked for', `fsync ${DATA}`, `fsync ${LOG}`,
      ...['old.txt', 'new.txt', 'gone.txt'].flatMap(name => [`rename ${name}`, 'told']),
    ])
    const before = calls.slice(0, calls.indexOf('all asked for'))
    expect(before.filter(call => call === `write ${LOG}`)).toHaveLength(4)
    expect(before.some(call => call.startsWith('rename'))).toBe(false)
  })

  it('flushes what it noted before it changes a file, and the files themselves before it says that it has ended', async () => {
    const calls = await callsOf()
    expect(calls).toEqual(expect.arrayContaining(CHANGES))
    for (const change of CHANGES) {
      const before = calls.slice(0, calls.indexOf(change))
      for (const file of [LOG, DATA]) {
        expect([change, file, before.lastIndexOf(`fsync ${file}`) > before.lastIndexOf(`write ${file}`)]).toEqual([change, file, true])
      }
    }
    const end = calls.lastIndexOf(`write ${LOG}`)
    const last = Math.max(...CHANGES.map(change => calls.indexOf(change)))
    const flushed = calls.slice(last + 1, end).filter(call => call.startsWith('fsync ')).map(call => call.slice(6))
    expect(flushed.filter(name => !name.startsWith('.hermes')).sort()).toEqual(['.', 'made', 'made/deep', 'made/deep/new.txt', 'made/moved.txt', 'old.txt'])
    expect(calls.at(-1)).toBe(`fsync ${LOG}`)
  })
})
