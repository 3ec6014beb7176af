import { ProcessPool, type UnmadeReason } from '../../../6-replay/src/index.js'
import type { WorkPlace } from './worker-run.js'

/** The processes of a worker, in which its jobs run. */
export class WorkProcesses<Plan, Item, Made extends { report: { error?: { message: string } | undefined } }> {
  #pool: ProcessPool<Plan, Item, Made> | undefined
  isStopped = false

  constructor(
    private readonly place: WorkPlace, private readonly unmade: (item: Item, reason: UnmadeReason) => Made,
  ) {}

  start(): void {
    const { concurrency: count, spawn } = this.place
    this.#pool = new ProcessPool({ count, batch: 1, spawn, mostDeaths: 1, unmade: this.unmade })
  }

  /** @throws Error where no process could run it, so that the queue tries it again, here or elsewhere */
  async run(plan: Plan, item: Item): Promise<Made> {
    if (!this.#pool) throw new Error('no processes')
    const { made, lost } = await this.#pool.run(plan, item)
    // A worker that cannot work should leave the jobs to others.
    if (lost === 'not started') this.place.stop('No process can be started here')
    if (lost) throw new Error(made.report.error?.message ?? 'its process died')
    return made
  }

  stop(): void {
    this.isStopped = true
    this.#pool?.stop()
  }

  async close(): Promise<void> {
    await this.#pool?.close()
  }
}
