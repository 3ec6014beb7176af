import { Agent, isKeyRefusal, type AgentEvent } from '../../../6-agent/src/index.js'
import { drawToolsets, errorOf, openWorkspace } from '../../../6-replay/src/index.js'
import { emptyPromptReport, type BatchPlan, type PromptReport, type RanPrompt } from './batch-model.js'
import { withExactness } from '../../../2-transcripts/src/index.js'
import type { BatchPrompt } from './prompt-file.js'

/** Stands for the root in stored results, since the workspace is removed afterwards. */
const ROOT = '/workspace'

/**
 * Runs a prompt in its own workspace. Never rejects because of the model or its server.
 *
 * @param directory where workspaces are created
 */
export async function runPrompt(
  prompt: BatchPrompt, plan: BatchPlan, { directory, signal }: { directory: string; signal: AbortSignal },
): Promise<RanPrompt> {
  const startedAt = performance.now()
  const report = emptyPromptReport(prompt)
  const toolsets = toolsetsOf(prompt, plan)
  if (toolsets) report.toolsets = toolsets
  let trajectory: string | undefined
  let isKeyRefused = false
  try {
    trajectory = await converse(prompt, plan, { directory, signal, report })
  } catch (error) {
    report.error = errorOf(error, 'batch')
    isKeyRefused = isKeyRefusal(error)
  }
  // An interrupted prompt is left to the next start.
  if (signal.aborted) report.error = { code: 'CANCELLED', message: 'The batch was interrupted' }
  report.durationMs = Math.round(performance.now() - startedAt)
  return {
    report, ...(trajectory !== undefined && !report.error && { trajectory }), ...(isKeyRefused && { isKeyRefused }),
  }
}

/** @throws HermesError `INVALID_OPTION` where the server needs a key and there is none: every prompt would fail */
export function requireEndpoint({ agent }: BatchPlan): void {
  void new Agent({ ...agent, sessions: false })
}

/** Toolsets of the prompt, else those drawn for it; `undefined`: the plan's apply. */
export function toolsetsOf(
  { toolsets, content }: BatchPrompt, { toolsetDraw }: BatchPlan,
): readonly string[] | undefined {
  return toolsets ?? (toolsetDraw && drawToolsets(toolsetDraw, content))
}

interface Running {
  directory: string
  signal: AbortSignal
  report: PromptReport
}

async function converse(prompt: BatchPrompt, plan: BatchPlan, { directory, signal, report }: Running): Promise<string> {
  const workspace = await openWorkspace(plan.workspace, signal, directory)
  try {
    const { systemPrompt, model, maxTurns } = prompt
    const agent = new Agent({
      // Conversations of delegates would be missing from the trajectory.
      ...plan.agent, root: workspace.root, sessions: false, delegate: false,
      ...(report.toolsets && { enabledToolsets: report.toolsets }), ...(systemPrompt !== undefined && { systemPrompt }),
      ...(model !== undefined && { model }), ...(maxTurns !== undefined && { maxTurns }),
    })
    try {
      const taskId = prompt.content.slice(0, 16)
      for await (const event of agent.run(prompt.prompt, { taskId, signal })) count(report, event)
      return lineOf(await agent.trajectory(taskId), workspace.root, prompt)
    } finally {
      await agent[Symbol.asyncDispose]()
    }
  } finally {
    const note = await workspace.remove()
    if (note !== undefined) report.note = note
  }
}

/** The line with the workspace's path, which means nothing later, replaced. */
function lineOf(line: string, root: string, { name, metadata }: BatchPrompt): string {
  const settled = JSON.parse(line.replaceAll(JSON.stringify(root).slice(1, -1), ROOT)) as object
  return JSON.stringify({ ...withExactness(settled), id: name, ...(metadata && { metadata }) })
}

function count(report: PromptReport, event: AgentEvent): void {
  if (event.type === 'turn_start') report.counts.turns++
  else if (event.type === 'usage') report.usage = event.total
  else if (event.type === 'end') report.reason = event.reason
  else if (event.type === 'rewrites') {
    const before = report.extensions ?? {}
    const names = new Set(event.rewrites.map(({ extension }) => extension))
    report.extensions = { ...before, ...Object.fromEntries([...names].map((name) => [
      name, (Object.hasOwn(before, name) ? before[name] ?? 0 : 0) + 1,
    ])) }
  }
  else if (event.type === 'call_end') {
    const tool = Object.hasOwn(report.tools, event.tool) ? report.tools[event.tool] : undefined
    const counts = tool ?? { calls: 0, success: 0, failure: 0 }
    const { success } = event.result
    report.tools[event.tool] = {
      calls: counts.calls + 1, success: counts.success + (success ? 1 : 0), failure: counts.failure + (success ? 0 : 1),
    }
    report.counts.calls++
    if (!success) report.counts.failures++
  }
}
