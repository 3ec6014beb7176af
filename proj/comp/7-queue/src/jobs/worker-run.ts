import { once } from 'node:events'
import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import { contentAddress, openContentStore, type ContentStore } from '../../../2-files/src/index.js'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { startWorker, type WorkerProcess } from '../../../2-processes/src/index.js'
import { openReplayDirectory } from '../../../6-replay/src/index.js'
import { clip, escapeControls, usageError } from '../../../0-text/src/index.js'
import type { Ceiling } from './ceiling.js'
import type { JobKind, QueueJob } from './job-kind.js'
import { queuePlace } from './queue-place.js'
import { QueueWorker, type Done } from './worker.js'

/** Most different refusals that are reported: anyone who can write to the queue may invent any number. */
const MOST_TOLD = 100
const MOST_SHOWN = 500

/** A worker's resources, for any kind of work. */
export interface WorkPlace {
  store: ContentStore | undefined
  ceiling: Ceiling
  /** Used by this worker only. */
  directory: string
  /** Name of the worker. */
  name: string
  /** Number of jobs that run concurrently. */
  concurrency: number
  /** Starts a process like this one that works for it. */
  spawn: () => WorkerProcess
  /** Takes no further job, for the given reason: another worker may do better. */
  stop: (why: string, hint?: string) => void
}

/** A kind of work for workers. */
export interface Work<Job extends QueueJob, Answer> {
  kind: JobKind<Job, Answer>
  /** Words for a number of jobs, e.g. `3 prompts`. */
  counted: (count: number) => string
  /** Flags for the processes that run jobs: their limits, but not where queue and store are. */
  childFlags: readonly string[]
  open(place: WorkPlace): OpenWork<Job, Answer>
}

export interface OpenWork<Job, Answer> {
  /** Starts the processes. */
  start(): void
  /** @returns `undefined` if the worker's end interrupted it. @throws where the job should be tried again */
  run(job: Job): Promise<Done<Answer> | undefined>
  /** Aborts running jobs. */
  stop(): void
  close(): Promise<void>
}

export interface WorkerRunOptions {
  /** Address of its server. */
  queue: string
  /** The store for content too large for the queue. */
  store: string | undefined
  ceiling: Ceiling
  /** Number of jobs that run concurrently. */
  concurrency: number
  /** The running script of hermes. */
  script: string
  signal: AbortSignal
  /** Called with messages, one line each. */
  tell: (line: string) => void
  /** Called once it takes work; from then on BullMQ keeps reconnecting, which keeps the process alive. */
  onOpen: () => void
}

/** Works on the jobs of a queue, until interrupted. */
export async function runWorker<Job extends QueueJob, Answer>(
  work: Work<Job, Answer>,
  { queue, store: storeName, ceiling, concurrency, script, tell, ...options }: WorkerRunOptions,
): Promise<void> {
  const { kind, counted } = work
  const place = queuePlace(queue)
  const store = storeName === undefined ? undefined : await usableStore(storeName)
  const { path: directory, remove } = await openReplayDirectory()
  const name = `${hostname()}:${process.pid}`
  const broken = new AbortController()
  let reason: { why: string; hint?: string | undefined } = { why: 'Interrupted' }
  const signal = AbortSignal.any([options.signal, broken.signal])
  let open: OpenWork<Job, Answer> | undefined
  try {
    open = work.open({
      store, ceiling, directory, name, concurrency,
      spawn: () => startWorker(script, work.childFlags, childEnvironment(directory)),
      stop: (why, hint) => {
        if (!signal.aborted) reason = { why, hint }
        broken.abort()
      },
    })
    const opened = open
    let count = 0
    const told = new Set<string>()
    const run = async (job: Job): Promise<Done<Answer>> => {
      if (signal.aborted) return { kind: 'given back' }
      try {
        const done = await opened.run(job)
        if (done?.kind === 'answer') count++
        if (done?.kind === 'refused' && !told.has(done.why) && told.size < MOST_TOLD) {
          told.add(done.why)
          tell(`${printable(done.why)}. Such ${kind.what} are for other workers.`)
        }
        return done ?? { kind: 'given back' }
      } catch (error) {
        if (signal.aborted) return { kind: 'given back' }
        throw error
      }
    }
    const worker = await QueueWorker.open(place, {
      kind, concurrency, name, run, onNotice: tell, onConnected: () => opened.start(),
    })
    options.onOpen()
    tell(`Takes ${kind.what} from ${place.name}, ${concurrency} at a time. Ctrl-C ends it.`)
    await aborted(signal)
    opened.stop()
    const stuck = await worker.close()
    const what = stuck === 0 ? 'What was under way is on the queue again'
      : `${counted(stuck)} under way could not be given back: another worker takes what has no worker after `
        + 'some seconds'
    const { why, hint } = reason
    tell(`${printable(why)}, after ${counted(count)}. ${what}; ${hint ?? 'start the worker anew to go on.'}`)
  } finally {
    await open?.close()
    await remove()
  }
}

/** Text of a job or server on one line, safe to print. */
function printable(text: string): string {
  return escapeControls(clip(text, MOST_SHOWN))
}

/** Opens a store and checks that it responds. @throws HermesError `INVALID_OPTION`, `UNREACHABLE` */
async function usableStore(written: string): Promise<ContentStore> {
  const store = await openContentStore(written)
  if (!written.includes('://') && !orNothing(() => statSync(written).isDirectory(), false)) {
    throw usageError(
      `There is no directory ${written} for --store`,
      'Make it, or mount the one that is given where the work comes from.',
    )
  }
  try {
    await store.get(contentAddress(Buffer.alloc(0)))
  } catch (error) {
    // The content need not exist.
    if (!(error instanceof HermesError) || error.code !== 'ENOENT') throw error
  }
  return store
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  // Something must keep the process alive while the connection is lost.
  const timer = setInterval(() => undefined, 1 << 30)
  await once(signal, 'abort')
  clearInterval(timer)
}

/** Tells a process that it works for a worker, and where it makes its workspaces. */
export const DIRECTORY = 'HERMES_WORKER_DIRECTORY'

/** What runs there is not to find the credentials of the queue and the store. */
function childEnvironment(directory: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env)
    .filter(([name]) => name !== 'HERMES_QUEUE_PASSWORD' && !name.startsWith('AWS_'))
  return { ...Object.fromEntries(kept), [DIRECTORY]: directory }
}
