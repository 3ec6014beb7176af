import type { EndReason } from '../../../6-agent/src/index.js'
import type { PromptReport, ToolCounts } from './batch-model.js'
import type { BadPrompt } from './prompt-file.js'

/** Statistics of a batch. */
export interface BatchStatistics {
  /** Prompts that have ended: answered, stopped, or failed. */
  prompts: number
  /** Those reused from an earlier start. */
  takenOver: number
  answered: number
  /** Ended without an answer: at the limit of turns, in a loop, or cut off. Their trajectories are stored. */
  stopped: number
  /** Number of these by reason. */
  stoppedBy: Partial<Record<EndReason, number>>
  /** Did not end; `--resume` runs them again. */
  failed: number
  failures: { name: string; line: number; code: string; message: string }[]
  /** Prompts whose workspace could not be removed. */
  notes: { name: string; line: number; note: string }[]
  /** Lines that are not valid prompts. */
  bad: BadPrompt[]
  turns: number
  tokens: { input: number; output: number; cost?: number }
  /** By name. */
  tools: Record<string, ToolCounts>
  /** Number of answers that each extension changed before they ran, by its name. */
  extensions: Record<string, number>
  /** How often each toolset was enabled, if they were drawn or named. */
  toolsets: Record<string, number>
}

export function noStatistics(): BatchStatistics {
  return {
    prompts: 0, takenOver: 0, answered: 0, stopped: 0, stoppedBy: {}, failed: 0, failures: [], notes: [], bad: [],
    turns: 0, tokens: { input: 0, output: 0 }, tools: {}, extensions: {},
    toolsets: {},
  }
}

export function addReport(
  total: BatchStatistics,
  { name, line, counts, tools, usage, extensions = {}, toolsets, reason, error, note }: PromptReport,
): void {
  total.prompts++
  if (error) {
    total.failed++
    total.failures.push({ name, line, code: error.code, message: error.message })
  } else if (reason === 'answer') total.answered++
  else {
    total.stopped++
    if (reason) total.stoppedBy[reason] = (total.stoppedBy[reason] ?? 0) + 1
  }
  if (note !== undefined) total.notes.push({ name, line, note })
  total.turns += counts.turns
  const { input, output, cost } = total.tokens
  total.tokens = {
    input: input + usage.input, output: output + usage.output,
    ...((cost ?? usage.cost) !== undefined && { cost: (cost ?? 0) + (usage.cost ?? 0) }),
  }
  for (const [tool, used] of Object.entries(tools)) {
    const before = Object.hasOwn(total.tools, tool) ? total.tools[tool] : undefined
    const { calls, success, failure } = before ?? { calls: 0, success: 0, failure: 0 }
    total.tools[tool] = { calls: calls + used.calls, success: success + used.success, failure: failure + used.failure }
  }
  for (const [extension, answers] of Object.entries(extensions)) {
    const before = Object.hasOwn(total.extensions, extension) ? total.extensions[extension] ?? 0 : 0
    total.extensions[extension] = before + answers
  }
  for (const toolset of toolsets ?? []) total.toolsets[toolset] = (total.toolsets[toolset] ?? 0) + 1
}
