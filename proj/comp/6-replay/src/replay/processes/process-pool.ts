import { caught } from '../../../../0-contracts/src/index.js'
import { endWorker, type WorkerProcess } from '../../../../2-processes/src/index.js'
import { plural } from '../../../../1-reports/src/index.js'

/** Message to a worker. */
export type ToProcess<Plan, Item> = { type: 'run'; job: number; plan: Plan; item: Item } | { type: 'stop' }
/** Message from a worker; `ready` once it has read its options. */
export type FromProcess<Made> = { type: 'ready' } | { type: 'done'; job: number; made: Made }

/**
 * The result of an item, and the worker's number; `lost`: too many workers died at the item, or none can be started.
 */
export interface FromPool<Made> {
  worker: number
  made: Made
  lost?: 'died' | 'not started'
}

/** Why an item has no result. */
export interface UnmadeReason {
  code: 'INTERNAL'
  message: string
  /** Whether a worker died at it or none could be started, or the item or result could not be sent. */
  why: 'died' | 'unsendable'
}

export interface PoolOptions<Item, Made> {
  /** Number of processes. */
  count: number
  /** Most items that a worker has at a time. */
  batch: number
  spawn: (number: number) => WorkerProcess
  /** Number of workers that may die at one item before it counts as failed. Default 4. */
  mostDeaths?: number | undefined
  /** Makes the result of an item that has none. */
  unmade: (item: Item, reason: UnmadeReason) => Made
}

interface Job<Plan, Item, Made> {
  id: number
  plan: Plan
  item: Item
  /** Number of workers that died while running it. */
  deaths: number
  resolve: (done: FromPool<Made>) => void
}

interface Worker<Plan, Item, Made> {
  /** From 1. */
  number: number
  child: WorkerProcess
  isReady: boolean
  /** In order; the first is running. */
  jobs: Job<Plan, Item, Made>[]
}

/** As many deaths at one item are no coincidence. */
const MOST_DEATHS = 4
/** Number of consecutive workers that died before they were ready, after which none is started any more. */
const MOST_FAILED_STARTS = 20
/** Longer than the grace period of commands. */
const MOST_CLOSING_MS = 15_000

/**
 * Processes that work on items. If one dies, another replaces it: the item it was running is tried again, and those
 * queued go to others. Each item is answered exactly once.
 */
export class ProcessPool<Plan, Item, Made> {
  #workers: Worker<Plan, Item, Made>[] = []
  #waiting: Job<Plan, Item, Made>[] = []
  #nextJob = 1
  #isClosed = false
  #isStopped = false
  #failedStarts = 0
  /** Set once no worker is left and none can be started. */
  #lastDeath: Worker<Plan, Item, Made> | undefined

  constructor(private readonly options: PoolOptions<Item, Made>) {
    this.#workers = Array.from({ length: options.count }, (_, index) => this.#start(index + 1))
  }

  /** Resolves to the result and the worker that made it; never rejects. */
  run(plan: Plan, item: Item): Promise<FromPool<Made>> {
    return new Promise((resolve) => {
      this.#waiting.push({ id: this.#nextJob++, plan, item, deaths: 0, resolve })
      this.#hand()
    })
  }

