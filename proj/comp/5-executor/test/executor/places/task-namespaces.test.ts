import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { orNothing } from '../../../../0-contracts/src/index.js'
import { needing } from '../../../../../test/support/needs.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { Hermes } from '../../../src/executor/index.js'

let count = 0

needing('bubblewrap').describe('what commands left running', () => {
  it('ends with the session, or with their task', async () => {
    const hermes = session()
    const marks = [newMark(), newMark()]
    await call(hermes, 'execute_command', begin(marks[0]))
    await call(hermes, 'execute_command', begin(marks[1]), 'task')
    expect(marks.map(livingWith)).toEqual([1, 1])
    await hermes.endTask('task')
    expect(marks.map(livingWith)).toEqual([1, 0])
    await hermes[Symbol.asyncDispose]()
    expect(marks.map(livingWith)).toEqual([0, 0])
  })

  it('is seen by the commands of their task only', async () => {
    const hermes = session()
    const mark = newMark()
    const look = `ps ax | grep -c "[s]leep ${mark}"; ls /tmp/left 2>/dev/null; true`
    await call(hermes, 'execute_command', `touch /tmp/left; ${begin(mark)}`)
    expect(await call(hermes, 'execute_command', look)).toBe('1\n/tmp/left\n')
    expect(await call(hermes, 'execute_command', look, 'task')).toBe('0\n')
  })

  it('is gone where its namespaces were ended from outside, and the next command begins anew', async () => {
    const hermes = session()
    const mark = newMark()
    await call(hermes, 'execute_command', `touch /tmp/left; ${begin(mark)}`)
    const [left] = pidsWith(`sleep\0${mark}\0`)
    process.kill(holderOf(Number(left)), 'SIGKILL')
    await vi.waitFor(() => expect(livingWith(mark)).toBe(0), 10_000)
    await vi.waitFor(async () => expect(await call(hermes, 'execute_command', 'ls /tmp/left; true')).toBe(''), 10_000)
  })
})

needing('bubblewrap', 'node-pty').describe('shells and their programs', () => {
  it('share the processes and /tmp of their task\'s commands', async () => {
    const hermes = session()
    await call(hermes, 'terminal_run', 'echo shell > /tmp/a; export LEFT=1')
    expect(await call(hermes, 'execute_command', 'cat /tmp/a; echo command > /tmp/b')).toBe('shell\n')
    expect(await call(hermes, 'terminal_run', 'cat /tmp/b; echo $LEFT')).toBe('command\n1\n')
    const mark = newMark()
    await call(hermes, 'terminal_background', `touch /tmp/c; sleep ${mark}`)
    const wait = 'until [ -e /tmp/c ]; do sleep 0.02; done'
    expect(await call(hermes, 'execute_command', `${wait}; pkill -f "[s]leep ${mark}" && echo ended`)).toBe('ended\n')
  })

  it('end with all that they started, and nothing else does', async () => {
    const hermes = session()
    const [ofShell, ofCommand] = [newMark(), newMark()]
    await call(hermes, 'execute_command', begin(ofCommand))
    await call(hermes, 'terminal_run', `(env -i setsid sh -c "sleep ${ofShell} &" >/dev/null 2>&1 &); true`)
    await vi.waitFor(() => expect([ofShell, ofCommand].map(livingWith)).toEqual([1, 1]), 10_000)
    await call(hermes, 'terminal_kill', undefined)
    expect([ofShell, ofCommand].map(livingWith)).toEqual([0, 1])
  })
})

function session(): Hermes {
  const hermes = new Hermes({ root: tempDir(), policy: false, gitCommit: false, sandbox: 'bwrap', approve: () => 'once' })
  onTestFinished(() => hermes[Symbol.asyncDispose]())
  return hermes
}

/** What a verb printed. */
async function call(hermes: Hermes, name: string, command: string | undefined, taskId?: string): Promise<string> {
  const text = `<tool_call>${JSON.stringify({ name, arguments: command === undefined ? {} : { command } })}</tool_call>\n`
  const { results: [result] } = await hermes.execute(text, taskId === undefined ? {} : { taskId })
  const data = result?.data as { stdout?: string; output?: string } | undefined
  if (result?.success !== true) throw new Error(`${result?.error}\n${JSON.stringify(data)}`)
  return data?.stdout ?? data?.output ?? ''
}

function begin(mark: string | undefined): string {
  return `sleep ${mark} >/dev/null 2>&1 &`
}

/** Seconds of a `sleep` that no other test has. */
function newMark(): string {
  return `${++count}00.${process.pid}`
}

function livingWith(mark: string | undefined): number {
  return pidsWith(`sleep\0${mark}\0`).length
}

function pidsWith(beginning: string): string[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name))
    .filter(pid => orNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'), '').startsWith(beginning))
}

/** The first process of the namespaces that a process is in, by its number here: bwrap and its monitor are above it. */
function holderOf(pid: number): number {
  const parent = parentOf(pid)
  if (parent <= 1) throw new Error(`${pid} is not below this process`)
  return parentOf(parent) === process.pid ? pid : holderOf(parent)
}

function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
}
