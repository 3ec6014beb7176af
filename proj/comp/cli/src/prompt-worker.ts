import {
  PROMPT_JOBS, PromptRunner, type LocalPrompt, type PromptAnswer, type PromptJob,
} from '../../batch-queue/src/index.js'
import { requireEndpoint, type BatchPrompt, type RanPrompt } from '../../batch/src/index.js'
import { ProcessPool } from '../../replay/src/index.js'
import { plural } from '../../reports/src/index.js'
import type { Arguments } from './arguments.js'
import { notRun } from './batch-run.js'
import { workerAgent } from './prompt-worker-child.js'
import { boundingFlags } from './queue-worker-child.js'
import { requireDone, type Work } from './worker-run.js'

/**
 * Prompts, each run in a process that knows neither queue nor store, with the key of this host.
 * @throws HermesError `INVALID_OPTION`
 */
export async function promptWork(args: Arguments): Promise<Work<PromptJob, PromptAnswer>> {
  const agent = await workerAgent(args)
  requireEndpoint({ agent, workspace: { kind: 'empty' }, decides: {} })
  const { baseURL: server = '' } = agent
  return {
    kind: PROMPT_JOBS,
    counted: (count) => plural(count, 'prompt'),
    childFlags: ['worker', '--prompts', `--base-url=${server}`, ...boundingFlags(args)],
    open(place) {
      const { concurrency, spawn, stop } = place
      let pool: ProcessPool<LocalPrompt, BatchPrompt, RanPrompt> | undefined
      let isStopped = false
      const runner = new PromptRunner({
        ...place, server,
        async run(plan, prompt) {
          if (!pool) throw new Error('no processes')
          const { made, lost } = await pool.run(plan, prompt)
          requireDone(lost, made.report.error?.message, place)
          return made
        },
      })
      return {
        start: () => {
          pool = new ProcessPool({ count: concurrency, batch: 1, spawn, mostDeaths: 1, unmade: notRun })
        },
        async run(job) {
          const { ran: { report: { error }, isKeyRefused }, done } = await runner.run(job)
          if (isStopped && error?.code === 'CANCELLED') return undefined
          if (!isKeyRefused) return done
          // Here all that comes would fail so; another may have a better key.
          stop(
            error?.message ?? 'The key is refused',
            `check the API key, and that it belongs to ${server}, then start the worker anew.`,
          )
          return undefined
        },
        stop: () => {
          isStopped = true
          pool?.stop()
        },
        close: async () => pool?.close(),
      }
    },
  }
}
