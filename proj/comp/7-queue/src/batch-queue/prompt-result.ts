import { toolsetsOf, type BatchPlan, type BatchPrompt, type RanPrompt } from '../batch/index.js'
import { isRecord } from '../../../0-contracts/src/index.js'
import { parsedJson } from '../../../6-replay/src/index.js'
import { readRan } from './prompt-job.js'

/**
 * A result as the one who asked keeps it: whose it is he says, and not the worker.
 *
 * @throws HermesError `INVALID_JOB`
 */
export function promptResult(json: string, prompt: BatchPrompt, plan: BatchPlan): RanPrompt {
  const { report, trajectory } = readRan(json)
  const { content, name, line, metadata } = prompt
  const toolsets = toolsetsOf(prompt, plan)
  const told = trajectory === undefined ? undefined : parsedJson(trajectory)
  return {
    report: { ...report, id: content, name, line, drifted: false, toolsets },
    // Without a value it is not in the line.
    ...(isRecord(told) && { trajectory: JSON.stringify({ ...told, id: name, metadata }) }),
  }
}
