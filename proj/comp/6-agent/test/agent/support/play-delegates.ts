import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { processMark } from '../../../../2-processes/src/index.js'
import type { AgentOptions } from '../../../src/agent/index.js'
import type { ModelRequest } from './model-server.js'
import type { ScriptedAnswer } from './script.js'
import type { PlayingAgent, useAgents } from './use-agents.js'

/** What is answered to a delegate's request, by its number from 0. */
export type DelegatePlay = (index: number, request: ModelRequest) => ScriptedAnswer | undefined

/** Whether a request is one of a delegate. */
export function isOfDelegate({ messages }: ModelRequest): boolean {
  return messages[0]?.content?.includes('You are a delegate') === true
}

export function taskOf({ messages }: ModelRequest): string {
  return messages.find(({ role }) => role === 'user')?.content ?? ''
}

/**
 * An agent that gets these answers, and whose delegates get those of their task: its first word names the play.
 */
export function agentWithDelegates(
  { server, agentFor }: ReturnType<typeof useAgents>, own: readonly (ScriptedAnswer | DelegatePlay)[],
  plays: Record<string, readonly (ScriptedAnswer | DelegatePlay)[]>, options: Partial<AgentOptions> = {},
): PlayingAgent & {
  /** Requests of the agent itself, and of delegates by their plays. */
  requests: (play?: string) => ModelRequest[]
} {
  const playing = agentFor([], options)
  const { model } = playing
  const counts = new Map<string, number>()
  const playOf = (request: ModelRequest): string => (
    isOfDelegate(request) ? /^[\w-]+/.exec(taskOf(request))?.[0] ?? '' : ''
  )
  server.improvise(model, (request) => {
    const play = playOf(request)
    const index = counts.get(play) ?? 0
    counts.set(play, index + 1)
    const answer = (play === '' ? own : plays[play])?.[index]
    return typeof answer === 'function' ? answer(index, request) : answer
  })
  return { ...playing, requests: (play = '') => server.requests(model).filter((one) => playOf(one) === play) }
}

/** What the agent was told of its calls, by their order. */
export function toldOf(request: ModelRequest | undefined): Record<string, unknown>[] {
  return (request?.messages ?? []).filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content ?? '{}') as Record<string, unknown>)
}

/** Copies of this process that are there. */
export function copiesLeft(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`hermes-delegate-${processMark()}`))
}

