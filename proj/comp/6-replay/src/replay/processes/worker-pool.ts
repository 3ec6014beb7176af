import type { WorkerProcess } from '../../../../2-processes/src/index.js'
import type { Transcript } from '../../../../2-transcripts/src/index.js'
import { ProcessPool, serveAsProcess, type FromPool as FromProcessPool, type UnmadeReason } from './process-pool.js'
import type { Replayed } from '../replay-transcript.js'
import { unrunReport } from '../unrun-report.js'

/**
 * What came of a transcript, and the number of the worker; `lost`: as many as may have died at it,
 * or none can be started.
 */
export interface FromPool extends Omit<FromProcessPool<Replayed>, 'made'> {
  replayed: Replayed
}

/** Processes that replay transcripts. Each transcript is answered exactly once. */
export class WorkerPool<Plan = number> {
  readonly #pool: ProcessPool<Plan, Transcript, Replayed>

  /**
   * @param batch transcripts that a worker may have at a time
   * @param mostDeaths so many workers may die at a transcript; then that is its result
   */
  constructor(count: number, batch: number, spawn: (number: number) => WorkerProcess, mostDeaths?: number) {
    this.#pool = new ProcessPool({ count, batch, spawn, mostDeaths, unmade: unreplayed })
  }

  /** Resolves with what came of it, and which worker it was; never rejects. */
  async run(plan: Plan, transcript: Transcript): Promise<FromPool> {
    const { made, ...from } = await this.#pool.run(plan, transcript)
    return { ...from, replayed: made }
  }

  /** Tells all to stop what they are at. */
  stop(): void {
    this.#pool.stop()
  }

  /** Ends the workers and waits until they are gone. */
  close(): Promise<void> {
    return this.#pool.close()
  }
}

/**
 * The other end: runs what it is given, one after the other, until the pool is gone.
 *
 * @param stop aborts what runs
 */
export function serveAsWorker<Plan = number>(
  run: (plan: Plan, transcript: Transcript) => Promise<Replayed>, stop: () => void,
): Promise<void> {
  return serveAsProcess(run, unreplayed, stop)
}

function unreplayed(transcript: Transcript, { code, message, why }: UnmadeReason): Replayed {
  const { name, file, line, format } = transcript
  // The hash of what cannot be sent may be what cannot be made.
  return unrunReport(why === 'died' ? transcript : { name, file, line, format, turns: [] }, {
    code, message,
    hint: why === 'died' ? 'Replay it alone to see why; memory may have run out.' : 'Replay it without --workers.',
  })
}
