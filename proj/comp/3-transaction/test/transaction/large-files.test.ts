/** Files of more than is held in memory: their contents go between journal and disk piece by piece. */
import { existsSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { captureState } from '../../src/journal/index.js'
import { Root } from './root.js'
import { plantLarge } from './support/plant-large.js'

const LARGE = 24 * 1024 * 1024

describe.each([['in a repository', () => Root.repository()], ['outside of git', () => new Root()]] as const)('%s, a large file', (_, make) => {
  it('comes back and goes again, with what was not committed of it', async () => {
    const root = make()
    const path = join(root.directory, 'large.bin')
    plantLarge(path, LARGE)
    const before = captureState(path)
    await root.run({ 'large.bin': null })
    expect(await root.undo()).toMatchObject({ success: true, left: [] })
    expect(captureState(path)).toEqual(before)
    expect(await root.redo()).toMatchObject({ success: true, left: [] })
    expect(existsSync(path)).toBe(false)
  })

  it('comes back where an atomic run fails', async () => {
    const root = make()
    const path = join(root.directory, 'large.bin')
    plantLarge(path, LARGE)
    const before = captureState(path)
    const transaction = root.transaction({ atomic: true })
    await transaction.beforeBlock('write')
    transaction.files.write(root.gate.approve('large.bin', 'write'), 'small')
    const { left } = await transaction.rollBack({ blocks: 1, failures: 1, subject: '', lines: [] }, root.gate)
    expect(left).toEqual([])
    expect(captureState(path)).toEqual(before)
  })
})

it('a large file of which the journal has no longer what it had stays away, and is not half restored', async () => {
  const root = new Root()
  const path = join(root.directory, 'large.bin')
  plantLarge(path, LARGE)
  await root.run({ 'large.bin': null }, { runId: 'run-large' })
  truncateSync(join(root.directory, '.hermes', 'journal', 'run-large', 'data'), LARGE - 1)
  const { left } = await root.undo()
  expect(left).toEqual([{ path: 'large.bin', reason: expect.stringContaining('The journal was changed') as unknown }])
  expect(existsSync(path)).toBe(false)
})
