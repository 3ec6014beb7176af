import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ActionResult } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { MAX_PROGRAMS } from '../../src/terminal-sessions/index.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

type Call = [name: string, args: Record<string, unknown>]

/** Runs calls in one session, as a model's function calls. */
async function results(calls: readonly Call[], options: { taskId?: string; hermes?: Hermes } = {}): Promise<ActionResult[]> {
  const hermes = options.hermes ?? new Hermes({ root: tempDir(), policy: false, gitCommit: false, sandbox: 'none' })
  try {
    const { results: all } = await hermes.call(
      calls.map(([name, args], index) => ({ id: `c${index}`, name, arguments: args })), { taskId: options.taskId },
    )
    return all
  } finally {
    if (!options.hermes) await hermes[Symbol.asyncDispose]()
  }
}

needing('node-pty').describe('the verbs of terminals', () => {
  it('run commands in one shell, with their failures', async () => {
    const all = await results([
      ['terminal_run', { command: 'mkdir a && cd a && export X=1' }],
      ['terminal_run', { command: 'echo $X; pwd | sed "s#.*/##"; exit 4' }],
      ['terminal_run', { command: 'echo still $X' }],
      ['terminal_run', { command: '   ' }],
      ['terminal_run', { command: 'rm -rf d' }],
      ['terminal_run', { command: 'echo begun; sleep 60', timeout_seconds: 1 }],
      ['terminal_list', {}],
    ])
    expect(all).toMatchObject([
      { success: true, data: { output: '', exit_code: 0, running: false } },
      { success: false, code: 'NONZERO_EXIT', error: 'terminal_run: the command exited with code 4', data: { output: '1\na\n', exit_code: 4 } },
      { success: true, data: { output: 'still 1\n' } },
      { success: false, code: 'INVALID_PARAMETER', error: 'terminal_run: command is empty' },
      { success: false, code: 'APPROVAL_DENIED' },
      { success: false, code: 'TIMEOUT', error: 'terminal_run: Process timeout after 1s (TIMEOUT)', data: { output: expect.stringMatching(/^begun\n/) as string } },
      { success: true, data: [{ id: 'shell', command: '', running: false }] },
    ])
    expect(all[1]?.hint).toContain('ended its shell')
  })

  it('see a danger that is spread over several calls', async () => {
    const all = await results([
      ['terminal_run', { command: "alias l='r''m'; mkdir -p d/e" }],
      ['terminal_run', { command: 'l -rf d' }],
      ['terminal_run', { command: 'bash --norc', wait_seconds: 1 }],
      ['terminal_input', { text: 'rm -', enter: false }],
      ['terminal_input', { text: 'rf d' }],
      ['terminal_input', { key: 'ctrl-c' }],
      ['terminal_input', { text: 'm -rf d', enter: false, key: 'left' }],
      ['terminal_input', { text: 'r', enter: false }],
      ['terminal_input', { text: '\u0001r' }],
      ['terminal_input', { text: '\u0015echo fine; exit' }],
    ])
    expect(all.map(({ success, code }) => (success ? 'done' : code))).toEqual([
      'done', 'APPROVAL_DENIED', 'done', 'done', 'APPROVAL_DENIED', 'done', 'done', 'done', 'APPROVAL_DENIED', 'done',
    ])
  })

  it('start no more programs than can be kept, and forget those first that have ended', async () => {
    const hermes = new Hermes({ root: tempDir(), policy: false, gitCommit: false, sandbox: 'none' })
    const start = (command: string, wait = 0): Call => ['terminal_background', { command, wait_seconds: wait }]
    const all = await results([start('exit 0', 10), ...Array.from({ length: MAX_PROGRAMS + 1 }, () => start('sleep 300'))], { hermes })
    expect(all.map(({ success }) => success)).toEqual([...Array.from({ length: MAX_PROGRAMS + 1 }, () => true), false])
    expect(all.at(-1)).toMatchObject({
      code: 'INVALID_PARAMETER', error: `terminal_background: ${MAX_PROGRAMS} programs run already`,
      hint: 'End one with terminal_kill, e.g. p2 (sleep 300).',
    })
    await hermes[Symbol.asyncDispose]()
  })

  it('keep the shells of tasks apart, and end those of one', async () => {
    const hermes = new Hermes({ root: tempDir(), policy: false, gitCommit: false, sandbox: 'none' })
    try {
      await results([['terminal_run', { command: 'cd /tmp; A=one' }]], { hermes, taskId: 'one' })
      await results([['terminal_run', { command: 'A=two' }]], { hermes, taskId: 'two' })
      const echo: Call[] = [['terminal_run', { command: 'echo "$A"' }]]
      expect(await results(echo, { hermes, taskId: 'one' })).toMatchObject([{ data: { output: 'one\n', cwd: '/tmp' } }])
      expect(await results(echo, { hermes, taskId: 'two' })).toMatchObject([{ data: { output: 'two\n' } }])
      await hermes.endTask('one')
      expect(await results(echo, { hermes, taskId: 'one' })).toMatchObject([{ data: { output: '\n' } }])
      expect(await results(echo, { hermes, taskId: 'two' })).toMatchObject([{ data: { output: 'two\n' } }])
    } finally {
      await hermes[Symbol.asyncDispose]()
    }
  })

  it('start nothing in a dry run', async () => {
    const root = tempDir()
    const hermes = new Hermes({ root, policy: false, dryRun: true })
    const all = await results([['terminal_run', { command: 'touch made' }], ['terminal_background', { command: 'touch made' }], ['terminal_poll', { id: 'p1' }]], { hermes })
    await hermes[Symbol.asyncDispose]()
    expect(all.map(({ success }) => success)).toEqual([true, true, true])
    expect(existsSync(join(root, 'made'))).toBe(false)
  })
})
