import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { TerminalSessions, type Ending, type Shell } from '../../src/terminal-sessions/index.js'
import { useTerminalContext } from './open-terminal.js'

const PROGRAMS = ['sh', 'stty', 'sleep', 'cat', 'ls', 'mkdir', 'touch']
/** Where sh is bash it has been tried. */
const isBash = spawnSync('sh', ['-c', '[ -n "$BASH_VERSION" ]']).status === 0
const saved = process.env['PATH'] ?? ''
let directory = ''

function only(names: readonly string[]): void {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
  for (const name of names) symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(directory, name))
  process.env['PATH'] = directory
}

needing('node-pty').describe(`a POSIX shell where there is no bash${isBash ? ' (sh is bash here)' : ''}`, () => {
  let shell: Shell
  const context = useTerminalContext('none')
  const { root } = context.session
  beforeAll(async () => {
    only(PROGRAMS)
    await context.sandbox.admit('terminal_run', 'test', context.approve)
    shell = await TerminalSessions.of(context).open('terminal_run', root, context)
  })
  afterAll(() => {
    process.env['PATH'] = saved
    removeSync(directory)
  })

  async function run(command: string, timeoutMs = 10_000): Promise<Ending & { output: string }> {
    const execution = shell.start(command, { timeoutMs, maxOutputBytes: 2 ** 20 })
    return { ...await execution.ended, output: execution.takeOutput() }
  }

  it.skipIf(isBash)('runs commands, and tells how they end, whatever they are', async () => {
    await run('mkdir sub; cd sub; export A=1; B=2; f() { echo "f $1"; }; alias g="echo g"')
    expect(await run('echo $A $B; f x; g y; pwd; false')).toEqual({ status: 1, output: `1 2\nf x\ng y\n${root}/sub\n` })
    expect(await run('echo $?')).toEqual({ status: 0, output: '1\n' })
    expect(await run('echo "open')).toEqual({ status: 2, output: expect.stringMatching(/Unterminated quoted string\n$/i) as string })
    expect(await run('if true; then echo x')).toMatchObject({ status: 2 })
    expect(await run('echo ${none?gone}')).toMatchObject({ status: 2, output: expect.stringContaining('gone') as string })
    expect(await run('exit 3')).toMatchObject({ status: 3, isRenewed: true })
    expect(await run('set -e; false; echo never')).toMatchObject({ status: 1, isRenewed: true })
    expect(await run('echo $A; pwd')).toEqual({ status: 0, output: `1\n${root}/sub\n` })
  })

  it.skipIf(isBash)('is interrupted, and runs nothing that was left unread', async () => {
    expect(await run('while true; do sleep 1; done; echo after', 150)).toMatchObject({ status: 130, stopped: 'timeout' })
    const execution = shell.start('sh -c "while ! [ -e typed ]; do sleep 0.01; done"', { timeoutMs: 10_000, maxOutputBytes: 1000 })
    await execution.begun
    shell.write('touch leftover\ntouch typed\n')
    await shell.stop('killed')
    expect(execution.ending).toMatchObject({ stopped: 'killed' })
    expect(await run('ls; pwd')).toEqual({ status: 0, output: `${root}/sub\n` })
    expect(shell.isGone).toBe(false)
  })
})
