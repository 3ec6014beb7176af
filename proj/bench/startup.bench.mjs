/** Whole processes, from their start to their end, against a Node that does nothing. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inRoot } from './support/in-root.mjs'
import { medians } from './support/rounds.mjs'
import { shamBlock } from './support/sham-block.mjs'

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const ROUNDS = 40
const OLD = 'one\ntwo\nthree\n'
const PATCH = '--- a/list.txt\n+++ b/list.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'

export default async function run() {
  const { floor, version, help, apply, stdin, patched, gitApply, patch } = await medians({
    floor: () => inRoot(root => timeOf(root, ['-e', '0'])),
    version: () => inRoot(root => timeOf(root, [CLI, '--version'])),
    help: () => inRoot(root => timeOf(root, [CLI, '--help'])),
    apply: () => inRoot(root => timeOf(withAnswer(root), [CLI, 'apply', 'answer.md', '--no-git', '--relative-paths'])),
    stdin: () => inRoot(root => timeOf(root, [CLI, 'apply', '-', '--no-git', '--relative-paths'], ANSWER)),
    patched: () =>
      inRoot(root => timeOf(withList(root), [CLI, 'apply', 'answer.md', '--no-git', '--edit-format', 'unified'])),
    gitApply: () => inRoot(root => timeOf(withList(root), ['apply', 'list.patch'], '', 'git')),
    patch: () => inRoot(root => timeOf(withList(root), ['-p1', '-s', '-i', 'list.patch'], '', 'patch')),
  }, ROUNDS)
  return [
    { name: '--version', value: version, unit: 'ms', against: floor, target: '≤ 1.25×' },
    { name: '--help', value: help, unit: 'ms', against: floor },
    { name: 'apply of one block, --no-git', value: apply, unit: 'ms', against: floor, target: '≤ 1.5×' },
    { name: 'the same by standard input', value: stdin, unit: 'ms', against: floor },
    { name: 'apply of one unified diff, --no-git', value: patched, unit: 'ms', against: floor },
    { name: 'the same against git apply', value: patched, unit: 'ms', against: gitApply },
    { name: 'the same against patch', value: patched, unit: 'ms', against: patch },
  ]
}

const ANSWER = shamBlock(1, 'file_write', { path: 'out.txt', content: 'hello' })

function withAnswer(root) {
  writeFileSync(join(root, 'answer.md'), ANSWER)
  return root
}

function withList(root) {
  writeFileSync(join(root, 'list.txt'), OLD)
  writeFileSync(join(root, 'list.patch'), PATCH)
  writeFileSync(join(root, 'answer.md'), `\`\`\`diff\n${PATCH}\`\`\`\n`)
  return root
}

function timeOf(cwd, args, input = '', program = process.execPath) {
  const started = performance.now()
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd, input, env: { ...process.env, HOME: cwd } })
  const time = performance.now() - started
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status}\n${stdout}${stderr}`)
  return time
}
