/**
 * Builds, and writes all documents that are derived from the code: unified-design.yaml, docs/verbs.md and the lock of
 * the schemas from the registry, the OpenRPC documents in docs/protocol, the JSON Schemas in docs/schemas,
 * docs/playground, docs/README.md, docs/commands.md, docs/troubleshooting.md and docs/dialects.md, and the fences of
 * each component's doc/API.md. With --check only says whether those up to docs/playground are up to date with what
 * is built; tests say it of the others. Nothing is written when a verb's version does not say how much it changed.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const isCheck = process.argv.includes('--check')
if (!isCheck) run('proj/scripts/build.mjs', '--if-changed')
const { derive, lockViolations } = await import('../../dist/design.js')
const LOCK = 'proj/comp/5-executor/test-data/verbs/schemas.lock.json'
const { design, verbsPage, schemaLock, protocols, schemas, playground } = await derive()
const files = {
  'docs/playground/index.html': playground, 'unified-design.yaml': design, 'docs/verbs.md': verbsPage,
  [LOCK]: `{\n${verbLines(schemaLock).join(',\n')}\n}\n`,
  ...Object.fromEntries(Object.entries(protocols).map(([name, document]) => (
    [`docs/protocol/${name}.openrpc.json`, `${JSON.stringify(document, null, 1)}\n`]
  ))),
  ...Object.fromEntries(Object.entries(schemas).map(([name, document]) => (
    [`docs/schemas/${name}.schema.json`, `${JSON.stringify(document, null, 1)}\n`]
  ))),
}

const violations = lockViolations(JSON.parse(read(LOCK) || '{}'), schemaLock)
if (violations.length > 0) fail(`Versions do not fit the changes of the schemas:\n  ${violations.join('\n  ')}`)
else if (isCheck) check()
else {
  write()
  run('proj/scripts/development.mjs')
  run('proj/scripts/api-docs.mjs', '--write')
  process.env['UPDATE_DOCS'] = '1'
  run(
    'proj/node_modules/vitest/vitest.mjs', 'run', '--config', 'proj/vitest.config.ts', 'proj/test/derived-docs.test.ts',
  )
}

/** Runs a script with this Node; what it printed is shown where it fails. */
function run(script, ...options) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
    cwd: fileURLToPath(root), encoding: 'utf8',
  })
  if (status !== 0) fail(`${stdout}${stderr}`)
}

/** A line for each verb: a difference shows whose schemas changed. */
function verbLines(lock) {
  return Object.entries(lock).map(([name, verb]) => `${JSON.stringify(name)}: ${JSON.stringify(verb)}`)
}

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
