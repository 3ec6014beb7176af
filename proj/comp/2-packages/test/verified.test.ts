import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { distrust } from '../../2-processes/src/index.js'
import { verifiedPath } from '../src/index.js'

/** A package that is none of those the build pinned; no manifest lies beside its `node_modules`. */
function planted(): { top: string; directory: string } {
  const top = tempDir()
  const directory = join(top, 'node_modules', 'typescript')
  mkdirSync(join(directory, 'lib'), { recursive: true })
  writeFileSync(join(directory, 'lib', 'typescript.js'), 'planted')
  return { top, directory }
}

it('a file that nobody pinned counts where no run writes, and nowhere else', () => {
  const { top, directory } = planted()
  expect(verifiedPath('typescript', directory, 'lib/typescript.js')).toBe(join(directory, 'lib', 'typescript.js'))
  distrust([top])
  expect(() => verifiedPath('typescript', directory, 'lib/typescript.js'))
    .toThrow(expect.objectContaining({ code: 'NOT_INSTALLED', message: expect.stringContaining('a run could have written it') }))
})

it('nor where a run was before', () => {
  const { top, directory } = planted()
  mkdirSync(join(top, '.hermes', 'journal'), { recursive: true })
  expect(() => verifiedPath('typescript', directory, 'lib/typescript.js')).toThrow(/a run could have written it/)
})
