import type { AgentOptions, EndReason, TokenCount } from '../../../6-agent/src/index.js'
import type { DecidingSettings, KeptReport, ToolsetDraw, WorkspaceSource } from '../../../6-replay/src/index.js'

/** How prompts are run. */
export interface BatchPlan {
  agent: Omit<AgentOptions, 'root' | 'sessions' | 'saveTrajectories'>
  /** Each prompt works in a copy of its own. */
  workspace: WorkspaceSource
  /** Draws the toolsets of each prompt that names none. */
  toolsetDraw?: ToolsetDraw | undefined
  /** What else decides what comes of a prompt, by name. */
  decides: DecidingSettings
}

/** How often a tool was called. */
export interface ToolCounts {
  calls: number
  success: number
  failure: number
}

/** What came of a prompt. */
export interface PromptReport extends KeptReport {
  name: string
  line: number
  /** `turns`, and calls of all tools. */
  counts: { turns: number; calls: number; failures: number }
  tools: Record<string, ToolCounts>
  usage: TokenCount
  /** How many answers each extension changed before they ran, by its name; absent where none did. */
  extensions?: Record<string, number>
  toolsets?: readonly string[]
  /** How the conversation ended; absent where it failed. */
  reason?: EndReason
  error?: { code: string; message: string; hint?: string }
  durationMs: number
}

export interface RanPrompt {
  report: PromptReport
  /** Its line of training data; absent where it failed. */
  trajectory?: string
  /** The server refused the key: nothing was found out about the prompt, nor would be about any other. */
  isKeyRefused?: true
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
