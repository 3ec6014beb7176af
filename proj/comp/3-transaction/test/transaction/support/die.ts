/**
 * A run that kills itself with SIGKILL: `die.mjs ROOT MOMENT [OPTIONS]`, options as JSON. Test files run at the same time,
 * so that each has ids of its own: recovery ends what runs by the same. In the moments `hook` a hook of the repository does
 * it, which finds the process id in DIE_PID.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { createPathGate } from '../../../../2-files/src/policy/index.js'
import { Baselines } from '../../../src/journal/index.js'
import { recover, RunTransaction, summarize } from '../../../src/transaction/index.js'

const [root = '', moment = '', more = '{}'] = process.argv.slice(2)
const options = JSON.parse(more) as {
  runId?: string; atomic?: boolean; git?: boolean; recover?: 'finish' | 'restore'
  /** The writes wait for one flush of the journal, and `a.txt` comes last. */
  durable?: boolean
}
process.env['DIE_PID'] = String(process.pid)
const { renameSync, unlinkSync, writeSync } = fs

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

/** Where the moment is one of the journal's, half of the line is written. */
function dieInLine(part: string): void {
  fs.writeSync = ((fd: number, bytes: Uint8Array, ...rest: [number, number]) => {
    if (!Buffer.from(bytes).includes(part)) return writeSync(fd, bytes, ...rest)
    writeSync(fd, bytes, 0, bytes.length >> 1)
    die()
  }) as typeof fs.writeSync
}

const MOMENTS: Record<string, () => void> = {
  'in the journal': () => dieInLine('"path":"b.txt"'),
  'before the end': () => dieInLine('"op":"end"'),
  'before the write': () => {
    fs.renameSync = (from, to) => (basename(String(to)) === 'b.txt' ? die() : renameSync(from, to))
  },
  'after the write': () => {
    fs.renameSync = (from, to) => {
      renameSync(from, to)
      if (basename(String(to)) === 'b.txt') die()
    }
  },
  'before the removal': () => {
    fs.unlinkSync = (path) => (basename(String(path)) === 'c.txt' ? die() : unlinkSync(path))
  },
  // A file that cannot be renamed over is written in place, its old content beside it.
  'in a write in place': () => {
    fs.renameSync = (from, to) => {
      if (basename(String(to)) === 'b.txt') throw Object.assign(new Error('busy'), { code: 'EBUSY', syscall: 'rename', errno: -16 })
      renameSync(from, to)
    }
    fs.ftruncateSync = () => die()
  },
}
MOMENTS[moment]?.()
syncBuiltinESMExports()

const gate = createPathGate({ root })
const base = { root, gate, git: options.git ?? true, durable: options.durable ?? false, waitMs: 0, signal: new AbortController().signal }
if (options.recover) await recover({ ...base, restore: options.recover === 'restore' })
else {
  const transaction = new RunTransaction({ ...base, runId: options.runId ?? 'run-000000-dies', baselines: new Baselines(), ...(options.atomic && { atomic: true }) })
  await transaction.beforeBlock('write')
  const { files } = transaction
  files.hold(() => () => undefined)
  for (const name of options.durable ? ['b', 'a'] : ['a', 'b']) files.write(gate.approve(`${name}.txt`, 'write'), `new ${name}\n`)
  files.release()
  files.remove(gate.approve('c.txt', 'remove'))
  files.makeDirectories(gate.approve('made', 'write'))
  files.move(gate.approve('d.txt', 'remove'), gate.approve('made/d.txt', 'write'))
  await transaction.finish(summarize([{ blockId: 'b', action: 'many', params: {}, success: true }], 0))
}
