import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputFileSync } from 'fs-extra/esm'
import { expect, it } from 'vitest'
import { tempDir } from '../support/temp-dir.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** `rule: file` for everything dependency-cruiser finds below `proj` of a directory. */
function violations(directory: string): Promise<string[]> {
  const program = join(root, 'proj', 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')
  const config = join(root, 'proj', 'dependency-cruiser.cjs')
  return new Promise((resolve, reject) => {
    const args = [program, '--config', config, '--output-type', 'json', 'proj']
    execFile(process.execPath, args, { cwd: directory, maxBuffer: 2 ** 28 }, (_, stdout, stderr) => {
      // Violations make the exit code one; only output that is no report is a failure.
      if (!stdout.startsWith('{')) return reject(new Error(stderr))
      const { summary } = JSON.parse(stdout) as { summary: { violations: { rule: { name: string }; from: string }[] } }
      resolve(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort())
    })
  })
}

/** A right file below each wrong one shows that the rule is not merely strict. */
const TREE: Record<string, string> = {
  'proj/comp/0-contracts/src/index.ts': 'export const contract = 1\n',
  'proj/comp/0-contracts/src/early.ts': "export { text } from '../../0-text/src/index.js'\n",
  'proj/comp/0-text/src/index.ts': 'export const text = 1\n',
  'proj/comp/0-text/src/strings/index.ts': 'export const inner = 1\n',
  'proj/comp/1-reading/src/index.ts': "export { inner } from '../../0-text/src/strings/index.js'\n",
  'proj/comp/1-reading/src/reads.ts': "export { readFileSync } from 'node:fs'\n",
  'proj/comp/1-reading/src/bare.ts': "export { Buffer } from 'buffer'\n",
  'proj/comp/1-reading/src/lazy.ts': "export const load = () => import('node:fs/promises')\n",
  'proj/comp/1-reading/test/inner.test.ts': "export { inner } from '../../0-text/src/strings/index.js'\n",
  'proj/comp/1-edits/src/index.ts': "export { nothing } from './nothing.js'\n",
  'proj/comp/1-edits/test/own.test.ts': "export { nothing } from '../src/index.js'\n"
    + "export { readFileSync } from '../../1-reading/src/reads.js'\n",
  'proj/comp/2-files/src/index.ts': "export { realpathSync } from 'node:fs'\n",
  'proj/comp/2-files/src/types.ts': "export type { Verbs } from '../../5-executor/src/index.js'\n",
  'proj/comp/2-git/src/index.ts': "export { realpathSync } from '../../2-files/src/index.js'\n",
  'proj/comp/2-processes/src/launcher/index.ts': "export { spawn } from 'node:child_process'\n"
    + "export const load = () => import('execa')\n",
  'proj/comp/2-processes/src/index.ts': "export { spawn } from './launcher/index.js'\n",
  'proj/comp/2-sandbox/src/index.ts': "export { spawn } from '../../2-processes/src/index.js'\n",
  'proj/comp/2-sandbox/src/bare.ts': "export { spawn } from 'child_process'\n",
  'proj/comp/2-sandbox/src/built-in.ts': "export const load = () => process.getBuiltinModule('node:child_process')\n",
  'proj/comp/2-sandbox/src/lazy.ts': "export const load = () => import('node:child_process')\n",
  'proj/comp/2-sandbox/src/static.ts': "export { spawn } from 'node:child_process'\n",
  'proj/comp/2-sandbox/src/typed.ts': "export type { ChildProcess } from 'node:child_process'\n",
  'proj/comp/2-sandbox/src/execa.ts': "export const load = () => import('execa')\n",
  'proj/comp/2-sandbox/src/terminal.ts': "export type * from '@lydell/node-pty'\n",
  'proj/comp/2-sandbox/test/starts.ts': "export { spawn } from 'node:child_process'\n",
  'proj/comp/4-verb-git/src/index.ts': "export { realpathSync } from '../../2-files/src/index.js'\n",
  'proj/comp/4-verb-git/src/file.ts': "export { b } from '../../4-verb-run/src/index.js'\n",
  'proj/comp/4-verb-run/src/index.ts': 'export const b = 1\n',
  'proj/comp/4-verb-run/src/file.ts': "export { contract } from '../../0-contracts/src/index.js'\n",
  'proj/comp/4-verb-run/src/tested.ts': "export { helper } from '../test/helper.js'\n",
  'proj/comp/4-verb-run/test/helper.ts': "export { b as helper } from '../src/index.js'\n",
  'proj/comp/5-executor/src/index.ts': "export type Verbs = 1\n",
  'proj/comp/5-executor/src/verbs/list.ts': "export const load = () => import('../../../4-verb-run/src/file.js')\n"
    + "export { inner } from '../../../0-text/src/strings/index.js'\n",
  'proj/comp/7-setup/src/index.ts': "export { host } from '../../7-services/src/index.js'\n",
  'proj/comp/7-services/src/index.ts': "export type { Verbs as host } from '../../5-executor/src/index.js'\n",
  'proj/comp/6-mcp/src/index.ts': "export type { Verbs as mcp } from '../../5-executor/src/index.js'\n",
  'proj/comp/6-mcp/src/entry.ts': "export { entry } from '../../../src/index.js'\n",
  'proj/comp/2-other/src/index.ts': "export { contract } from '../../0-contracts/src/index.js'\n",
  'proj/comp/1-reports/src/index.ts': "export { two } from './two.js'\nexport const one = 1\n",
  'proj/comp/1-reports/src/two.ts': "export { one as two } from './index.js'\n",
  'proj/comp/1-reports/src/tool.ts': "export { test } from 'tool'\nexport { description } from 'valibot'\n",
  'proj/node_modules/tool/package.json': '{ "name": "tool", "exports": "./index.js" }',
  'proj/node_modules/tool/index.js': 'exports.test = 1\n',
  'proj/src/core.ts': "export { realpathSync } from '../comp/2-files/src/index.js'\n",
  'proj/src/index.ts': "export { inner as entry } from '../comp/0-text/src/strings/index.js'\n",
}

/** That the sources themselves keep them, `npm run check` finds out. */
it('the rules of dependency-cruiser find every planted violation and nothing else', async () => {
  const directory = tempDir()
  for (const [path, content] of Object.entries(TREE)) {
    outputFileSync(join(directory, path), content)
  }
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(root, name), join(directory, name))
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))

  expect(await violations(directory)).toEqual([
    'entries-are-outermost: proj/comp/6-mcp/src/entry.ts',
    'entries-through-face: proj/src/index.ts',
    'list-loads-verbs-only: proj/comp/5-executor/src/verbs/list.ts',
    'neighbours: proj/comp/0-contracts/src/early.ts',
    'neighbours: proj/comp/4-verb-git/src/file.ts',
    'no-circular: proj/comp/1-reports/src/index.ts',
    'no-test-tools-in-sources: proj/comp/1-reports/src/tool.ts',
    'no-tests-in-sources: proj/comp/4-verb-run/src/tested.ts',
    'no-unresolvable: proj/comp/1-edits/src/index.ts',
    'only-through-face: proj/comp/1-reading/src/index.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/bare.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/built-in.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/execa.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/lazy.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/static.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/terminal.ts',
    'programs-through-launcher: proj/comp/2-sandbox/src/typed.ts',
    'pure-core: proj/src/core.ts',
    'pure-rooms: proj/comp/1-reading/src/bare.ts',
    'pure-rooms: proj/comp/1-reading/src/lazy.ts',
    'pure-rooms: proj/comp/1-reading/src/reads.ts',
    'room-has-row: proj/comp/2-other/src/index.ts',
    'storeys: proj/comp/2-files/src/types.ts',
    'tests-through-index: proj/comp/1-edits/test/own.test.ts',
  ])
})

it('the page of the house names every room once, in the order of the listing, and draws it', () => {
  const page = readFileSync(join(root, 'proj', 'doc', 'ARCH.md'), 'utf8')
  const rooms = readdirSync(join(root, 'proj', 'comp'))
  expect([...page.matchAll(/^\| `(\d-[\w-]+)` \|/gm)].map(([, room]) => room)).toEqual(rooms)
  const drawn = [...page.matchAll(/^(\d) \w+ +(\S.*)$/gm)]
    .flatMap(([, storey, names]) => names!.split(' · ').map((name) => `${storey}-${name}`))
  expect(drawn.sort()).toEqual(rooms)
})
