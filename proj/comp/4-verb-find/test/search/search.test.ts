import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { asNobody } from './as-nobody.js'

describe('grep and glob', () => {
  it('say what they could not read, and keep what they found', async () => {
    const root = tempDir()
    plant(root, { 'a.txt': 'x', 'closed/b.txt': 'x', 'c.txt': 'x' })
    chmodSync(join(root, 'closed'), 0)
    asNobody(root)
    const hint = "Could not be read: '/workspace/closed'. The data holds what was found elsewhere."
    const message = (verb: string) => `EACCES: permission denied, ${verb} '/workspace/closed'`
    const context = contextFor(root, 'disk')
    expect(await runVerb('grep', { pattern: 'x', path: '/workspace' }, context)).toEqual({
      code: 'EACCES',
      message: message('grep'),
      hint,
      data: ['a', 'c'].map((name) => ({ file: `/workspace/${name}.txt`, line_number: 1, line: 'x' })),
    })
    expect(await runVerb('glob', { pattern: '**', base_path: '/workspace' }, context)).toEqual({
      code: 'EACCES', message: message('glob'), hint, data: ['/workspace/a.txt', '/workspace/c.txt'],
    })
  })

  it('stop when the run is cancelled', async () => {
    const root = tempDir()
    plant(root, { 'a/b/c.txt': 'x' })
    const abort = new AbortController()
    const context = { ...contextFor(root, 'disk'), signal: abort.signal }
    setImmediate(() => abort.abort())
    const expected = { code: 'CANCELLED', message: 'The run was cancelled' }
    expect(await runVerb('grep', { pattern: 'x', path: '/workspace' }, context)).toEqual(expected)
    expect(await runVerb('glob', { pattern: '**', base_path: '/workspace' }, context)).toEqual(expected)
  })

  it('read a large file piece by piece, beyond the size limit of other verbs', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'logs'))
    const line = `${'\u{1f44b}'.repeat(30)}\n`
    writeFileSync(join(root, 'logs/big.log'), `${line.repeat(40_000)}the needle \u00e9\n`)
    const found = await runVerb('grep', { pattern: 'needle \u00e9', path: '/workspace/logs' }, contextFor(root, 'disk'))
    const match = { file: '/workspace/logs/big.log', line_number: 40_001, line: 'the needle \u00e9' }
    expect(found).toEqual({ data: [match] })
  })
})
