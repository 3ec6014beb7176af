import type { LocalPrompt } from '../../batch-queue/src/index.js'
import { runPrompt, type BatchPlan, type BatchPrompt, type RanPrompt } from '../../batch/src/index.js'
import { underCeiling, type Ceiling } from '../../job-queue/src/index.js'
import { serveAsProcess } from '../../replay/src/index.js'
import { agentSetup } from './agent-setup.js'
import type { Arguments } from './arguments.js'
import { approvals, notRun } from './batch-run.js'
import { EXIT } from './exit-codes.js'
import { servedDirectory } from './queue-worker-child.js'

type OwnAgent = Pick<BatchPlan['agent'], 'model' | 'apiKey' | 'baseURL' | 'maxRetries' | 'quiet'>

/** What is this host's own when it runs prompts of others: server and key. @throws HermesError `INVALID_OPTION` */
export async function workerAgent(args: Arguments): Promise<OwnAgent> {
  // The model is the prompt's.
  const { options: { model, apiKey, baseURL, maxRetries } } = await agentSetup(args, 'any')
  return {
    model, quiet: true, ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }),
    ...(maxRetries !== undefined && { maxRetries }),
  }
}

/** Where this process runs prompts for a worker: serves until that is gone. */
export async function serveIfPrompting(args: Arguments, ceiling: Ceiling): Promise<number | undefined> {
  const served = servedDirectory()
  if (!served) return undefined
  const { directory, controller } = served
  const { signal } = controller
  const own = await workerAgent(args)
  await serveAsProcess<LocalPrompt, BatchPrompt, RanPrompt>(
    (plan, prompt) => runPrompt(prompt, planOf(plan, own, ceiling), { directory, signal }), notRun,
    () => controller.abort(),
  )
  return EXIT.ok
}

/** Of the prompt's settings what it may have here, and of the host what no job decides. */
function planOf({ settings, workspace }: LocalPrompt, own: OwnAgent, ceiling: Ceiling): BatchPlan {
  const { model, style, maxTurns, contextWindow, disabledToolsets, price } = settings.agent
  const { yes, sandbox, network, gitCommit, toolsets, timeoutMs } = underCeiling(settings.execution, ceiling)
  return {
    agent: {
      ...own, model, style, ...approvals(yes),
      ...(maxTurns !== undefined && { maxTurns }), ...(contextWindow !== undefined && { contextWindow }),
      ...(disabledToolsets && { disabledToolsets }), ...(price && { price }),
      ...(toolsets && { enabledToolsets: toolsets }),
      ...(sandbox !== undefined && { sandbox }), ...(network === true && { network }),
      ...(gitCommit !== undefined && { gitCommit }),
      ...(timeoutMs !== undefined && { limits: { commandTimeoutMs: timeoutMs, maxCommandTimeoutMs: timeoutMs } }),
    },
    workspace: workspace === undefined ? { kind: 'empty' }
      : { kind: 'fixture', directory: workspace, within: workspace },
    decides: {},
  }
}
