import { startWorker } from '../../../2-processes/src/index.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import type { DecidingSettings } from './compare/fingerprint.js'
import { openReplayDirectory } from './replay-directory.js'
import { replayTranscript, type Replayed, type ReplayOptions } from './replay-transcript.js'
import { serveIfStarted } from './processes/serve-if-started.js'
import { serveAsWorker, WorkerPool } from './processes/worker-pool.js'
import type { PathPlan } from './path-plans.js'

/** Environment variable that makes a process a worker, and names the directory for its workspaces. */
const WORKER = 'HERMES_REPLAY_WORKER'

/** Runs transcripts, in this process or in workers. */
export interface ReplayRunner {
  concurrency: number
  /** @param settings that influence the result, if the run is stored */
  run(
    plan: number, transcript: Transcript, settings?: DecidingSettings,
  ): Promise<{ worker: number; replayed: Replayed }>
  /** Whether it ran; if something prevented that, the next start may succeed. Default: always. */
  isRun?(transcript: Transcript): boolean
  /** Called when the result of a transcript is stored. */
  settled?(transcript: Transcript): Promise<void>
  close(): Promise<void>
}

/** Processes that replay. */
export interface ReplayWorkers {
  /** Number of processes; 0: this process does it. */
  workers: number
  /** Most transcripts that a worker has at a time. */
  batchSize: number
  /** Script of hermes and arguments of this replay, to start workers with. */
  script: string
  args: readonly string[]
  /** Called for each block and call that has run, if this process runs them. */
  onCall?: () => void
}

/** Makes the runner: this process, or as many others as `workers` says. */
export async function replayRunner(
  { workers, batchSize, script, args, onCall }: ReplayWorkers, plans: readonly PathPlan[], signal: AbortSignal,
): Promise<ReplayRunner> {
  const { path: directory, remove } = await openReplayDirectory()
  if (workers === 0) {
    return {
      concurrency: 1,
      run: async (plan, transcript) => ({
        worker: 1, replayed: await replayHere(plans, plan, transcript, { directory, ...(onCall && { onCall }) }),
      }),
      close: remove,
    }
  }
  const env = { ...process.env, [WORKER]: directory }
  const pool = new WorkerPool(workers, batchSize, () => startWorker(script, args, env))
  signal.addEventListener('abort', () => pool.stop(), { once: true })
  return {
    concurrency: workers * batchSize,
    run: (plan, transcript) => pool.run(plan, transcript),
    async close() {
      await pool.close()
      await remove()
    },
  }
}

/** If this process is a worker: serves until its parent is gone. @returns whether it was one */
export async function serveIfWorker(
  plans: (signal: AbortSignal) => Promise<readonly PathPlan[]>,
): Promise<boolean> {
  return serveIfStarted(WORKER, async ({ directory, signal, stop }) => {
    const own = await plans(signal)
    await serveAsWorker((plan, transcript) => replayHere(own, plan, transcript, { directory }), stop)
  })
}

async function replayHere(
  plans: readonly PathPlan[], plan: number, transcript: Transcript, more: Pick<ReplayOptions, 'directory' | 'onCall'>,
): Promise<Replayed> {
  const options = plans[plan]?.options
  if (!options) throw new Error(`no plan ${plan}`)
  return replayTranscript(transcript, { ...options, ...more })
}
