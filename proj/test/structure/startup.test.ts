import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { shamBlock } from '../../comp/1-registry/src/registry/index.js'
import { plainEnvironment } from '../support/cli.js'
import { tempDir } from '../support/temp-dir.js'

const launcher = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))
/** The launcher and its chunks; more files make every run slower. */
const MOST = 12

/** Names of the files that a command line reads, besides the launcher: Node itself reads that by another way. */
function loadedBy(args: readonly string[], cwd: string): string[] {
  writeFileSync(join(cwd, 'watch.cjs'), `const fs = require('fs'), read = fs.readFileSync, seen = []
fs.readFileSync = (file, ...rest) => { if (/dist.*cjs$/.test(String(file))) seen.push(String(file)); return read(file, ...rest) }
process.on('exit', () => fs.writeFileSync('seen.json', JSON.stringify(seen)))`)
  execFileSync(process.execPath, ['--require', join(cwd, 'watch.cjs'), launcher, ...args], {
    cwd, env: { ...plainEnvironment(), HOME: cwd }, stdio: 'pipe',
  })
  return (JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8')) as string[])
    .map((file) => file.replace(/.*dist\//, '').replace(/-[\w-]{8}\.cjs$/, ''))
}

it('hermes apply of a written file loads no more files than it needs, and nothing of other commands', () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'answer.md'), shamBlock('abc', 'file_write', { path: '/w/a.txt', content: 'x' }))
  const seen = loadedBy(['apply', 'answer.md', '--root-alias', '/w', '--no-git'], cwd)
  expect(seen.length).toBeGreaterThan(8)
  expect(seen.filter((name) => /config|doctor|prompt|completion|help|init|topics|packages/.test(name))).toEqual([])
  expect(new Set([...seen, 'cli.cjs']).size).toBeLessThanOrEqual(MOST)
})

it.each(['--version', '--help'])('hermes %s loads nothing of what runs blocks', (flag) => {
  const seen = loadedBy([flag], tempDir())
  expect(seen).toContain('cli')
  expect(seen.filter((name) => /applying|running|reading|base/.test(name))).toEqual([])
})
