import { requireEndpoint, notRun, type BatchPrompt, type RanPrompt } from '../batch/index.js'
import { ProcessPool } from '../../../6-replay/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { requireDone, type Work } from '../jobs/index.js'
import { PROMPT_JOBS, type PromptAnswer, type PromptJob } from './prompt-job.js'
import { PromptRunner, type LocalPrompt } from './prompt-runner.js'
import type { OwnAgent } from './prompt-worker-child.js'

/**
 * Work of a prompt worker: each prompt runs in a process that knows neither queue nor store, with this host's key.
 *
 * @param childFlags arguments that start such a process of hermes
 * @throws HermesError `INVALID_OPTION`
 */
export function promptWork(agent: OwnAgent, childFlags: readonly string[]): Work<PromptJob, PromptAnswer> {
  requireEndpoint({ agent, workspace: { kind: 'empty' }, decides: {} })
  const { baseURL: server = '' } = agent
  return {
    kind: PROMPT_JOBS,
    counted: (count) => plural(count, 'prompt'),
    childFlags: [...childFlags, `--base-url=${server}`],
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
          // Every other prompt would fail here too; another worker may have a better key.
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
