/** A run of one command, then its undo; prints both outcomes as JSON: `command-and-undo.mjs ROOT SHELL_TEXT`. */
import { execSync } from 'node:child_process'
import { createPathGate } from '../../../../2-files/src/policy/index.js'
import { Baselines } from '../../../src/journal/index.js'
import { RunTransaction, undo } from '../../../src/transaction/index.js'

const [root = '', text = ''] = process.argv.slice(2)
const gate = createPathGate({ root })
const options = { root, git: true, durable: false, waitMs: 0, signal: new AbortController().signal }
const transaction = new RunTransaction({ ...options, runId: 'run-1', baselines: new Baselines() })
await transaction.beforeBlock('exec')
execSync(text, { cwd: root })
transaction.afterBlock('exec')
const done = await transaction.finish({ blocks: 1, failures: 0, subject: 'exec', lines: [] })
const undone = await undo({ ...options, gate, runId: 'run-2', force: false })
process.stdout.write(JSON.stringify({ done, undone }))
