import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { endProcesses, HAS_GROUPS, sendSignal, start, type StartedProgram } from '../../src/launcher/index.js'

const TIMES = { grace: 5000, kill: 5000 }

/** A shell with a group of its own that has come to its last command. */
async function running(script: string, cwd: string): Promise<StartedProgram> {
  const program = await start({ program: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, cwd, leadsGroup: true })
  await new Promise(resolve => program.output.once('data', resolve))
  return program
}

it.runIf(HAS_GROUPS)('what is stopped may still end cleanly', async () => {
  const cwd = tempDir()
  const program = await running("trap 'echo > cleaned; exit 0' TERM; echo; kill -STOP $$; sleep 60", cwd)
  await endProcesses(signal => program.signal(signal) && program.exit === undefined, TIMES)
  expect(await program.exited).toEqual({ code: 0, signal: null })
  expect(existsSync(join(cwd, 'cleaned'))).toBe(true)
})

it.runIf(HAS_GROUPS)('what lives on after SIGTERM is killed, with what it starts meanwhile', async () => {
  const cwd = tempDir()
  const program = await running("trap '' TERM; echo; while :; do sleep 5 & sleep 0.02; done", cwd)
  const sent: unknown[] = []
  await endProcesses(signal => {
    if (signal !== 0) sent.push(signal)
    return program.signal(signal) && program.exit === undefined
  }, { ...TIMES, grace: 100 })
  expect(await program.exited).toEqual({ code: null, signal: 'SIGKILL' })
  expect(sent.slice(0, 3)).toEqual(['SIGTERM', 'SIGCONT', 'SIGKILL'])
})

it('nothing is waited for where nothing is left', async () => {
  const program = await start({ program: process.execPath, args: ['-e', ''], env: {}, leadsGroup: true })
  await program.exited
  const before = performance.now()
  await endProcesses(signal => sendSignal(program.pid, signal), TIMES)
  expect(performance.now() - before).toBeLessThan(1000)
})

it('goes on after a look that missed what is still there', async () => {
  const signals: (NodeJS.Signals | 0)[] = []
  await endProcesses(signal => {
    signals.push(signal)
    // It is missed at the first look, and lives until SIGKILL.
    return signals.filter(sent => sent === 0).length !== 1 && !signals.slice(0, -1).includes('SIGKILL')
  }, { grace: 100, kill: 1000 })
  expect(signals.slice(0, 3)).toEqual(['SIGTERM', 'SIGCONT', 0])
  expect(signals).toContain('SIGKILL')
})
