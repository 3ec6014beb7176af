import { startWorker } from '../../launcher/src/index.js'
import {
  openReplayDirectory, replayTranscript, serveAsWorker, WorkerPool, type DecidingSettings, type Replayed,
} from '../../replay/src/index.js'
import type { Transcript } from '../../transcripts/src/index.js'
import { usageError, type Arguments } from './arguments.js'
import { EXIT } from './exit-codes.js'
import type { PathPlan } from './replay-flags.js'

/** Tells a process that it is a worker, and where it makes its workspaces. */
const WORKER = 'HERMES_REPLAY_WORKER'
const MOST_WORKERS = 512

/** Runs transcripts, here or in workers. */
export interface Runner {
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

/** @throws HermesError `INVALID_OPTION` */
export function countFlag(args: Arguments, name: string, preset: number, most: number): number {
  const written = args.value(name)
  if (written === undefined) return preset
  if (/^[1-9]\d{0,5}$/.test(written) && Number(written) <= most) return Number(written)
  throw usageError(`Invalid number for --${name}: ${written}`, `--${name} is a whole number from 1 to ${most}.`)
}

/** What replays: this process, or as many of its kind as `--workers` says. */
export async function replayRunner(
  args: Arguments, plans: readonly PathPlan[], signal: AbortSignal,
): Promise<Runner> {
  const [workers, batch] = [countFlag(args, 'workers', 0, MOST_WORKERS), countFlag(args, 'batch-size', 2, 10_000)]
  const { path: directory, remove } = await openReplayDirectory()
  if (workers === 0) {
    return {
      concurrency: 1,
      run: async (plan, transcript) => ({ worker: 1, replayed: await replayHere(plans, plan, transcript, directory) }),
      close: remove,
    }
  }
  const env = { ...process.env, [WORKER]: directory }
  const pool = new WorkerPool(workers, batch, () => startWorker(process.argv.slice(2), env))
  signal.addEventListener('abort', () => pool.stop(), { once: true })
  return {
    concurrency: workers * batch,
    run: (plan, transcript) => pool.run(plan, transcript),
    async close() {
      await pool.close()
      await remove()
    },
  }
}

/** Where this process is a worker: serves until the one that started it is gone. */
export async function serveIfWorker(
  plans: (signal: AbortSignal) => Promise<readonly PathPlan[]>,
): Promise<number | undefined> {
  const directory = process.env[WORKER]
  if (directory === undefined || !process.send) return undefined
  delete process.env[WORKER]
  const controller = new AbortController()
  // A signal of the terminal reaches the whole group: what to do about it, the one that started this says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const own = await plans(controller.signal)
  await serveAsWorker((plan, transcript) => replayHere(own, plan, transcript, directory), () => controller.abort())
  return EXIT.ok
}

async function replayHere(
  plans: readonly PathPlan[], plan: number, transcript: Transcript, directory: string,
): Promise<Replayed> {
  const options = plans[plan]?.options
  if (!options) throw new Error(`no plan ${plan}`)
  return replayTranscript(transcript, { ...options, directory })
}
