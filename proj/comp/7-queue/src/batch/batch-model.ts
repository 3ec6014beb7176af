import type { AgentOptions, EndReason, TokenCount } from '../../../6-agent/src/index.js'
import type { DecidingSettings, KeptReport, ToolsetDraw, WorkspaceSource } from '../../../6-replay/src/index.js'
import type { BatchPrompt } from './prompt-file.js'

/** How to run the prompts of a batch. */
export interface BatchPlan {
  agent: Omit<AgentOptions, 'root' | 'sessions' | 'saveTrajectories'>
  /** Each prompt works in its own copy. */
  workspace: WorkspaceSource
  /** Draws toolsets for each prompt that names none. */
  toolsetDraw?: ToolsetDraw | undefined
  /** Further settings that influence the results, by name. */
  decides: DecidingSettings
}

/** Number of calls of a tool. */
export interface ToolCounts {
  calls: number
  success: number
  failure: number
}

/** Result of a prompt. */
export interface PromptReport extends KeptReport {
  name: string
  line: number
  /** `turns`, and the calls of all tools. */
  counts: { turns: number; calls: number; failures: number }
  tools: Record<string, ToolCounts>
  usage: TokenCount
  /** Number of answers that each extension changed before they ran, by its name; absent for none. */
  extensions?: Record<string, number>
  toolsets?: readonly string[] | undefined
  /** How the conversation ended; absent if it failed. */
  reason?: EndReason | undefined
  error?: { code: string; message: string; hint?: string | undefined }
  durationMs: number
}

export interface RanPrompt {
  report: PromptReport
  /** Its line of training data; absent if it failed. */
  trajectory?: string
  /** Set if the server refused the key: the prompt was not tried, and no other would succeed. */
  isKeyRefused?: true
}

/** What runs the prompts of a batch: this process, others of this machine, or, by a queue, other hosts. */
export interface BatchRunner {
  /** Prompts at a time. */
  concurrency: number
  /** Runs one; never rejects for what the model does. */
  run(prompt: BatchPrompt, settings: DecidingSettings): Promise<RunByWorker>
  close(): Promise<void>
}

/** What came of a prompt, and which worker of the runner ran it. */
export interface RunByWorker {
  /** From 1; 0 where none did. */
  worker: number
  ran: RanPrompt
  /** It was not run, for a reason that another start may not have: it counts as failed, and nothing is kept. */
  isUnrun?: boolean
  /** Called when its result is kept. */
  settled?: () => Promise<void>
}

/** A report of a prompt that has not been run. */
export function emptyPromptReport(
  { name, line, content }: { name: string; line: number; content: string },
): PromptReport {
  return {
    id: content, name, line, counts: { turns: 0, calls: 0, failures: 0 }, tools: {}, usage: { input: 0, output: 0 },
    drifted: false, durationMs: 0,
  }
}
