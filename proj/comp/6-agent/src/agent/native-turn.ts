import { parseCalls } from '../../../1-reading/src/index.js'
import { createRunId } from '../../../3-transaction/src/index.js'
import { isDeepStrictEqual } from 'node:util'
import { addResults } from './blocks-turn.js'
import { parametersOf } from './call-parameters.js'
import { CallTracker } from './call-tracker.js'
import type { LoopParts, TurnOutcome } from './loop-parts.js'
import type { AssistantMessage } from './messages.js'
import type { ModelAnswer } from './model/wire/answer-pieces.js'
import { ask, type Retries } from './model/ask-model.js'
import { runCalls } from './run-calls.js'

/** Runs one turn by function calling: the calls that the server found, else those that it left in the text. */
export async function nativeTurn(parts: LoopParts, retries: Retries): Promise<TurnOutcome> {
  const answer = await heard(parts, retries)
  const { text, calls, finish } = answer
  const message = messageOf(answer, parts)
  if (calls.length === 0) {
    const hasCalls = await runLeaked(parts, answer, message)
    if (!hasCalls) parts.conversation.add({ type: 'message', message })
    return { text, hasCalls, isCut: !hasCalls && finish === 'length', finish }
  }
  parts.conversation.add({ type: 'message', message })
  const beside = leakedBeside(answer)
  if (beside !== undefined) parts.emit({ type: 'notice', text: beside })
  await runCalls(parts, calls, finish, beside)
  return { text, hasCalls: true, isCut: false, finish }
}

/** Asks for an answer; if the user stops it, the received part stays in the conversation. */
async function heard(parts: LoopParts, retries: Retries): Promise<ModelAnswer> {
  const { conversation, emit, signal } = parts
  let [text, reasoning] = ['', '']
  const listening: LoopParts['emit'] = (event) => {
    emit(event)
    if (event.type === 'text') text += event.text
    else if (event.type === 'reasoning') reasoning += event.text
    // The answer starts anew.
    else if (event.type === 'retry') [text, reasoning] = ['', '']
  }
  try {
    return await ask({ ...parts, emit: listening }, retries)
  } catch (error) {
    if (signal.aborted && text !== '') conversation.interrupt({ text, reasoning })
    throw error
  }
}

function messageOf(
  { text, reasoning, calls, thoughts }: ModelAnswer, { client, model }: LoopParts,
): AssistantMessage {
  return {
    role: 'assistant', content: calls.length > 0 && text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning !== '' && { reasoning }),
    ...(thoughts && { thoughts: { api: client.api, model, parts: thoughts } }),
  }
}

/**
 * Runs calls that the server left in the text, and adds the answer with their results.
 *
 * @returns whether there are any
 */
async function runLeaked(
  parts: LoopParts, { text, reasoning, written, finish }: ModelAnswer, message: AssistantMessage,
): Promise<boolean> {
  const { blocks, errors } = parseCalls(written)
  if (blocks.length === 0 && errors.length === 0) return false
  const { conversation, emit, hermes, track, signal } = parts
  const tracker = new CallTracker(conversation, emit, false, parts.options.changeTexts)
  tracker.heard({ type: 'text', text })
  tracker.heard({ type: 'reasoning', text: reasoning })
  track(tracker)
  try {
    const runId = createRunId()
    const result = await hermes.executeCalls(written, { signal, runId })
    const { endedCalls: ended } = tracker
    await addResults(parts, message, {
      result, runId, ended, interruption: finish === 'length' ? 'length' : undefined,
    })
  } finally {
    track(undefined)
  }
  return true
}

/**
 * A note on calls in the text besides those that the server found; some servers leave the same calls in the text too.
 */
function leakedBeside({ written, calls }: ModelAnswer): string | undefined {
  const { blocks, errors } = parseCalls(written)
  const native = calls.map(({ function: { name, arguments: args } }) => ({ name, params: parametersOf(args) }))
  const left = blocks.filter(({ action, params }) => (
    !native.some((call) => call.name === action && isDeepStrictEqual(call.params, params))
  ))
  const names = [...left.map(({ action }) => action), ...errors.map(({ startLine }) => `the one in line ${startLine}`)]
  if (names.length === 0) return undefined
  return `Calls in the text beside function calls did not run: ${names.join(', ')}. Send them as function calls.`
}
