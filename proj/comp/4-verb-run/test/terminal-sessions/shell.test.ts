import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { markedProcesses } from '../../../../test/support/marked-processes.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { needing } from '../../../../test/support/needs.js'
import { TerminalSessions, type Ending, type Shell } from '../../src/terminal-sessions/index.js'
import { terminalContext, useTerminalContext } from './open-terminal.js'

const MODES = ['none', 'auto', 'unshare'] as const
const NEEDS = { none: [], auto: ['bubblewrap'], unshare: ['namespaces'] } as const
const BOUNDS = { timeoutMs: 10_000, maxOutputBytes: 2 ** 20 }

async function opened(context: VerbContext): Promise<Shell> {
  await context.sandbox.admit('terminal_run', 'test', context.approve)
  return TerminalSessions.of(context).open('terminal_run', context.session.root, context)
}

async function run(shell: Shell, command: string, timeoutMs = BOUNDS.timeoutMs): Promise<Ending & { output: string }> {
  const execution = shell.start(command, { ...BOUNDS, timeoutMs })
  const ending = await execution.ended
  return { ...ending, output: execution.takeOutput() }
}

needing('node-pty').describe('a shell', () => {
  for (const mode of MODES) needing(...NEEDS[mode]).describe(`in sandbox ${mode}`, () => {
    let shell: Shell
    const context = useTerminalContext(mode)
    const { root } = context.session
    beforeAll(async () => {
      shell = await opened(context)
    })

    it('keeps directory, variables, functions, aliases and status', async () => {
      await run(shell, 'mkdir sub; cd sub; export A=1; B=2; f() { echo "f $1"; }; alias g="echo g"; declare -a list=(1 2)')
      expect(await run(shell, 'echo $A $B; f x; g y; echo ${#list[@]}; pwd; false')).toMatchObject({ status: 1, output: `1 2\nf x\ng y\n2\n${root}/sub\n` })
      expect(await run(shell, 'echo $?')).toMatchObject({ status: 0, output: '1\n' })
      expect(shell.cwd).toBe(`${root}/sub`)
    })

    it.each([
      ['an open quote', 'echo "x', 2, /unexpected EOF/],
      ['an open bracket', 'if true; then echo x', 2, /syntax error|unexpected end/],
      ['a here document', 'cat <<\'EOT\'\n"$x" `y` \\\nEOT', 0, /^"\$x" `y` \\\n$/],
      ['a here document without end', 'cat <<EOT\nx', 0, /x\n/],
      ['return', 'return 5', 2, /return/],
      ['an expansion that fails', 'echo ${nothing?none}; echo after', 1, /none\n$/],
      ['a prompt of its own', 'PS1="> "; PROMPT_COMMAND="echo prompt"; echo x', 0, /^x\n$/],
      ['redirected output', 'exec 7>&1 >/dev/null; echo hidden', 0, /^$/],
      ['output that is back', 'exec >&7 7>&-; echo seen', 0, /^seen\n$/],
      ['traces', 'set -x; echo x', 0, /^\++ echo x\nx\n$/],
      ['traces that are over', 'echo x', 0, /^x\n$/],
      ['a raw terminal', 'stty raw -echo olcuc; printf x', 0, /^x$/],
      ['a terminal that is as before', 'echo x', 0, /^x\n$/],
      ['colours and a progress bar', 'printf "\\033[31m1%%\\r2%%\\033[0m\\n"', 0, /^2%\n$/],
    ])('runs %s', async (_, command, status, output) => {
      const ended = await run(shell, command)
      expect(ended.output).toMatch(output)
      expect(ended).toMatchObject({ status })
      expect(shell.isGone).toBe(false)
    })

    it('finds the end of random bytes', async () => {
      expect(await run(shell, 'head -c 20000 /dev/urandom; (exit 7)')).toMatchObject({ status: 7 })
    })

    it('becomes a new shell in the same place after exit and set -e', async () => {
      await run(shell, 'cd /tmp; export KEPT=1; kept() { echo kept; }')
      expect(await run(shell, 'exit 3')).toEqual({ status: 3, isRenewed: true, output: '' })
      expect(await run(shell, 'set -e; echo a; false; echo b')).toEqual({ status: 1, isRenewed: true, output: 'a\n' })
      expect(await run(shell, 'pwd; echo $KEPT; kept')).toMatchObject({ status: 0, output: '/tmp\n1\nkept\n' })
    })

    it('interrupts what takes too long, and keeps the shell', async () => {
      expect(await run(shell, 'while true; do sleep 1; done; echo after', 150)).toMatchObject({ status: 130, stopped: 'timeout' })
      expect(await run(shell, 'kept')).toMatchObject({ status: 0, output: 'kept\n' })
    })

    it('hands on what is typed, and throws away what nobody reads', async () => {
      const execution = shell.start('read -r x; echo "got $x"', BOUNDS)
      shell.write('hello\necho leftover > leftover.txt\n')
      expect(await execution.ended).toEqual({ status: 0 })
      expect(execution.takeOutput()).toContain('got hello\n')
      expect(await run(shell, 'ls leftover.txt')).toMatchObject({ status: 2 })
    })

    it('ends with what does not listen', async () => {
      const stubborn = await opened(context)
      const ended = await run(stubborn, 'trap "" INT TERM HUP; while true; do sleep 0.05; done', 100)
      expect(ended).toMatchObject({ stopped: 'timeout', isShellGone: true })
      expect(stubborn.isGone).toBe(true)
    })

    it('leaves no process and no placeholder', async () => {
      const own = terminalContext(tempDir(), mode)
      const mark = `MARK_${Math.random()}`
      await run(await opened(own), `export M=${mark}; sleep 300 & (trap "" HUP; exec setsid sleep 301) & nohup sleep 302 >/dev/null 2>&1 &`)
      await TerminalSessions.of(own)[Symbol.asyncDispose]()
      expect(markedProcesses(mark)).toEqual([])
      expect(existsSync(`${own.session.root}/hermes.yaml`) || existsSync(`${own.session.root}/.git`)).toBe(false)
    })
  })

  needing('bubblewrap').it('removes what a hermes left that was killed as a shell started', async () => {
    const [old, fresh] = [mkdtempSync(join(tmpdir(), 'hermes-terminal-')), mkdtempSync(join(tmpdir(), 'hermes-terminal-'))]
    writeFileSync(join(old, '4'), '')
    utimesSync(old, 1, 1)
    const context = terminalContext(tempDir(), 'bwrap')
    await opened(context)
    await TerminalSessions.of(context)[Symbol.asyncDispose]()
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
    rmSync(fresh, { recursive: true })
  })

  needing('bubblewrap').it('removes the placeholder of a hermes that was killed, and keeps an empty file of the user', async () => {
    const { pid } = spawnSync('true')
    for (const [seconds, stays] of [[Date.UTC(2001, 0, 1) / 1000 + pid, false], [Date.now() / 1000, true]] as const) {
      const root = tempDir()
      writeFileSync(`${root}/hermes.yaml`, '')
      utimesSync(`${root}/hermes.yaml`, seconds, seconds)
      const context = terminalContext(root, 'auto')
      expect(await run(await opened(context), 'echo > hermes.yaml')).toMatchObject({ status: 1 })
      await TerminalSessions.of(context)[Symbol.asyncDispose]()
      expect(existsSync(`${root}/hermes.yaml`)).toBe(stays)
    }
  })
})
