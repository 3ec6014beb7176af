import {
  openReplayDirectory, ProcessPool, serveAsProcess, serveIfStarted, type ReplayWorkers, type UnmadeReason,
} from '../../../6-replay/src/index.js'
import { answerOfYes } from '../../../0-contracts/src/index.js'
import { startWorker } from '../../../2-processes/src/index.js'
import { emptyPromptReport, type BatchPlan, type BatchRunner, type RanPrompt } from './batch-model.js'
import type { BatchPrompt } from './prompt-file.js'
import { runPrompt } from './run-prompt.js'

/** Environment variable that makes a process a worker, and names the directory for its workspaces. */
const WORKER = 'HERMES_BATCH_WORKER'

/** Answers approvals without a user: `yes` approves dangerous commands, but never a missing or wider sandbox. */
export function approvals(yes: boolean): Pick<BatchPlan['agent'], 'approve'> {
  return yes ? { approve: async request => answerOfYes(request) ?? 'deny' } : {}
}

/** Makes the runner of prompts: this process, or as many others as `workers` says. */
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

/** If this process is a worker: serves until its parent is gone. @returns whether it was one */
export async function serveIfBatching(plan: BatchPlan): Promise<boolean> {
  return serveIfStarted(WORKER, ({ directory, signal, stop }) => serveAsProcess<null, BatchPrompt, RanPrompt>(
    (_, prompt) => runPrompt(prompt, plan, { directory, signal }), notRun, stop,
  ))
}

/** The result for a prompt that no process could run. */
export function notRun(prompt: BatchPrompt, { code, message }: UnmadeReason): RanPrompt {
  return { report: { ...emptyPromptReport(prompt), error: { code, message } } }
}
