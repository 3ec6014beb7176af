import { isRecord } from '../../0-contracts/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { asText, jsonOr, listOf, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { recordedResult, responseSections } from './recorded-results.js'
import { makeCall, TurnBuilder } from './turn-builder.js'

const USER = new Set(['human', 'user'])
const ASSISTANT = new Set(['gpt', 'assistant', 'chatgpt', 'model', 'bot', 'bard', 'claude'])
const CALLS = new Set(['function_call', 'function-call', 'tool_call'])
const RESULTS = new Set(['tool', 'observation', 'function_response', 'function-response', 'tool_response'])

/**
 * Reads `{"conversations": [{"from", "value"}]}`, with `<tool_call>` and `<tool_response>` in the values, or with turns
 * `function_call` and `observation`.
 */
export function readShareGpt(record: unknown): Conversation {
  const [key, turns] = conversationOf(record)
  const builder = new TurnBuilder()
  for (const [index, turn] of turns.entries()) {
    const path = [...key, index, 'value']
    const from = isRecord(turn) ? textOf(turn['from']) ?? textOf(turn['role']) : undefined
    if (!isRecord(turn) || from === undefined) throw invalidTranscript(`Turn ${index + 1} has no 'from'`)
    const value = turn['value'] ?? turn['content']
    if (from === 'system') builder.say('system', asText(value))
    else if (USER.has(from)) builder.say('user', asText(value), path)
    else if (ASSISTANT.has(from)) assistant(builder, turn, asText(value))
    else if (CALLS.has(from)) calls(builder, asText(value), index)
    else if (RESULTS.has(from)) {
      const sections = responseSections(asText(value), path)
      for (const result of sections ?? [recordedResult(value, { place: { path } })]) builder.result(result)
    } else throw invalidTranscript(`Turn ${index + 1} is from '${from.slice(0, 40)}', which is nobody`, KNOWN)
  }
  return { turns: builder.end(), tools: isRecord(record) ? record['tools'] : undefined }
}

const KNOWN = 'Known are system, human, gpt, tool, function_call and observation.'

function conversationOf(record: unknown): [(string | number)[], readonly unknown[]] {
  if (Array.isArray(record)) return [[], record as unknown[]]
  for (const name of ['conversations', 'conversation']) {
    if (isRecord(record) && Array.isArray(record[name])) return [[name], listOf(record[name])]
  }
  throw invalidTranscript("There is no list 'conversations'")
}

function assistant(builder: TurnBuilder, turn: Record<string, unknown>, value: string): void {
  builder.begin()
  builder.reason(asText(turn['reasoning'] ?? turn['reasoning_content']))
  builder.text(value)
}

/** Adds one call, or a list of them, from JSON. */
function calls(builder: TurnBuilder, text: string, index: number): void {
  const written = jsonOr(text)
  for (const call of Array.isArray(written) ? written as unknown[] : [written]) {
    const name = isRecord(call) ? textOf(call['name']) : undefined
    if (!isRecord(call) || name === undefined) {
      throw invalidTranscript(`Turn ${index + 1} is a call, but no JSON object with a 'name'`)
    }
    builder.call(makeCall(name, call['arguments'] ?? call['parameters'], textOf(call['id'])))
  }
}
