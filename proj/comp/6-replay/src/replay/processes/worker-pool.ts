import type { WorkerProcess } from '../../../../2-processes/src/index.js'
import type { Transcript } from '../../../../2-transcripts/src/index.js'
import { ProcessPool, serveAsProcess, type FromPool as FromProcessPool, type UnmadeReason } from './process-pool.js'
import type { Replayed } from '../replay-transcript.js'
import { unrunReport } from '../unrun-report.js'

/** The result of a transcript, and the worker's number; `lost`: too many workers died at it, or none can be started. */
export interface FromPool extends Omit<FromProcessPool<Replayed>, 'made'> {
  replayed: Replayed
}

/** Processes that replay transcripts. Each transcript is answered exactly once. */
export class WorkerPool<Plan = number> {
  readonly #pool: ProcessPool<Plan, Transcript, Replayed>

  /**
   * @param batch most transcripts that a worker has at a time
   * @param mostDeaths number of workers that may die at one transcript before it counts as failed
   */
  constructor(count: number, batch: number, spawn: (number: number) => WorkerProcess, mostDeaths?: number) {
    this.#pool = new ProcessPool({ count, batch, spawn, mostDeaths, unmade: unreplayed })
  }

  /** Resolves to the result and the worker that made it; never rejects. */
  async run(plan: Plan, transcript: Transcript): Promise<FromPool> {
    const { made, ...from } = await this.#pool.run(plan, transcript)
    return { ...from, replayed: made }
  }

  /** Tells all workers to stop. */
  stop(): void {
    this.#pool.stop()
  }

  /** Ends the workers and waits until they are gone. */
  close(): Promise<void> {
    return this.#pool.close()
  }
}

/**
 * The worker's side: runs the transcripts it gets, one after another, until the pool is gone.
 *
 * @param stop aborts what is running
 */
export function serveAsWorker<Plan = number>(
  run: (plan: Plan, transcript: Transcript) => Promise<Replayed>, stop: () => void,
): Promise<void> {
  return serveAsProcess(run, unreplayed, stop)
}

/** The result of a transcript that no process could run. */
export function unreplayed(transcript: Transcript, { code, message, why }: UnmadeReason): Replayed {
  const { name, file, line, format } = transcript
  // What cannot be sent may also be impossible to hash.
  return unrunReport(why === 'died' ? transcript : { name, file, line, format, turns: [] }, {
    code, message,
    hint: why === 'died' ? 'Replay it alone to see why; memory may have run out.' : 'Replay it without --workers.',
  })
}
