import { readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, plant } from '../../../5-executor/test/verbs/golden-harness.js'
import { referencesOf } from './references-of.js'

const directory = new URL('../../test-data/references/', import.meta.url)

/**
 * A case: a fence whose info string ends in each file's name, and one with the info `references NAME` or
 * `references NAME in FILE`: in its lines `path:line:column`, `by name` behind those of which only the name is the
 * same; and how many mean something else.
 */
for (const name of readdirSync(directory)) {
  describe(name, () => {
    it.each(readGoldens(new URL(name, directory)))('$group: $name', async ({ fences }) => {
      const root = tempDir()
      const questions = fences.filter(({ info }) => info.startsWith('references '))
      for (const fence of fences) {
        if (!questions.includes(fence)) plant(root, { [fence.info.split(' ')[1] ?? '']: `${fence.body}\n` })
      }
      for (const { info, body } of questions) {
        const { references, unrelated } = await referencesOf(info.slice('references '.length), contextFor(root, 'disk'))
        const lines = references.map(({ path, line, column, resolved }) => (
          `${relative(root, path)}:${line}:${column}${resolved ? '' : ' by name'}`
        ))
        expect([...lines, ...unrelated > 0 ? [`${unrelated} unrelated`] : []].join('\n')).toBe(body)
      }
    })
  })
}
