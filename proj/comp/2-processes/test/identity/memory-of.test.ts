import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { memoryOf } from '../../src/identity/memory-of.js'
import { start } from '../../src/index.js'

const MEBIBYTE = 2 ** 20
const SHARED_MEBIBYTES = 100

/** Five processes that share one mapping, and let go of their view of it and fill it again without end. */
const remapping = `
import mmap, os
shared = mmap.mmap(-1, ${SHARED_MEBIBYTES} << 20)
for at in range(0, len(shared), 4096): shared[at] = 1
print('held', flush=True)
for n in range(4):
    if os.fork() == 0: break
while True:
    shared.madvise(mmap.MADV_DONTNEED)
    for at in range(0, len(shared), 4096): shared[at]
`

it.runIf(process.platform === 'linux')('counts what processes share once, also while they map more and less of it', async () => {
  const program = await start({
    program: 'python3', args: ['-c', remapping], env: process.env, stdio: ['ignore', 'pipe', 'inherit'], leadsGroup: true,
  })
  try {
    await new Promise(resolve => program.output.once('data', resolve))
    const childrenOf = (): number[] =>
      readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'latin1').match(/\d+/g)?.map(Number) ?? []
    while (childrenOf().length < 4) await sleep(10)
    const pids = [program.pid, ...childrenOf()]
    const looks: number[] = []
    while (looks.length < 30) {
      looks.push(memoryOf(pids) / MEBIBYTE)
      await sleep(5)
    }
    // Each has some of its own.
    expect(Math.max(...looks)).toBeLessThan(SHARED_MEBIBYTES + pids.length * 10)
  } finally {
    program.signal('SIGKILL')
    await program.exited
  }
})
