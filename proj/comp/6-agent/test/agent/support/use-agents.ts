import { tempDir } from '../../../../../test/support/temp-dir.js'
import { Agent, type AgentEvent, type AgentOptions } from '../../../src/agent/index.js'
import type { ModelServer } from './model-server.js'
import type { ScriptedAnswer } from './script.js'
import { useModelServer } from './use-model-server.js'

export interface PlayingAgent {
  agent: Agent
  model: string
  root: string
}

/** A model server for the tests of a file, and agents that get scripted answers of it. */
export function useAgents(): {
  server: ModelServer
  agentFor: (answers: readonly ScriptedAnswer[], options?: Partial<AgentOptions>) => PlayingAgent
} {
  const server = useModelServer()
  let plays = 0
  const agentFor = (answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}): PlayingAgent => {
    const model = `play-${++plays}`
    const root = options.root ?? tempDir()
    server.play(model, answers)
    const agent = new Agent({
      model, baseURL: server.url, root, policy: false, sandbox: 'none', gitCommit: false, quiet: true,
      maxRetryWaitMs: 20, ...options,
    })
    return { agent, model, root }
  }
  return { server, agentFor }
}

export async function eventsOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
