import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { isRecord, parseJson } from '../../0-contracts/src/index.js'
import { saidByUser, type Message } from '../../6-agent/src/index.js'
import { subjectOf } from '../../1-reports/src/index.js'
import { callTitle } from '../../2-terminal/src/index.js'
import { clip, fenced } from '../../0-text/src/index.js'
import { callLocations, textContent } from './call-content.js'
import { chunk } from './turn-view.js'

/** Of what a call gave, as the model was told it. */
const MOST_RESULT = 8000

/** A kept conversation as the updates that would have told of it. @param newId gives each call an id */
export function keptUpdates(messages: readonly Message[], root: string, newId: () => string): SessionUpdate[] {
  const ids = new Map<string, string>()
  return messages.flatMap((message): SessionUpdate[] => {
    const said = saidByUser(message)
    if (said !== undefined) return [chunk('user_message_chunk', said)]
    if (message.role === 'assistant') {
      const { content, reasoning, tool_calls: calls = [] } = message
      return [
        ...(reasoning === undefined ? [] : [chunk('agent_thought_chunk', reasoning)]),
        ...(content === null || content === '' ? [] : [chunk('agent_message_chunk', content)]),
        ...calls.map(({ id, function: { name, arguments: written } }): SessionUpdate => {
          ids.set(id, newId())
          const given = parseJson(written)
          const parameters = isRecord(given) ? given : {}
          return {
            sessionUpdate: 'tool_call', toolCallId: ids.get(id) ?? id, status: 'in_progress', kind: 'other',
            title: callTitle(name, subjectOf(parameters, [root])), locations: callLocations(parameters, root),
          }
        }),
      ]
    }
    if (message.role !== 'tool') return []
    const toolCallId = ids.get(message.tool_call_id)
    return toolCallId === undefined ? [] : [{
      sessionUpdate: 'tool_call_update', toolCallId, status: 'completed',
      content: [textContent(fenced(clip(message.content, MOST_RESULT)))],
    }]
  })
}
