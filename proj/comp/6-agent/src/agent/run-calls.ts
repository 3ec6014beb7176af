import { runChatCalls, type ChatToolCall } from '../adapters/index.js'
import type { ActionResult, AnyVerb } from '../../../0-contracts/src/index.js'
import { parametersOf } from './call-parameters.js'
import { CallTracker } from './call-tracker.js'
import type { LoopParts } from './loop-parts.js'
import type { MessageCall } from './messages.js'
import type { SessionRecord } from './session/sessions.js'

/** Most calls that run concurrently. */
const MOST_AT_ONCE = 8

/**
 * Runs calls and adds their answers to the conversation: consecutive read-only calls and delegates concurrently, others
 * in order, as one run.
 *
 * @param finish why the answer ended: its last call may be incomplete
 * @param note for the model, added to the last answer
 */
export async function runCalls(
  parts: LoopParts, calls: readonly MessageCall[], finish: string, note?: string,
): Promise<void> {
  const { conversation, emit, hermes, track, signal, options: { callTokens } } = parts
  const tracker = new CallTracker(conversation, emit, true, parts.options.changeTexts)
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
        const choice = { message, ...(isLast && { finish_reason: finish }) }
        const answers = await runChatCalls(hermes, choice, { signal, callTokens })
        for (const { tool_call_id: id, content } of answers) contents.set(id, content)
      }))
      tracker.endRest((id) => resultOf(contents.get(id)))
    }
  } finally {
    track(undefined)
  }
  const loops = await parts.repeats.add(tracker.endedCalls, async (name) => hermes.registry.load(name))
  conversation.add(...calls.map(({ id }, index): SessionRecord => {
    const notes = [loops.get(id), index === calls.length - 1 ? note : undefined].filter((value) => value !== undefined)
    const content = notes.reduce(withNote, contents.get(id) ?? '{"success":false}')
    return { type: 'message', message: { role: 'tool', tool_call_id: id, content } }
  }))
}

async function groupsOf({ hermes }: LoopParts, calls: readonly MessageCall[]) {
  const groups: { calls: MessageCall[]; atOnce: boolean }[] = []
  for (const call of calls) {
    const atOnce = await runsAtOnce(hermes, call)
    const last = groups.at(-1)
    if (last && last.atOnce === atOnce && (!atOnce || last.calls.length < MOST_AT_ONCE)) last.calls.push(call)
    else groups.push({ calls: [call], atOnce })
  }
  return groups
}

/** Whether a call's verb declares that it only reads. */
export async function onlyReads(hermes: LoopParts['hermes'], call: MessageCall): Promise<boolean> {
  return (await verbOf(hermes, call))?.type === 'read'
}

/** Whether a call may run concurrently: delegates change nothing here, since each works on its own. */
async function runsAtOnce(hermes: LoopParts['hermes'], call: MessageCall): Promise<boolean> {
  const verb = await verbOf(hermes, call)
  return verb?.type === 'read' || (verb?.category === 'delegate' && verb.type === 'meta')
}

async function verbOf(
  hermes: LoopParts['hermes'], { function: { name } }: MessageCall,
): Promise<AnyVerb | undefined> {
  return name === '' ? undefined : hermes.registry.load(name)
}

function withNote(content: string, note: string): string {
  const answer = parametersOf(content)
  return JSON.stringify({ ...answer, hint: typeof answer['hint'] === 'string' ? `${answer['hint']}\n${note}` : note })
}

function resultOf(content: string | undefined): Pick<ActionResult, 'success'> & Partial<ActionResult> {
  const answer = content === undefined ? {} : parametersOf(content)
  const text = (name: string) => (typeof answer[name] === 'string' ? { [name]: answer[name] } : {})
  return { success: answer['success'] === true, ...text('error'), ...text('code'), ...text('hint') }
}
