import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { content, conversation, reads } from '../../../../test/support/conversations.js'
import { writeTree } from '../../../../test/support/file-tree.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const SLEEPS = conversation({ name: 'execute_command', arguments: { command: 'echo started > started; mkdir locked; touch locked/x; chmod 500 locked; sleep 60' } }, { success: true, data: {} })

/** Starts a replay that is at its first transcript. */
async function started(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [cli.path, 'replay', ...args], { cwd, env: { ...plainEnvironment(), TMPDIR: join(cwd, 'tmp') }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  for (let tries = 0; tries < 400 && !isStarted(join(cwd, 'tmp')); tries++) await sleep(50)
  return { child, output, ended }
}

function isStarted(tmp: string): boolean {
  return readdirSync(tmp, { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('/locked'))
}

function replays(cwd: string): string[] {
  return readdirSync(join(cwd, 'tmp')).filter((name) => name.startsWith('hermes-replays-'))
}

describe('what a replay leaves behind', () => {
  it('when it is interrupted: nothing, and what was cut short is not counted', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'tmp/': '', 't.jsonl': `${SLEEPS}\n${reads('a', content('x'))}\n` })
    for (const workers of [[], ['--workers', '2', '--batch-size', '1']]) {
      const { child, output, ended } = await started(['t.jsonl', '--run', `r${workers.length}`, ...workers, '--json', '--sandbox', 'none', '--report', 'r.xml', '--report', 'r.md'], cwd)
      child.kill('SIGINT')
      expect(await ended).toBe(130)
      const { counts, reports, ...told } = JSON.parse(output.stdout) as { counts: Record<string, number>; reports: { line: number }[] }
      expect(told).toMatchObject({ success: false, interrupted: expect.stringMatching(/^\d transcripts?, \d calls?$/), cutShort: expect.arrayContaining([expect.objectContaining({ line: 1 })]) })
      expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toMatch(/errors="1".*\n.*skipped="[12]"[^]*<error type="CANCELLED" message="interrupted after .*; transcripts that were not reached[^]*<skipped message="cut short">/)
      expect(readFileSync(join(cwd, 'r.md'), 'utf8')).toMatch(/^# Replay: interrupted after \d transcripts?, /)
      expect(reports.filter(({ line }) => line === 1)).toEqual([])
      expect(JSON.stringify([counts, reports])).not.toContain('CANCELLED')
      expect(output.stderr).toContain('--resume\n')
      expect(replays(cwd)).toEqual([])
    }
  })
})

needing('bubblewrap').describe('what a replay leaves behind', () => {
  it('when it is killed is removed by the next one, but never what is in use', async () => {
    const cwd = tempDir()
    writeTree(cwd, { 'tmp/': '', 'repo/a': 'x', 't.jsonl': SLEEPS, 'u.jsonl': reads('a', content('x')) })
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(cwd, 'repo'), encoding: 'utf8' })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'one')
    const at = ['--git', 'HEAD', '--repo', 'repo', '--no-git']
    const { child, ended } = await started(['t.jsonl', ...at], cwd)
    child.kill('SIGKILL')
    await ended
    expect(replays(cwd)).toHaveLength(1)
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(2)

    const [other = ''] = replays(cwd)
    const foreign = other.replace(/^hermes-replays-[0-9a-f]{16}/, 'hermes-replays-0123456789abcdef')
    const named = ['hermes-replays-mine', foreign]
    for (const name of named) mkdirSync(join(cwd, 'tmp', name))
    const env = { TMPDIR: join(cwd, 'tmp') }
    expect((await cli.run(['replay', 'u.jsonl', ...at], { cwd, env })).exitCode).toBe(0)
    expect(replays(cwd).sort()).toEqual(named.sort())
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)

    const running = await started(['t.jsonl', '--workers', '1'], cwd)
    expect((await cli.run(['replay', 'u.jsonl', ...at], { cwd, env })).exitCode).toBe(0)
    expect(replays(cwd)).toHaveLength(3)
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(143)
    expect(replays(cwd)).toHaveLength(2)
  })
})

describe('secrets', () => {
  it('of a known form are in no recording, export or report, and are no drift either', async () => {
    const cwd = tempDir()
    const [token, password] = [`ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`, 'hunter2hunter2']
    const call = (name: string, args: object) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
    writeTree(cwd, {
      'p/.conf': `password=${password}\n`,
      'answer.md': [call('write_file', { path: 'a', content: `token ${token}\n` }), call('read_file', { path: 'a' }), call('read_file', { path: '.conf' }), ''].join('\n'),
      't.jsonl': `${reads('.conf', content('password=0therw0rd'))}\n${reads('.conf', content(`password=${password}`))}\n`, 'f/.conf': `password=${password}\n`,
    })
    const apply = ['apply', 'answer.md', '--root', 'p', '--no-git', '--record', 'run.jsonl', '--trajectory', 'tr.jsonl', '--report', 'r.md']
    expect((await cli.run(apply, { cwd })).exitCode).toBe(0)
    const again = await cli.run(['replay', 'run.jsonl', 'tr.jsonl', '--fixture', 'f', '--json'], { cwd })
    expect(JSON.parse(again.stdout)).toMatchObject({ transcripts: 2, drifted: 0, counts: { same: 6 } })
    const reports = ['--report', 'o.json', '--report', 'o.md', '--report', 'o.xml', '--export', 'o.jsonl', '--run', 'r', '--output', 'runs', '--update']
    const { stdout } = await cli.run(['replay', 't.jsonl', '--fixture', 'f', ...reports], { cwd })
    const kept = ['run.jsonl', 'tr.jsonl', 'r.md', 'o.json', 'o.md', 'o.xml', 'o.jsonl', 'runs/r/trajectories.jsonl', 'runs/r/parts/worker-1.jsonl']
    for (const text of [stdout, ...kept.map((path) => readFileSync(join(cwd, path), 'utf8'))]) {
      expect(text).not.toContain(password)
      expect(text).not.toContain(token)
    }
    expect(readFileSync(join(cwd, 'o.jsonl'), 'utf8')).toContain('password=****')
  })
})
