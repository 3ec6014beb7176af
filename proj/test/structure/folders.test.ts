import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const MOST_FILES = 40
/** Folders whose files are rows of a list, each named for what it adds: a verb, a command, a format, a check, a rule. */
const OF_ROWS = /\/(?:4-verb-[^/]+\/src|8-cli\/src\/commands|2-transcripts\/src|src\/shipped|src\/rules|src\/(?:doctor\/)?checks)\//
const files = ['comp', 'src', 'test', 'trials', 'bench', 'scripts'].flatMap((folder) => (
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
))

it('no folder holds more files than one can take in', () => {
  const folders = new Set(files.map((file) => dirname(file)))
  expect([...folders].filter((folder) => files.filter((file) => dirname(file) === folder).length > MOST_FILES)).toEqual([])
})

it('a name tells what a file is: no two sources have the same one', () => {
  const sources = files.filter((file) => /\/comp\/[^/]+\/src\/.*\.tsx?$/.test(file) && !file.endsWith('/index.ts'))
    .filter((file) => !OF_ROWS.test(file))
  const names = sources.map((file) => basename(file))
  expect(sources.filter((file, at) => names.indexOf(basename(file)) !== at)).toEqual([])
})