  /** Tells all workers to stop their items, including those that are not ready yet. */
  stop(): void {
    this.#isStopped = true
    for (const { child } of this.#workers) this.#tellToStop(child)
  }

  /** Ends the workers and waits until they are gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#workers.map(({ child }) => endWorker(child, MOST_CLOSING_MS)))
  }

  #start(number: number): Worker<Plan, Item, Made> {
    const worker: Worker<Plan, Item, Made> = { number, child: this.options.spawn(number), isReady: false, jobs: [] }
    worker.child.on('message', (message) => this.#heard(worker, message as FromProcess<Made>))
    worker.child.once('exit', () => this.#died(worker))
    // It could not be started, or has gone when a message was sent.
    worker.child.on('error', () => this.#died(worker))
    return worker
  }

  #heard(worker: Worker<Plan, Item, Made>, message: FromProcess<Made>): void {
    if (message.type === 'ready') {
      worker.isReady = true
      // This worker may have replaced one that the same signal ended, and has not received it.
      if (this.#isStopped) this.#tellToStop(worker.child)
      this.#failedStarts = 0
      this.#hand()
      return
    }
    const at = worker.jobs.findIndex(({ id }) => id === message.job)
    const [job] = at === -1 ? [] : worker.jobs.splice(at, 1)
    job?.resolve({ worker: worker.number, made: message.made })
    this.#hand()
  }

  #tellToStop(child: WorkerProcess): void {
    if (child.connected) child.send({ type: 'stop' } satisfies ToProcess<Plan, Item>)
  }

  #died(worker: Worker<Plan, Item, Made>): void {
    const at = this.#workers.indexOf(worker)
    if (at === -1 || this.#isClosed) return
    const [first, ...queued] = worker.jobs
    worker.jobs = []
    if (!worker.isReady) this.#failedStarts++
    if (first) first.deaths++
    const lost = first && first.deaths >= (this.options.mostDeaths ?? MOST_DEATHS) ? first : undefined
    this.#waiting.unshift(...(first && !lost ? [first] : []), ...queued)
    if (lost) lost.resolve({ worker: worker.number, made: this.#unmade(lost, worker.child), lost: 'died' })
    if (this.#failedStarts >= MOST_FAILED_STARTS) {
      this.#workers.splice(at, 1)
      if (this.#workers.length === 0) this.#lastDeath = worker
    } else this.#workers[at] = this.#start(worker.number)
    this.#hand()
  }

  /** Gives waiting items to the workers with the fewest. */
  #hand(): void {
    const last = this.#lastDeath
    if (last) {
      for (const job of this.#waiting.splice(0)) {
        job.resolve({ worker: last.number, made: this.#unmade(job, last.child), lost: 'not started' })
      }
    }
    while (this.#waiting.length > 0) {
      const [free] = this.#workers.filter(({ isReady, jobs, child }) =>
        isReady && jobs.length < this.options.batch && child.connected)
        .sort((a, b) => a.jobs.length - b.jobs.length)
      const job = free && this.#waiting.shift()
      if (!free || !job) return
      free.jobs.push(job)
      try {
        free.child.send({ type: 'run', job: job.id, plan: job.plan, item: job.item } satisfies ToProcess<Plan, Item>)
      } catch (error) {
        if (!(error instanceof Error)) throw error
        // The item cannot be serialised, so no process can get it.
        free.jobs.splice(free.jobs.indexOf(job), 1)
        job.resolve({ worker: free.number, made: this.options.unmade(job.item, unsendable('It', error)) })
      }
    }
  }

  #unmade({ item, deaths }: Job<Plan, Item, Made>, { signalCode, exitCode }: WorkerProcess): Made {
    const how = signalCode === null ? `exit code ${exitCode ?? 'none'}` : signalCode
    const message = deaths === 0 ? `no worker can be started (${how})`
      : `${plural(deaths, 'worker')} died at it (${how})`
    return this.options.unmade(item, { code: 'INTERNAL', message, why: 'died' })
  }
}

function unsendable(what: string, { name, message }: Error): UnmadeReason {
  return {
    code: 'INTERNAL', message: `${what} cannot be sent between processes (${name}: ${message})`, why: 'unsendable',
  }
}

/**
 * The worker's side: works on the items it gets, one after another, until the pool is gone.
 *
 * @param stop aborts what is running
 */
export async function serveAsProcess<Plan, Item, Made>(
  run: (plan: Plan, item: Item) => Promise<Made>, unmade: PoolOptions<Item, Made>['unmade'], stop: () => void,
): Promise<void> {
  const send = (message: FromProcess<Made>): void => {
    // If the pool is gone, no answer is needed.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }
  let last: Promise<void> = Promise.resolve()
  process.on('message', (message: ToProcess<Plan, Item>) => {
    if (message.type === 'stop') stop()
    else {
      const { job, plan, item } = message
      const before = last
      last = (async () => {
        await before
        const made = await run(plan, item)
        caught(Error, () => send({ type: 'done', job, made }), (error) => {
          send({ type: 'done', job, made: unmade(item, unsendable('What came of it', error)) })
        })
      })()
    }
  })
  const gone = new Promise<void>((resolve) => process.once('disconnect', () => {
    stop()
    resolve()
  }))
  send({ type: 'ready' })
  await gone
  await last
}
