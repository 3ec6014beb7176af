import { availableParallelism, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { defineVerb, described, HermesError, text, titled } from '../../../0-contracts/src/index.js'
import { realDisks } from './disks.js'
import { fileSystems } from './file-systems.js'
import { operatingSystem } from './operating-system.js'

const VERB = 'sys.machineInfo'
/** Time limit for the system's answer, in milliseconds: an unreachable network disk would block for ever. */
const LIMIT_MS = 10_000

/** Reports operating system, processors, memory and disks. */
export const sysMachineInfo = defineVerb({
  name: VERB,
  vocabulary: 'hermes',
  description: 'Tell the operating system, the number of processors, the memory and the disks of this machine.',
  category: 'system',
  type: 'read',
  constraints: ['Disks are file systems with room of their own, each device once; those in memory are left out.'],
  args: v.strictObject({}),
  result: v.strictObject({
    operatingSystem: text('Name, release and processor architecture, e.g. "Debian GNU/Linux 12 (x64)".'),
    cpuCount: count('Processors this program may use.'),
    totalMemoryBytes: count('Memory of the machine in bytes.'),
    disks: described(v.array(titled('DiskInfo', {
      name: text('Where it is mounted, e.g. "/"; on Windows the drive, e.g. "C:".'),
      totalBytes: count('Its size in bytes.'),
      freeBytes: count('Bytes that can still be written.'),
    })), 'The disks, each device once.'),
  }),
  examples: [{}],
  async handler(_, { signal }) {
    const disks = await inTime(fileSystems(signal, LIMIT_MS), signal)
    return {
      operatingSystem: operatingSystem(), cpuCount: availableParallelism(), totalMemoryBytes: totalmem(),
      disks: realDisks(disks),
    }
  },
})

function count(description: string) {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description))
}

/** @throws HermesError `TIMEOUT`, `CANCELLED` */
async function inTime<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const answered = new AbortController()
  const over = sleep(LIMIT_MS, undefined, { signal: AbortSignal.any([signal, answered.signal]) }).then(() => {
    throw new HermesError('TIMEOUT', `${VERB}: the system did not answer within ${LIMIT_MS / 1000}s (TIMEOUT)`, {
      hint: 'A network disk may be unreachable; ask for what is needed with a command instead.',
    })
  }, () => {
    if (!signal.aborted) return asked
    throw new HermesError('CANCELLED', `${VERB}: cancelled (CANCELLED)`, { hint: 'Run it again.' })
  })
  try {
    return await Promise.race([asked, over])
  } finally {
    answered.abort()
  }
}
