/** A file larger than a buffer may be, and than git can be handed, is deleted and restored. */
import { existsSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Root } from './root.js'
import { hasMarks, plantLarge } from './support/plant-large.js'

const SIZE = 2 ** 31 + 100 * 1024 * 1024
const disk = statfsSync(tmpdir())
/** Its holes take no room, unless the file system has none. */
const hasRoom = disk.bavail * disk.bsize > 10 * 1024 ** 3

it.skipIf(!hasRoom)(`a deleted file of 2.1 GiB comes back, in little memory${hasRoom ? '' : ' (needs 10 GiB free)'}`, async () => {
  const root = new Root()
  const path = join(root.directory, 'large.bin')
  plantLarge(path, SIZE)
  const { blocks, mode } = statSync(path)
  await root.run({ 'large.bin': null })
  expect(existsSync(path)).toBe(false)
  const used = process.memoryUsage().rss
  expect(await root.undo()).toMatchObject({ success: true, restored: ['large.bin'], left: [] })
  expect(process.memoryUsage().rss - used).toBeLessThan(512 * 1024 * 1024)
  expect(hasMarks(path, SIZE)).toBe(true)
  expect(statSync(path)).toMatchObject({ size: SIZE, mode })
  expect(statSync(path).blocks - blocks).toBeLessThan(100 * 1024)
}, 300_000)
