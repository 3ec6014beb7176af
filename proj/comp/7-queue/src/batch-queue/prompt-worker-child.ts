import { runPrompt, approvals, notRun, type BatchPlan, type BatchPrompt, type RanPrompt } from '../batch/index.js'
import { DIRECTORY, underCeiling, type Ceiling } from '../jobs/index.js'
import { serveAsProcess, serveIfStarted } from '../../../6-replay/src/index.js'
import type { LocalPrompt } from './prompt-runner.js'

/** Settings of the host that runs others' prompts: server, key and request options. The prompt names the model. */
export type OwnAgent = Pick<
  BatchPlan['agent'], 'model' | 'apiKey' | 'baseURL' | 'maxRetries' | 'quiet' | 'api' | 'headers' | 'temperature'
  | 'maxTokens' | 'reasoningEffort'
>

/** If this process runs prompts for a worker: serves until that is gone. @returns whether it was one */
export async function serveIfPrompting(ceiling: Ceiling, agentOf: () => Promise<OwnAgent>): Promise<boolean> {
  return serveIfStarted(DIRECTORY, async ({ directory, signal, stop }) => {
    const own = await agentOf()
    await serveAsProcess<LocalPrompt, BatchPrompt, RanPrompt>(
      (plan, prompt) => runPrompt(prompt, planOf(plan, own, ceiling), { directory, signal }), notRun, stop,
    )
  })
}

/** Combines the prompt's settings, within the ceiling, with the host's own. */
function planOf({ settings, workspace }: LocalPrompt, own: OwnAgent, ceiling: Ceiling): BatchPlan {
  const { model, style, maxTurns, contextWindow, disabledToolsets, price } = settings.agent
  const { yes, sandbox, network, gitCommit, toolsets, timeoutMs } = underCeiling(settings.execution, ceiling)
  return {
    agent: {
      ...own, model, style, ...approvals(yes), maxTurns, contextWindow, disabledToolsets, price,
      enabledToolsets: toolsets, sandbox, network, gitCommit,
      limits: timeoutMs === undefined ? undefined : { commandTimeoutMs: timeoutMs, maxCommandTimeoutMs: timeoutMs },
    },
    workspace: workspace === undefined ? { kind: 'empty' }
      : { kind: 'fixture', directory: workspace, within: workspace },
    decides: {},
  }
}
