import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useCli } from '../../../../test/support/cli.js'
import { conversation } from '../../../../test/support/conversations.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const runs = (command: string, output: string) => conversation({ name: 'bash', arguments: { command } }, output)

/** What the commands print outside of every sandbox is what other harnesses have recorded. */
function outside(command: string, cwd: string): string {
  const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: cwd, LC_ALL: 'C' } })
  return stdout + stderr
}

needing('bubblewrap').describe('what the sandbox holds in the root', () => {
  it.each([
    ['in a plain directory', false, ['ls', 'ls -a', 'ls -1A', 'ls -la', 'ls -l', 'ls -aF', 'find . | sort', 'find . -type f | sort', 'find "$PWD" | sort', 'git status', 'git rev-parse HEAD']],
    ['in a repository', true, ['ls', 'ls -la', 'git status', 'git status --short', 'git status --porcelain', 'git ls-files --others --exclude-standard', 'find . -maxdepth 1 | sort']],
  ])('is no drift %s', async (_, isRepository, commands) => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/a.txt': 'x', 'f/sub/b.txt': 'y' })
    const root = join(cwd, 'f')
    if (isRepository) {
      execFileSync('git', ['init', '-q'], { cwd: root })
      execFileSync('git', ['add', '.'], { cwd: root })
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'one'], { cwd: root })
    }
    writeTree(cwd, { 't.jsonl': commands.map((command) => runs(command, outside(command, root))).join('\n') })
    const { stdout } = await cli.run(['replay', 't.jsonl', '--fixture', 'f', '--root-alias', root, '--json'], { cwd })
    const { reports, counts } = JSON.parse(stdout) as { reports: { blocks: unknown[] }[]; counts: { same: number } }
    expect(reports.flatMap(({ blocks }) => blocks)).toEqual([])
    expect(counts.same).toBe(commands.length)
  })

  it('is a drift where the fixture itself has it', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'f/hermes.yaml': '', 'f/a': '', 't.jsonl': runs('ls', 'a\n') })
    const { stdout } = await cli.run(['replay', 't.jsonl', '--fixture', 'f'], { cwd })
    expect(stdout).toContain('1 transcript · 1 drifted')
  })
})
