/** A thread that is started from the text of a function has nothing of the function's module: an import of it is gone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const components = fileURLToPath(new URL('../../comp', import.meta.url))
const sources = readdirSync(components, { recursive: true, encoding: 'utf8' })
  .filter(name => /\/src\/.*\.ts$/.test(name))
  .map(name => ({ name, text: readFileSync(join(components, name), 'utf8') }))
const functions = sources.flatMap(({ text }) => [...text.matchAll(/\$\{(\w+)\.toString\(\)\}/g)].map(([, name = '']) => name))

it('finds the functions whose text is the program of a thread', () => {
  expect(functions.sort()).toEqual(['checkThread', 'structuralThread'])
})

it.each(functions)('the module of %s imports nothing but types, and holds no value beside it', (name) => {
  const files = sources.filter(({ text }) => text.includes(`export function ${name}(`))
  expect(files).toHaveLength(1)
  const [{ text = '' } = {}] = files
  expect(text.match(/^import (?!type ).*/gm) ?? []).toEqual([])
  expect(text.match(/^(?:export )?(?:const|let|class|function|async function) (\w+)/gm)).toHaveLength(1)
})
