import { requireEndpoint, notRun, type BatchPrompt, type RanPrompt } from '../batch/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { WorkProcesses, type Work } from '../jobs/index.js'
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
      const processes = new WorkProcesses<LocalPrompt, BatchPrompt, RanPrompt>(place, notRun)
      const runner = new PromptRunner({ ...place, server, run: (plan, prompt) => processes.run(plan, prompt) })
      return {
        start: () => processes.start(),
        async run(job) {
          const { ran: { report: { error }, isKeyRefused }, done } = await runner.run(job)
          if (processes.isStopped && error?.code === 'CANCELLED') return undefined
          if (!isKeyRefused) return done
          // Every other prompt would fail here too; another worker may have a better key.
          place.stop(
            error?.message ?? 'The key is refused',
            `check the API key, and that it belongs to ${server}, then start the worker anew.`,
          )
          return undefined
        },
        stop: () => processes.stop(),
        close: () => processes.close(),
      }
    },
  }
}
