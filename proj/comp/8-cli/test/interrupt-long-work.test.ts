import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()

function call(name: string, args: object): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}

/** So many hunks that none of them stands in the file. */
function failingPatch(lines: readonly string[]): string {
  const hunks = Array.from({ length: 900 }, (_, index) => (
    `@@ -${index * 1000 + 1},2 +${index * 1000 + 1},2 @@\n ${lines[index * 1000]}x\n-${lines[index * 1000 + 1]}y\n+new\n`
  ))
  return `--- a/lines.txt\n+++ b/lines.txt\n${hunks.join('')}`
}

/** So many hunks that put in what stands for something left out: each is held against the lines of the file. */
function elidingPatch(): string {
  const hunks = Array.from({ length: 900 }, (_, index) => (
    `@@ -${index + 1},2 +${index + 1},2 @@\n kept ${index}\n-old ${index}\n+// ... rest of code\n`
  ))
  return `--- a/lines.txt\n+++ b/lines.txt\n${hunks.join('')}`
}

/** A million lines in less than the largest file that verbs read. */
const LINES = Array.from({ length: 1_000_000 }, (_, index) => `${'abcd'[index % 4]}${index % 49_999}=${index % 7}`)

/** Work that goes on long after the block before it is told of. */
const WORK = [
  { name: 'a patch that fails in many places', block: () => call('patch_unified', { patch: failingPatch(LINES) }) },
  { name: 'a patch with many elisions', block: () => call('patch_unified', { patch: elidingPatch() }) },
  { name: 'a regular expression in long lines', block: () => call('search_files', { query: '(?:e|ee)+f(?:e|fe)*!', regex: true, path: 'long.txt' }) },
]

it.skipIf(process.platform === 'win32').each(WORK)('apply answers SIGINT during $name, and exits with 130', async ({ block }) => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'lines.txt'), `${LINES.join('\n')}\n`)
  writeFileSync(join(cwd, 'long.txt'), 'eef'.repeat(20_000_000))
  const child = spawn(process.execPath, [cli.path, 'apply', '--dry-run', '--no-git', '--report', 'r.xml', '--report', 'r.md'], { cwd, env: plainEnvironment(), stdio: 'pipe' })
  child.stdin.end(call('list_directory', { path: '.' }) + block() + call('list_directory', { path: '.' }))
  let [shown, isSent] = ['', false]
  child.stdout.on('data', (piece: Buffer) => {
    shown += piece.toString()
    if (isSent || !shown.includes('b1')) return
    isSent = true
    child.kill('SIGINT')
  })
  const [exitCode] = await new Promise<[number | null]>((resolve) => child.on('close', (code) => resolve([code])))
  expect([exitCode, isSent], shown).toEqual([130, true])
  expect(shown).toContain('CANCELLED')
  expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toMatch(/errors="1".*\n.*skipped="2"[^]*<error type="RUN_STOPPED" message="Cancelled before the text had ended">/)
  expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toMatch(/^- Failed: 1 of 3 blocks[^]*^- Stopped: `Cancelled before the text had ended`$/m)
})
