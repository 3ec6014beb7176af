/**
 * A run that writes `a.txt`, runs a command, and is gone: `die-in-command.mjs ROOT RUN_ID SHELL_TEXT [OPTIONS]`. With
 * `inCommit` a hook of the repository kills it, which finds the process id in DIE_PID.
 */
import { exec } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPathGate } from '../../../../2-files/src/policy/index.js'
import { createSandbox } from '../../../../2-sandbox/src/index.js'
import { Baselines } from '../../../src/journal/index.js'
import { RunTransaction } from '../../../src/transaction/index.js'

const [root = '', runId = '', text = '', more = '{}'] = process.argv.slice(2)
const options = JSON.parse(more) as { atomic?: boolean; git?: boolean; isSudden?: boolean; inCommit?: boolean }
process.env['DIE_PID'] = String(process.pid)
const gate = createPathGate({ root })
const transaction = new RunTransaction({
  root, git: options.git ?? true, durable: false, waitMs: 0, signal: new AbortController().signal,
  runId, baselines: new Baselines(),
  hooks: { sandbox: createSandbox({ mode: 'none', root }), approve: async () => 'granted', network: false }, ...(options.atomic && { atomic: true }),
})
await transaction.beforeBlock('write')
transaction.files.write(gate.approve('a.txt', 'write'), 'by a verb\n')
await transaction.beforeBlock('exec')
await promisify(exec)(text, { cwd: root })
// Else it is seen alive after the command's last change, as one that has gone on to wait for something.
if (options.isSudden !== true) await sleep(300)
if (options.inCommit === true) await transaction.finish({ blocks: 2, failures: 0, subject: 'exec', lines: [] })
process.kill(process.pid, 'SIGKILL')
