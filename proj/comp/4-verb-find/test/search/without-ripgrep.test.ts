import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import { findRipgrep } from '../../src/search/ripgrep.js'

// There is no ripgrep for a machine of this name.
Object.defineProperty(process, 'arch', { value: 'none' })

it('searches without ripgrep where there is none', async () => {
  expect(findRipgrep()).toBeUndefined()
  const root = tempDir()
  plant(root, { '.gitignore': 'b', a: 'x', b: 'x' })
  expect(await runVerb('search_files', { query: 'x' }, contextFor(root, 'disk'))).toEqual({
    data: { matches: [{ path: 'a', line: 1, column: 1, text: 'x' }], truncated: false },
  })
})
