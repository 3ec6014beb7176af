import {
  openReplayDirectory, ProcessPool, serveAsProcess, type ReplayWorkers, type UnmadeReason,
} from '../../../6-replay/src/index.js'
import { answerOfYes } from '../../../0-contracts/src/index.js'
import { startWorker } from '../../../2-processes/src/index.js'
import type { BatchRunner } from './batch.js'
import { emptyPromptReport, type BatchPlan, type RanPrompt } from './batch-model.js'
import type { BatchPrompt } from './prompt-file.js'
import { runPrompt } from './run-prompt.js'

/** Tells a process that it is a worker, and where it makes its workspaces. */
const WORKER = 'HERMES_BATCH_WORKER'

/** There is nobody to ask: a yes given beforehand approves what is dangerous, never no sandbox, or less of one. */
export function approvals(yes: boolean): Pick<BatchPlan['agent'], 'approve'> {
  return yes ? { approve: async request => answerOfYes(request) ?? 'deny' } : {}
}

/** What runs prompts: this process, or as many others as `workers` says. */
export async function batchRunner(
  { workers, batchSize: batch, script, args }: ReplayWorkers, plan: BatchPlan, signal: AbortSignal,
): Promise<BatchRunner> {
  const { path: directory, remove } = await openReplayDirectory()
  if (workers === 0) {
    return {
      concurrency: 1,
      run: async (prompt) => ({ worker: 1, ran: await runPrompt(prompt, plan, { directory, signal }) }),
      close: remove,
    }
  }
  const pool = new ProcessPool<null, BatchPrompt, RanPrompt>({
    count: workers, batch, unmade: notRun,
    spawn: () => startWorker(script, args, { ...process.env, [WORKER]: directory }),
  })
  signal.addEventListener('abort', () => pool.stop(), { once: true })
  return {
    concurrency: workers * batch,
    async run(prompt) {
      const { worker, made } = await pool.run(null, prompt)
      return { worker, ran: made }
    },
    async close() {
      await pool.close()
      await remove()
    },
  }
}

/** Where this process is a worker: serves until the one that started it is gone. @returns whether it was one */
export async function serveIfBatching(plan: BatchPlan): Promise<boolean> {
  const directory = process.env[WORKER]
  if (directory === undefined || !process.send) return false
  delete process.env[WORKER]
  const controller = new AbortController()
  // A signal of the terminal reaches the whole group: what to do about it, the one that started this says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const { signal } = controller
  await serveAsProcess<null, BatchPrompt, RanPrompt>((_, prompt) =>
    runPrompt(prompt, plan, { directory, signal }), notRun, () => controller.abort())
  return true
}

/** What is told of a prompt that no process could run. */
export function notRun(prompt: BatchPrompt, { code, message }: UnmadeReason): RanPrompt {
  return { report: { ...emptyPromptReport(prompt), error: { code, message } } }
}
