import { realpathSync } from 'node:fs'
import type { AnyVerb } from '../../../../0-contracts/src/index.js'
import { configuredTool, configuredTools } from '../../../../5-executor/src/index.js'
import { interruptible } from '../../io/interrupt.js'
import { tellProblem } from '../../setup/all-verbs.js'

/** The tools of the configured MCP servers; those that cannot be started are told on standard error. */
export async function listMcpTools(): Promise<AnyVerb[]> {
  const interrupt = interruptible()
  const { verbs, problems } = await interrupt.during(() => configuredTools(here(), interrupt.signal))
  problems.forEach(tellProblem)
  return verbs
}

/** One of them. */
export async function loadMcpTool(name: string): Promise<AnyVerb> {
  const interrupt = interruptible()
  return interrupt.during(() => configuredTool(name, here(), interrupt.signal))
}

function here(): string {
  return realpathSync.native(process.cwd())
}
