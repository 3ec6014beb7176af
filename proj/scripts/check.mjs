/**
 * Builds, then runs every check that is no test: types, lint, the rules of dependencies, and whether what is derived
 * is what the sources say. The checks run at the same time, and each is told of when it ends.
 * The exit code is 1 where one of them fails. Options are the build's.
 */
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What the slow ones found out before: they look again at what changed since, by content. */
const KEPT = 'node_modules/.cache/hermes-check'
const CHECKS = [
  `tsc -p . --incremental --tsBuildInfoFile ${KEPT}/types.json`,
  `tsc -p proj/tsconfig.page.json --incremental --tsBuildInfoFile ${KEPT}/types-of-pages.json`,
  'oxlint --quiet',
  `depcruise --config proj/dependency-cruiser.cjs --cache ${KEPT}/imports --cache-strategy content proj`,
  'node proj/scripts/design.mjs --check',
]
const root = fileURLToPath(new URL('../..', import.meta.url))
const programs = join(root, 'proj', 'node_modules', '.bin')
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env['PATH']}` }

/** @returns whether it ended well */
async function run(command) {
  const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  console.log(`${status === 0 ? 'ok    ' : 'failed'} ${command}`)
  if (status !== 0) console.log(`${stdout}${stderr}`)
  return status === 0
}

const isBuilt = await run(['node proj/scripts/build.mjs --if-changed', ...process.argv.slice(2)].join(' '))
const outcomes = isBuilt ? await Promise.all(CHECKS.map(run)) : [false]
process.exitCode = outcomes.every(Boolean) ? 0 : 1
