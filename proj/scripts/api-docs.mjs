/** Compares doc/API.md of every component (or those named) with its code; with --write rewrites its fences. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkApiDoc, listComponents, readSources, writeApiDoc } from './component-api.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const named = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const apiOf = readSources(root)

for (const name of named.length > 0 ? named : listComponents(root)) {
  const file = join(root, 'proj', 'comp', name, 'doc', 'API.md')
  let markdown = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (process.argv.includes('--write')) {
    const written = writeApiDoc(markdown, apiOf(name))
    if (written !== markdown) writeFileSync(file, written)
    markdown = written
  }
  const differences = checkApiDoc(markdown, apiOf(name))
  if (differences.length === 0) continue
  console.error(`${name}:\n${differences.map(line => `  ${line}`).join('\n')}`)
  process.exitCode = 1
}
