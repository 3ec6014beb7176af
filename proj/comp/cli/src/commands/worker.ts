import { fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { hostname, availableParallelism } from 'node:os'
import { contentAddress, openContentStore, type ContentStore } from '../../../content-store/src/index.js'
import { HermesError, orNothing } from '../../../contracts/src/index.js'
import { selectToolsets } from '../../../registry/src/index.js'
import { plural } from '../../../reports/src/index.js'
import { openReplayDirectory, WorkerPool } from '../../../replay/src/index.js'
import { JobRunner, queuePlace, QueueWorker, type Done, type LocalPlan, type ReplayJob } from '../../../replay-queue/src/index.js'
import { asFlagError } from '../apply-options.js'
import { usageError, type Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { printError } from '../output.js'
import { childEnvironment, childFlags, serveIfReplaying } from '../queue-worker-child.js'
import { workerCeiling } from '../worker-ceiling.js'
import { countFlag } from '../replay-run.js'

const MOST_AT_ONCE = 512

/** `hermes worker`: replays what is on a queue, until it is interrupted. */
export async function workerCommand(args: Arguments): Promise<number> {
  const ceiling = workerCeiling(args)
  const served = await serveIfReplaying(ceiling)
  if (served !== undefined) return served
  const written = args.value('queue')
  if (written === undefined) throw usageError('No queue given', 'Write hermes worker --queue redis://host:6379.')
  const place = queuePlace(written)
  const concurrency = countFlag(args, 'concurrency', availableParallelism(), MOST_AT_ONCE)
  const storeName = args.value('store')
  requireToolsets(ceiling.toolsets)
  const store = storeName === undefined ? undefined : await usableStore(storeName)
  const { path: directory, remove } = await openReplayDirectory()
  const name = `${hostname()}:${process.pid}`
  const interrupt = interruptible()
  const broken = new AbortController()
  const signal = AbortSignal.any([interrupt.signal, broken.signal])
  const [, script = ''] = process.argv
  let pool: WorkerPool<LocalPlan> | undefined
  let isOpen = false
  try {
    const runner = await JobRunner.open({
      store, ceiling, directory, name,
      async replay(plan, transcript) {
        if (!pool) throw new Error('no processes')
        const { replayed, lost } = await pool.run(plan, transcript)
        // What cannot work here takes no job from those that can.
        if (lost === 'not started') broken.abort()
        // The queue tries it again, here or elsewhere.
        if (lost) throw new Error(replayed.report.error?.message ?? 'its process died')
        return replayed
      },
    })
    let count = 0
    const run = async (job: ReplayJob): Promise<Done> => {
      if (signal.aborted) return { kind: 'given back' }
      try {
        const { replayed, answer } = await runner.run(job)
        if (signal.aborted && replayed.report.error?.code === 'CANCELLED') return { kind: 'given back' }
        count++
        return { kind: 'answer', answer }
      } catch (error) {
        if (signal.aborted) return { kind: 'given back' }
        throw error
      }
    }
    return await interrupt.during(async () => {
      const worker = await QueueWorker.open(place, {
        concurrency, name, run, onNotice: (notice) => printError(`${notice}\n`),
        onConnected: () => {
          pool = new WorkerPool<LocalPlan>(concurrency, 1, () => fork(script, childFlags(args), {
            env: childEnvironment(directory), stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
          }), 1)
        },
      })
      isOpen = true
      printError(`Takes transcripts from ${place.name}, ${concurrency} at a time. Ctrl-C ends it.\n`)
      await aborted(signal)
      pool?.stop()
      const stuck = await worker.close()
      const why = broken.signal.aborted ? 'No process can be started here' : 'Interrupted'
      const what = stuck === 0 ? 'What was under way is on the queue again'
        : `${plural(stuck, 'transcript')} under way could not be given back: another worker takes what has no worker after some seconds`
      printError(`${why}, after ${plural(count, 'transcript')}. ${what}; start the worker anew to go on.\n`)
      return interrupt.exitCode ?? EXIT.usage
    })
  } finally {
    await pool?.close()
    await remove()
    // BullMQ goes on to look for a Redis that is away, and a job may be stuck: neither is waited for.
    if (isOpen) process.exit(interrupt.exitCode ?? EXIT.usage)
  }
}

/** @throws HermesError `INVALID_OPTION` */
function requireToolsets(names: readonly string[] | undefined): void {
  try {
    if (names) selectToolsets(names)
  } catch (error) {
    throw asFlagError(error)
  }
}

/** A store that is there and answers. @throws HermesError `INVALID_OPTION`, `UNREACHABLE` */
async function usableStore(written: string): Promise<ContentStore> {
  const store = await openContentStore(written)
  if (!written.includes('://') && !orNothing(() => statSync(written).isDirectory(), false)) {
    throw usageError(`There is no directory ${written} for --store`, 'Make it, or mount the one that the replay has.')
  }
  try {
    await store.get(contentAddress(Buffer.alloc(0)))
  } catch (error) {
    // It need not be there.
    if (!(error instanceof HermesError) || error.code !== 'ENOENT') throw error
  }
  return store
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  // Something has to hold the process while the connection is away.
  const timer = setInterval(() => undefined, 1 << 30)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  clearInterval(timer)
}
