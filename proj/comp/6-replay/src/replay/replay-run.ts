import { startWorker } from '../../../2-processes/src/index.js'
import type { Transcript } from '../../../2-transcripts/src/index.js'
import type { DecidingSettings } from './compare/fingerprint.js'
import { openReplayDirectory } from './replay-directory.js'
import { replayTranscript, type Replayed, type ReplayOptions } from './replay-transcript.js'
import { serveAsWorker, WorkerPool } from './processes/worker-pool.js'
import type { PathPlan } from './path-plans.js'

/** Tells a process that it is a worker, and where it makes its workspaces. */
const WORKER = 'HERMES_REPLAY_WORKER'

/** Runs transcripts, here or in workers. */
export interface ReplayRunner {
  concurrency: number
  /** @param settings what decides its results, where the run is kept */
  run(
    plan: number, transcript: Transcript, settings?: DecidingSettings,
  ): Promise<{ worker: number; replayed: Replayed }>
  /** Whether it was run: what kept it from that may be over at the next start. Default: always. */
  isRun?(transcript: Transcript): boolean
  /** Told when what came of a transcript is kept. */
  settled?(transcript: Transcript): Promise<void>
  close(): Promise<void>
}

/** How many replay. */
export interface ReplayWorkers {
  /** Processes; none: this process does it. */
  workers: number
  /** Transcripts that each may have at a time. */
  batchSize: number
  /** The script of hermes and the arguments of the same replay, which make a process a worker of it. */
  script: string
  args: readonly string[]
  /** Told of each block and call that has run, where this process does it. */
  onCall?: () => void
}

/** What replays: this process, or as many others as `workers` says. */
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

/** Where this process is a worker: serves until the one that started it is gone. @returns whether it was one */
export async function serveIfWorker(
  plans: (signal: AbortSignal) => Promise<readonly PathPlan[]>,
): Promise<boolean> {
  const directory = process.env[WORKER]
  if (directory === undefined || !process.send) return false
  delete process.env[WORKER]
  const controller = new AbortController()
  // A signal of the terminal reaches the whole group: what to do about it, the one that started this says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const own = await plans(controller.signal)
  await serveAsWorker((plan, transcript) => replayHere(own, plan, transcript, { directory }), () => controller.abort())
  return true
}

async function replayHere(
  plans: readonly PathPlan[], plan: number, transcript: Transcript, more: Pick<ReplayOptions, 'directory' | 'onCall'>,
): Promise<Replayed> {
  const options = plans[plan]?.options
  if (!options) throw new Error(`no plan ${plan}`)
  return replayTranscript(transcript, { ...options, ...more })
}
