/** Takes the lock of the root in the first argument some times; appends its id to `turns` while it has it. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireRootLock } from '../../../src/locks/index.js'
import { takeAway } from './without.js'

takeAway()
const [root = '', rounds = '1', holdMs = '0'] = process.argv.slice(2)
for (let round = 0; round < Number(rounds); round++) {
  const lock = await acquireRootLock(root, 'run', 60_000, new AbortController().signal)
  appendFileSync(join(root, 'turns'), `begin ${process.pid}\n`)
  await sleep(Number(holdMs))
  appendFileSync(join(root, 'turns'), `end ${process.pid}\n`)
  lock.release()
}
process.stdout.write('done')
