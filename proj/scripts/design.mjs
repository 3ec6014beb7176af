/** Writes unified-design.yaml from the registry; with --check only says whether it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { renderDesign } from '../../dist/design.js'

const file = new URL('../../unified-design.yaml', import.meta.url)
const wanted = await renderDesign()

if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted)
} else {
  const difference = firstDifference(readPresent(), wanted)
  if (difference !== undefined) {
    console.error(`unified-design.yaml differs from the registry: ${difference}\nRun: npm run design`)
    process.exitCode = 1
  }
}

function readPresent() {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return ''
    throw error
  }
}

function firstDifference(present, text) {
  if (present === text) return undefined
  const presentLines = present.split('\n')
  const lines = text.split('\n')
  const index = lines.findIndex((line, at) => line !== presentLines[at])
  const at = index === -1 ? lines.length : index
  return `line ${at + 1} is ${JSON.stringify(presentLines[at])}, should be ${JSON.stringify(lines[at])}`
}
