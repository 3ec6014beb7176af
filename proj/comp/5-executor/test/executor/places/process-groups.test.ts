import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { endGroups, listRuns } from '../../../../3-transaction/src/transaction/index.js'
import { execute } from '../../../src/executor/index.js'

async function leader(code: string): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', `${code} & echo; wait`], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise(resolve => child.stdout?.once('data', resolve))
  return child
}

/** But for what nobody takes note of that it has ended. */
function livingIn(group: number): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pgid=,stat=,comm='], { encoding: 'utf8' }).split('\n')
  return lines.filter(line => line.trim().startsWith(`${group} `) && !line.trim().split(/\s+/)[1]?.startsWith('Z'))
}

/** What recovery goes by where there is no /proc. */
describe.skipIf(process.platform === 'win32')('the process group of a command', () => {
  it('is noted in the journal', async () => {
    const root = tempDir()
    const before = Date.now()
    const answer = '#!SHAM [@three-char-SHA-256: abc]\naction = "exec"\nlang = "bash"\ncode = "echo $$ > pid"\n#!END_SHAM_abc\n'
    expect(await execute(answer, { root, sandbox: 'none' })).toMatchObject({ success: true })
    const [run] = await listRuns(root)
    const log = readFileSync(join(root, '.hermes/journal', run?.runId ?? '', 'log.jsonl'), 'utf8')
    const noted = log.trim().split('\n').map(line => JSON.parse(line) as { op: string; pid: number; at: number }).find(({ op }) => op === 'process')
    expect(noted?.pid).toBe(Number(readFileSync(join(root, 'pid'), 'utf8')))
    expect(noted?.at).toBeGreaterThanOrEqual(before)
  })

  it('is ended as a whole, also where it ignores SIGTERM', async () => {
    for (const code of ['sleep 60', "trap '' TERM; sleep 60"]) {
      const child = await leader(code)
      const exited = new Promise(resolve => child.once('exit', resolve))
      expect(await endGroups([{ op: 'process', pid: child.pid ?? 0, at: Date.now() }])).toEqual([{ pid: child.pid, command: 'sh' }])
      await exited
      expect(livingIn(child.pid ?? 0)).toEqual([])
    }
  })

  it('is left alone where its number is another\'s by now, or it has ended', async () => {
    const child = await leader('sleep 60')
    const pid = child.pid ?? 0
    expect(await endGroups([{ op: 'process', pid, at: Date.now() - 3_600_000 }, { op: 'process', pid, at: Date.now() + 3_600_000 }])).toEqual([])
    expect(process.kill(pid, 0)).toBe(true)
    const exited = new Promise(resolve => child.once('exit', resolve))
    process.kill(-pid, 'SIGKILL')
    await exited
    expect(await endGroups([{ op: 'process', pid, at: Date.now() }])).toEqual([])
  })
})
