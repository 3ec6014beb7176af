import { runChatCalls, type ChatToolCall } from '../adapters/index.js'
import type { ActionResult } from '../../../0-contracts/src/index.js'
import { ask, type Retries } from './model/ask-model.js'
import type { ModelAnswer } from './model/answer-reader.js'
import { parametersOf } from './call-parameters.js'
import { CallTracker } from './call-tracker.js'
import type { LoopParts } from './loop-parts.js'
import type { AssistantMessage, MessageCall } from './messages.js'
import type { SessionRecord } from './session/sessions.js'
import type { TurnOutcome } from './turn-outcome.js'

/** Calls that run at once, at most. */
const MOST_AT_ONCE = 8

/** One answer by function calling, and its calls. */
export async function nativeTurn(parts: LoopParts, retries: Retries): Promise<TurnOutcome> {
  const answer = await ask(parts, retries)
  parts.conversation.add({ type: 'message', message: messageOf(answer) })
  const { text, calls, finish } = answer
  if (calls.length === 0) return { text, hasCalls: false, isCut: finish === 'length', finish }
  await runCalls(parts, calls, finish)
  return { text, hasCalls: true, isCut: false, finish }
}

function messageOf({ text, reasoning, calls }: ModelAnswer): AssistantMessage {
  return {
    role: 'assistant', content: calls.length > 0 && text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== '' && { reasoning }),
  }
}

/**
 * Runs calls and adds their answers to the conversation: neighbours that only read at once, others in order, as one
 * run.
 *
 * @param finish why the answer ended: its last call may be half of one
 */
export async function runCalls(parts: LoopParts, calls: readonly MessageCall[], finish: string): Promise<void> {
  const { conversation, emit, hermes, track, signal } = parts
  const tracker = new CallTracker(conversation, emit, true)
  const contents = new Map<string, string>()
  track(tracker)
  try {
    for (const group of await groupsOf(parts, calls)) {
      tracker.announce(group.calls.map(({ id, function: { name, arguments: args } }) => (
        { id, tool: name, parameters: parametersOf(args) }
      )))
      const runs = group.atOnce ? group.calls.map((call) => [call]) : [group.calls]
      await Promise.all(runs.map(async (run) => {
        const isLast = run.at(-1) === calls.at(-1)
        const message = { tool_calls: run as readonly ChatToolCall[] }
        const answers = await runChatCalls(hermes, { message, ...(isLast && { finish_reason: finish }) }, { signal })
        for (const { tool_call_id: id, content } of answers) contents.set(id, content)
      }))
      tracker.endRest((id) => resultOf(contents.get(id)))
    }
  } finally {
    track(undefined)
  }
  conversation.add(...calls.map(({ id }): SessionRecord => {
    const content = contents.get(id) ?? '{"success":false}'
    return { type: 'message', message: { role: 'tool', tool_call_id: id, content } }
  }))
}

interface Group {
  calls: MessageCall[]
  atOnce: boolean
}

async function groupsOf({ hermes }: LoopParts, calls: readonly MessageCall[]): Promise<Group[]> {
  const groups: Group[] = []
  for (const call of calls) {
    const atOnce = await onlyReads(hermes, call)
    const last = groups.at(-1)
    if (last && last.atOnce === atOnce && (!atOnce || last.calls.length < MOST_AT_ONCE)) last.calls.push(call)
    else groups.push({ calls: [call], atOnce })
  }
  return groups
}

/** What a verb says of itself decides. */
export async function onlyReads(hermes: LoopParts['hermes'], { function: { name } }: MessageCall): Promise<boolean> {
  const verb = name === '' ? undefined : await hermes.registry.load(name)
  return verb?.type === 'read'
}

function resultOf(content: string | undefined): Pick<ActionResult, 'success'> & Partial<ActionResult> {
  const answer = content === undefined ? {} : parametersOf(content)
  const text = (name: string) => (typeof answer[name] === 'string' ? { [name]: answer[name] } : {})
  return { success: answer['success'] === true, ...text('error'), ...text('code'), ...text('hint') }
}
