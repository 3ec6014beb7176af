import { spawn } from 'node:child_process'
import { chmodSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { plant } from '../../../5-executor/test/verbs/golden-harness.js'

/** `nobody`: root may do anything. */
const USER = 65534
const isRoot = process.geteuid?.() === 0
const program = fileURLToPath(new URL('../../../5-executor/test/executor/run-as-child.ts', import.meta.url))

describe.skipIf(process.platform === 'win32')('what the system does not allow', () => {
  it('deleting stops with what is left, listing tells what could not be read', async () => {
    const root = tempDir()
    chmodSync(root, 0o755)
    const tree = join(root, 'tree')
    mkdirSync(tree)
    plant(tree, { 'd/a': '', 'd/locked/b': '', 'd/z': '', 'secret/x': '', 'open/y': '', 'from.txt': '', 'shut/w': '' })
    const all = [tree, ...readdirSync(tree, { recursive: true, encoding: 'utf8' }).map((name) => join(tree, name))]
    if (isRoot) for (const path of all) lchownSync(path, USER, USER)
    const modes = { 'd/locked': 0o555, secret: 0, shut: 0o555 }
    for (const [name, mode] of Object.entries(modes)) chmodSync(join(tree, name), mode)
    try {
      const result = await run(tree, [
        { name: 'list_directory', arguments: { path: '.', recursive: true, pattern: '*y' } },
        { name: 'fs.deleteDirectory', arguments: { path: 'd' } },
        { name: 'fs.copyFile', arguments: { sourcePath: 'from.txt', destinationPath: 'shut/c' } },
        { name: 'move_file', arguments: { source: 'from.txt', destination: 'shut/c' } },
      ])
      expect(result.results.map(({ error, hint, data }) => ({ error, hint, data }))).toEqual([
        {
          error: "EACCES: permission denied, list_directory 'secret'",
          hint: "Could not be read: 'secret'. The data holds what was found elsewhere.",
          data: { path: '.', entries: [{ path: 'open/y', type: 'file', size: 0 }] },
        },
        {
          error: "EACCES: permission denied, fs.deleteDirectory 'd/locked/b'",
          hint: expect.stringMatching(/^It stopped there: \d of 5 entries are deleted, the others are left\./),
          data: undefined,
        },
        {
          error: "EACCES: permission denied, fs.copyFile 'shut/c'",
          hint: 'It or the directory it is in may not be changed: write another destinationPath.',
          data: undefined,
        },
        {
          error: "EACCES: permission denied, move_file 'shut/c'",
          hint: 'The directory of destination may not be changed: move it elsewhere.',
          data: undefined,
        },
      ])
      expect(readdirSync(join(tree, 'd/locked'))).toEqual(['b'])
      expect(readdirSync(join(tree, 'shut'))).toEqual(['w'])
    } finally {
      for (const name of Object.keys(modes)) chmodSync(join(tree, name), 0o755)
    }
  })
})

async function run(root: string, calls: readonly object[]): Promise<ExecutionResult> {
  const directory = tempDir()
  chmodSync(directory, 0o755)
  const child = await bundleForNode(program, directory)
  expect(statSync(child).isFile()).toBe(true)
  const answer = calls.map((call) => `<tool_call>${JSON.stringify(call)}</tool_call>`).join('\n')
  const user = isRoot ? { uid: USER, gid: USER } : {}
  const home = tempDir()
  if (isRoot) lchownSync(home, USER, USER)
  const env = { ...process.env, HOME: home, HERMES_HOME: undefined }
  const started = spawn(process.execPath, [child], { cwd: '/', env, stdio: ['pipe', 'pipe', 'inherit'], ...user })
  started.stdin.end(JSON.stringify({ answer, options: { root } }))
  return JSON.parse(await text(started.stdout)) as ExecutionResult
}
