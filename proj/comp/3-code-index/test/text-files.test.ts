import { expect, it } from 'vitest'
import type { ApprovedPath } from '../../0-contracts/src/index.js'
import { contextFor } from '../../5-executor/test/verbs/golden-harness.js'
import { writeTree } from '../../../test/support/file-tree.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { findTexts } from '../src/text-files.js'

it('says so where there are more files than it searches', async () => {
  const root = tempDir()
  writeTree(root, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
  const here = contextFor(root, 'disk')
  const scope = { start: here.session.root as ApprovedPath, kind: 'directory', shown: '', verb: 'test' } as const
  const bounds = { files: 2, bytes: 100, fileBytes: 100 }
  expect(await findTexts(scope, here, bounds))
    .toMatchObject({ isCut: true, files: [{ shown: 'a.txt' }, { shown: 'b.txt' }] })
  expect((await findTexts(scope, here, { ...bounds, bytes: 3 })).files).toHaveLength(1)
  expect((await findTexts(scope, here, { ...bounds, files: 3 })).isCut).toBe(false)
})
