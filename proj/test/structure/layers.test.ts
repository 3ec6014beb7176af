import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  'proj/comp/contracts/src/index.ts': 'export const contract = 1\n',
  'proj/comp/contracts/src/early.ts': "export { text } from '../../text/src/index.js'\n",
  'proj/comp/text/src/index.ts': "export { contract as text } from '../../contracts/src/index.js'\n",
  'proj/comp/text/src/inner.ts': 'export const inner = 1\n',
  'proj/comp/scanner/src/index.ts': "export { inner } from '../../text/src/inner.js'\n",
  'proj/comp/scanner/src/reads.ts': "export { readFileSync } from 'node:fs'\n",
  'proj/comp/scanner/src/bare.ts': "export { Buffer } from 'buffer'\n",
  'proj/comp/scanner/src/lazy.ts': "export const load = () => import('node:fs/promises')\n",
  'proj/comp/parsers/src/index.ts': "export { nothing } from './nothing.js'\n",
  'proj/comp/policy/src/index.ts': "export { realpathSync } from 'node:fs'\n",
  'proj/comp/policy/src/types.ts': "export type { Verbs } from '../../verbs/src/index.js'\n",
  'proj/comp/launcher/src/index.ts': "export { spawn } from 'node:child_process'\n"
    + "export const load = () => import('execa')\n",
  'proj/comp/git/src/index.ts': "export { spawn } from '../../launcher/src/index.js'\n",
  'proj/comp/git/src/bare.ts': "export { spawn } from 'child_process'\n",
  'proj/comp/git/src/built-in.ts': "export const load = () => process.getBuiltinModule('node:child_process')\n",
  'proj/comp/git/src/lazy.ts': "export const load = () => import('node:child_process')\n",
  'proj/comp/git/src/static.ts': "export { spawn } from 'node:child_process'\n",
  'proj/comp/git/src/typed.ts': "export type { ChildProcess } from 'node:child_process'\n",
  'proj/comp/git/src/execa.ts': "export const load = () => import('execa')\n",
  'proj/comp/git/src/terminal.ts': "export type * from '@lydell/node-pty'\n",
  'proj/comp/git/test/starts.ts': "export { spawn } from 'node:child_process'\n",
  'proj/comp/verb-a/src/index.ts': "export { realpathSync } from '../../policy/src/index.js'\n",
  'proj/comp/verb-a/src/file.ts': "export { b } from '../../verb-b/src/index.js'\n",
  'proj/comp/verb-b/src/index.ts': 'export const b = 1\n',
  'proj/comp/verb-b/src/file.ts': "export { contract } from '../../contracts/src/index.js'\n",
  'proj/comp/verb-b/src/tested.ts': "export { helper } from '../test/helper.js'\n",
  'proj/comp/verb-b/test/helper.ts': "export { b as helper } from '../src/index.js'\n",
  'proj/comp/verbs/src/index.ts': "export type Verbs = 1\n",
  'proj/comp/verbs/src/list.ts': "export const load = () => import('../../verb-b/src/file.js')\n"
    + "export { inner } from '../../text/src/inner.js'\n",
  'proj/comp/cron/src/index.ts': "export { gateway } from '../../gateway/src/index.js'\n",
  'proj/comp/gateway/src/index.ts': "export type { Verbs as gateway } from '../../verbs/src/index.js'\n",
  'proj/comp/mcp/src/index.ts': "export type { Verbs as mcp } from '../../verbs/src/index.js'\n",
  'proj/comp/mcp/src/entry.ts': "export { entry } from '../../../src/index.js'\n",
  'proj/comp/other/src/index.ts': "export { contract } from '../../contracts/src/index.js'\n",
  'proj/comp/reports/src/index.ts': "export { two } from './two.js'\nexport const one = 1\n",
  'proj/comp/reports/src/two.ts': "export { one as two } from './index.js'\n",
  'proj/comp/reports/src/tool.ts': "export { test } from 'tool'\nexport { description } from 'valibot'\n",
  'proj/node_modules/tool/package.json': '{ "name": "tool", "exports": "./index.js" }',
  'proj/node_modules/tool/index.js': 'exports.test = 1\n',
  'proj/src/core.ts': "export { realpathSync } from '../comp/policy/src/index.js'\n",
  'proj/src/index.ts': "export { inner as entry } from '../comp/text/src/inner.js'\n",
}

/** That the sources themselves keep them, `npm run check` finds out. */
it('the rules of dependency-cruiser find every planted violation and nothing else', async () => {
  const directory = tempDir()
  for (const [path, content] of Object.entries(TREE)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(root, name), join(directory, name))
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))

  expect(await violations(directory)).toEqual([
    'component-has-layer: proj/comp/other/src/index.ts',
    'entries-are-outermost: proj/comp/mcp/src/entry.ts',
    'entries-through-index: proj/src/index.ts',
    'layer-batch-chat-cron-gateway: proj/comp/cron/src/index.ts',
    'layer-contracts: proj/comp/contracts/src/early.ts',
    'layer-policy: proj/comp/policy/src/types.ts',
    'layer-verb: proj/comp/verb-a/src/file.ts',
    'list-loads-verbs-only: proj/comp/verbs/src/list.ts',
    'no-circular: proj/comp/reports/src/index.ts',
    'no-test-tools-in-sources: proj/comp/reports/src/tool.ts',
    'no-tests-in-sources: proj/comp/verb-b/src/tested.ts',
    'no-unresolvable: proj/comp/parsers/src/index.ts',
    'only-through-index: proj/comp/scanner/src/index.ts',
    'programs-through-launcher: proj/comp/git/src/bare.ts',
    'programs-through-launcher: proj/comp/git/src/built-in.ts',
    'programs-through-launcher: proj/comp/git/src/execa.ts',
    'programs-through-launcher: proj/comp/git/src/lazy.ts',
    'programs-through-launcher: proj/comp/git/src/static.ts',
    'programs-through-launcher: proj/comp/git/src/terminal.ts',
    'programs-through-launcher: proj/comp/git/src/typed.ts',
    'pure-components: proj/comp/scanner/src/bare.ts',
    'pure-components: proj/comp/scanner/src/lazy.ts',
    'pure-components: proj/comp/scanner/src/reads.ts',
    'pure-core: proj/src/core.ts',
  ])
})
