/**
 * Writes what is derived from the registry: unified-design.yaml, docs/verbs.md and the lock of the schemas. With
 * --check only says whether all are up to date. Nothing is written when a verb's version does not say how much it
 * changed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { derive, lockViolations } from '../../dist/design.js'

const root = new URL('../../', import.meta.url)
const LOCK = 'proj/comp/verbs/test-data/schemas.lock.json'
const { design, verbsPage, schemaLock } = await derive()
const files = {
  'unified-design.yaml': design, 'docs/verbs.md': verbsPage, [LOCK]: `${JSON.stringify(schemaLock, null, 1)}\n`,
}

const violations = lockViolations(JSON.parse(read(LOCK) || '{}'), schemaLock)
if (violations.length > 0) fail(`Versions do not fit the changes of the schemas:\n  ${violations.join('\n  ')}`)
else if (process.argv.includes('--check')) check()
else write()

function write() {
  for (const [file, text] of Object.entries(files)) {
    const target = new URL(file, root)
    mkdirSync(new URL('./', target), { recursive: true })
    writeFileSync(target, text)
  }
}

function check() {
  for (const [file, text] of Object.entries(files)) {
    const difference = firstDifference(read(file), text)
    if (difference !== undefined) fail(`${file} differs from the registry: ${difference}\nRun: npm run design`)
  }
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}

function read(file) {
  try {
    return readFileSync(new URL(file, root), 'utf8')
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
