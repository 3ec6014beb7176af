import { spawn } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { markedProcesses } from '../../../../test/support/marked-processes.js'
import { useProgram } from '../../../../test/support/program.js'
import { plainEnvironment, useCli } from '../../../../test/support/cli.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { recover } from '../../../3-transaction/src/transaction/index.js'

const cli = useCli()
const script = useProgram(new URL('run-as-child.ts', import.meta.url))

function command(code: string): string {
  return `#!SHAM [@three-char-SHA-256: cmd]\naction = "exec"\nlang = "bash"\ncode = <<'EOT_SHAM_cmd'\n${code}\nEOT_SHAM_cmd\n#!END_SHAM_cmd\n`
}

/** Runs a command that makes the file `begun` and goes on, and kills hermes alone. A sandbox would end it itself. */
async function killWhileItRuns(root: string, code: string, sandbox = 'none'): Promise<string> {
  const mark = `HERMES_TEST_MARK=${realpathSync(root)}`
  onTestFinished(() => markedProcesses(mark).forEach(pid => process.kill(Number(pid), 'SIGKILL')))
  const child = spawn(process.execPath, [script.path], {
    cwd: root, env: { ...plainEnvironment(), HERMES_TEST_MARK: realpathSync(root) }, stdio: ['pipe', 'ignore', 'inherit'],
  })
  const options = { root, gitCommit: false, sandbox, policy: { env: ['HERMES_TEST_MARK'] } }
  child.stdin.end(JSON.stringify({ answer: command(code), options }))
  const exited = new Promise(resolve => child.once('exit', resolve))
  while (!existsSync(join(root, 'begun'))) await sleep(10)
  child.kill('SIGKILL')
  await exited
  return mark
}

function recovery(root: string, restore: boolean) {
  return recover({ root, gate: createPathGate({ root }), restore, git: false, waitMs: 0, signal: new AbortController().signal })
}

const LOOP = 'while :; do echo more >> growing.txt; sleep 0.02; done'

// Elsewhere there is no /proc to find them in.
describe.skipIf(process.platform !== 'linux')('commands of a run that was killed', () => {
  needing('bubblewrap').it('leave no placeholders of their sandbox', async () => {
    const root = tempDir()
    await killWhileItRuns(root, 'touch begun; sleep 60', 'bwrap')
    expect(readdirSync(root)).toContain('hermes.yaml')
    const { left } = await recovery(root, true)
    expect(left.filter(({ path }) => path !== '.')).toEqual([])
    expect(readdirSync(root).filter((name) => ['.git', 'hermes.yaml'].includes(name))).toEqual([])
  })

  it.each([
    ['an ordinary one', `touch begun; ${LOOP}`],
    ['one that ignores SIGTERM', `trap '' TERM; touch begun; ${LOOP}`],
    ['one in a session of its own', `setsid bash -c 'touch begun; ${LOOP}' & wait`],
    ['a daemon', `(setsid bash -c 'touch begun; ${LOOP}' < /dev/null > /dev/null 2>&1 &); sleep 60`],
    ['one below it with an empty environment', `env -i HERMES_TEST_MARK="$HERMES_TEST_MARK" /bin/bash -c 'touch begun; ${LOOP}'; :`],
    ['one that is stopped', `(${LOOP}) & touch begun; kill -STOP $!; wait`],
  ])('are ended by recovery, and named: %s', async (_, code) => {
    const root = tempDir()
    const mark = await killWhileItRuns(root, code)
    expect(markedProcesses(mark).length).toBeGreaterThan(0)
    const { runId, ended } = await recovery(root, true)
    expect(runId).toBeDefined()
    expect(markedProcesses(mark)).toEqual([])
    expect(ended?.map(({ command: name }) => name)).toContain('bash')
  })

  it('leaves the processes of others, and those of other runs', async () => {
    const root = tempDir()
    const other = tempDir()
    const [mark, otherMark] = [await killWhileItRuns(root, `touch begun; ${LOOP}`), await killWhileItRuns(other, `touch begun; ${LOOP}`)]
    await recovery(root, false)
    expect(markedProcesses(mark)).toEqual([])
    expect(markedProcesses(otherMark).length).toBeGreaterThan(0)
    expect((await recovery(other, false)).ended?.length).toBeGreaterThan(0)
    expect(markedProcesses(otherMark)).toEqual([])
  })

  it('does not end itself where it was started by such a command', async () => {
    const root = tempDir()
    const mark = await killWhileItRuns(root, `touch begun; ${LOOP}`)
    const runId = readdirSync(join(root, '.hermes/journal'))[0] ?? ''
    const { stdout, exitCode } = await cli.run(['recover', '--no-git'], { cwd: root, env: { HERMES_RUN: `${runId}:outer` } })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/Ended what still ran of it: bash \(\d+\)/)
    expect(markedProcesses(mark)).toEqual([])
  })
})
