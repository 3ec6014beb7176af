import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { isOfOwnFile, OwnFiles } from '../src/io/own-files.js'

it('a hermes that is built anew while it runs is told of, and no other file that is missing', () => {
  const directory = tempDir()
  const [packageFile, chunk] = [pathToFileURL(join(directory, 'package.json')), join(directory, 'dist', 'cli', 'apply-1.cjs')]
  mkdirSync(join(directory, 'dist', 'cli'), { recursive: true })
  writeFileSync(chunk, '')
  const own = new OwnFiles(packageFile)
  own.requirePresent()
  renameSync(chunk, join(directory, 'dist', 'cli', 'apply-2.cjs'))
  expect(() => own.requirePresent()).toThrow('hermes was replaced or removed while it ran')
  const missing = (path: string): Error => Object.assign(new Error('no such file'), { code: 'ENOENT', path })
  expect([chunk, join(directory, 'a.cjs'), `${directory}/dist-old/a.cjs`].map((path) => isOfOwnFile(missing(path), packageFile))).toEqual([true, false, false])
})
