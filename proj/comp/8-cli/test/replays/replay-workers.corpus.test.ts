import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { conversation } from '../../../../test/support/conversations.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const cli = useCli()
const KILLED = isCampaign ? { transcripts: 150, kills: 6 } : { transcripts: 60, kills: 2 }
const INTERRUPTED = isCampaign ? 120 : 60

describe.runIf(process.platform === 'linux')('hermes replay with workers', () => {
  /** Transcripts that differ, each of which takes a moment. */
  function manyTranscripts(count: number): string {
    return Array.from({ length: count }, (_, index) => (
      conversation({ name: 'fs.writeFile', arguments: { path: `f${index}`, content: 'x'.repeat(2000) } }, { success: true, data: {} })
    )).join('\n')
  }

  function start(args: readonly string[], cwd: string) {
    const child = spawn(process.execPath, [cli.path, ...args], { cwd, env: { ...plainEnvironment(), TMPDIR: cwd }, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    return { child, output, ended }
  }

  function childrenOf(pid: number | undefined): number[] {
    const file = `/proc/${pid}/task/${pid}/children`
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter((one) => one !== '').map(Number) : []
  }

  /** Who is gone by then needs no killing. */
  function kill(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  function idsIn(run: string): string[] {
    const parts = join(run, 'parts')
    if (!existsSync(parts)) return []
    return readdirSync(parts).flatMap((name) => readFileSync(join(parts, name), 'utf8').split('\n').slice(0, -1))
      .map((line) => (JSON.parse(line) as { id: string }).id)
  }

  it('reports each transcript once though workers are killed, and leaves nothing behind', async () => {
    const cwd = mkdtempSync(join(tempDir(), 'k-'))
    writeFileSync(join(cwd, 't.jsonl'), manyTranscripts(KILLED.transcripts))
    const { child, output, ended } = start(['replay', 't.jsonl', '--workers', '2', '--run', 'r', '--json'], cwd)
    let kills = 0
    let isOver = false
    void ended.then(() => (isOver = true))
    while (!isOver && kills < KILLED.kills) {
      await sleep(20)
      const workers = childrenOf(child.pid)
      const victim = workers[kills % Math.max(1, workers.length)]
      if (victim === undefined || idsIn(join(cwd, 'data', 'r')).length < kills * 10 + 1) continue
      kill(victim)
      kills++
    }
    expect(await ended).toBe(0)
    expect(kills).toBeGreaterThan(0)
    const ids = idsIn(join(cwd, 'data', 'r'))
    expect([ids.length, new Set(ids).size]).toEqual([KILLED.transcripts, KILLED.transcripts])
    expect(JSON.parse(output.stdout)).toMatchObject({ transcripts: KILLED.transcripts, drifted: 0, errors: 0, counts: { same: KILLED.transcripts } })
    expect(readFileSync(join(cwd, 'data', 'r', 'trajectories.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(KILLED.transcripts)
    expect(readdirSync(cwd).filter((name) => name.startsWith('hermes-'))).toEqual([])
  })

  it('goes on after an interrupt where it was, by content', async () => {
    const cwd = tempDir()
    writeFileSync(join(cwd, 't.jsonl'), manyTranscripts(INTERRUPTED))
    const args = ['replay', 't.jsonl', '--workers', '2', '--run', 'r']
    const { child, output, ended } = start(args, cwd)
    while (idsIn(join(cwd, 'data', 'r')).length < 5) await sleep(5)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(output.stderr).toContain('Interrupted. To go on: hermes replay t.jsonl --workers 2 --run r --resume\n')
    const done = idsIn(join(cwd, 'data', 'r')).length
    expect(done).toBeLessThan(INTERRUPTED)
    // Their order and place are nothing to go by.
    const lines = readFileSync(join(cwd, 't.jsonl'), 'utf8').split('\n').reverse()
    writeFileSync(join(cwd, 't.jsonl'), lines.join('\n'))
    const { stdout, exitCode } = await cli.run([...args, '--resume', '--json'], { cwd })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ transcripts: INTERRUPTED, counts: { same: INTERRUPTED } })
    expect(new Set(idsIn(join(cwd, 'data', 'r'))).size).toBe(INTERRUPTED)
    expect(idsIn(join(cwd, 'data', 'r'))).toHaveLength(INTERRUPTED)
  })
})
