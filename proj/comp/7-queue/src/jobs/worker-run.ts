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
import { childEnvironment } from './worker-process.js'

/** Different refusals that are told: whoever may write to the queue may invent any number. */
const MOST_TOLD = 100
const MOST_SHOWN = 500

/** What a worker has, whatever it works on. */
export interface WorkPlace {
  store: ContentStore | undefined
  ceiling: Ceiling
  /** Of this worker alone. */
  directory: string
  /** Of the worker. */
  name: string
  /** Jobs at a time. */
  concurrency: number
  /** A process like this one that works for it. */
  spawn: () => WorkerProcess
  /** Takes no further job, for this reason: another worker may do better. */
  stop: (why: string, hint?: string) => void
}

/** One kind of work of a worker. */
export interface Work<Job extends QueueJob, Answer> {
  kind: JobKind<Job, Answer>
  /** What it takes, e.g. `3 prompts`. */
  counted: (count: number) => string
  /** Flags of the processes that do it: how it is bounded, and not where the queue and the store are. */
  childFlags: readonly string[]
  open(place: WorkPlace): OpenWork<Job, Answer>
}

export interface OpenWork<Job, Answer> {
  /** Starts processes. */
  start(): void
  /** @returns `undefined` for what an end of the worker cut short. @throws where it is to be tried again */
  run(job: Job): Promise<Done<Answer> | undefined>
  /** Ends what is under way. */
  stop(): void
  close(): Promise<void>
}

/** Where no process could do a job: the queue tries it again, here or elsewhere. @throws Error */
export function requireDone(
  lost: 'died' | 'not started' | undefined, message: string | undefined, { stop }: Pick<WorkPlace, 'stop'>,
): void {
  // What cannot work here takes no job from those that can.
  if (lost === 'not started') stop('No process can be started here')
  if (lost) throw new Error(message ?? 'its process died')
}

export interface WorkerRunOptions {
  /** Address of its server. */
  queue: string
  /** What is too large for the queue comes by this. */
  store: string | undefined
  ceiling: Ceiling
  /** Jobs at a time. */
  concurrency: number
  /** The script of hermes that runs. */
  script: string
  signal: AbortSignal
  /** Told what there is to say, a line at a time. */
  tell: (line: string) => void
  /** Called once it takes work: BullMQ goes on to look for a server that is away, and keeps the process from ending. */
  onOpen: () => void
}

/** Works on what is on a queue, until it is interrupted. */
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

/** What a job or a server has said, on one line of the terminal. */
function printable(text: string): string {
  return escapeControls(clip(text, MOST_SHOWN))
}

/** A store that is there and answers. @throws HermesError `INVALID_OPTION`, `UNREACHABLE` */
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
