import { isRecord } from '../../0-contracts/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { contentText, listOf, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { contentPath } from './openai.js'
import { recordedResult } from './recorded-results.js'
import { chatParts } from './response/index.js'
import { makeCall, TurnBuilder } from './turns.js'

/** Commands of SWE-agent's own interface; anything else in an action is for the shell. */
const COMMANDS = new Set([
  'open', 'goto', 'scroll_up', 'scroll_down', 'create', 'edit', 'insert', 'append', 'undo_edit', 'search_dir',
  'search_file', 'find_file', 'submit', 'exit_cost', 'exit_context', 'exit_format', 'skip', 'str_replace_editor',
])

/**
 * `history` of a trajectory: with function calls, or with one action in each answer. Such an action becomes a call of
 * the command it begins with (`{input}`: all of it) or of `bash` (`{command}`). The text itself is read for blocks as
 * well.
 */
export function readSweAgent(record: unknown): Conversation {
  if (!isRecord(record)) throw invalidTranscript('The record is no object')
  const builder = new TurnBuilder()
  if (Array.isArray(record['history'])) history(builder, record['history'] as unknown[])
  else if (Array.isArray(record['trajectory'])) trajectory(builder, record['trajectory'] as unknown[])
  else throw invalidTranscript("There is no list 'history' and no list 'trajectory'")
  return { turns: builder.end() }
}

function history(builder: TurnBuilder, entries: readonly unknown[]): void {
  /** The last answer had a call, which the next message of the user answers. */
  let isOpen = false
  for (const [index, entry] of entries.entries()) {
    if (!isRecord(entry)) throw invalidTranscript(`Entry ${index + 1} of the history is no object`)
    const { role, content } = entry
    const text = contentText(content)
    const path = contentPath(content, ['history', index])
    if (entry['is_demo'] === true) continue
    if (role === 'system') builder.say('system', text)
    else if (role === 'assistant') isOpen = assistant(builder, entry, text)
    else if (role === 'tool' || (role === 'user' && isOpen)) {
      const callId = textOf(listOf(entry['tool_call_ids'])[0]) ?? textOf(entry['tool_call_id'])
      builder.result(recordedResult(text, { callId, place: { path } }))
      isOpen = false
    } else if (role === 'user') builder.say('user', text, path)
    else throw invalidTranscript(`Entry ${index + 1} of the history has no role that is known`)
  }
}

function assistant(builder: TurnBuilder, entry: Record<string, unknown>, text: string): boolean {
  builder.begin()
  builder.text(text)
  const calls = listOf(entry['tool_calls'])
  builder.parts(chatParts({ tool_calls: calls }))
  const action = textOf(entry['action'])?.trim() ?? ''
  if (calls.length === 0 && action !== '') builder.call(actionCall(action))
  return calls.length > 0 || action !== ''
}

function trajectory(builder: TurnBuilder, steps: readonly unknown[]): void {
  for (const [index, step] of steps.entries()) {
    if (!isRecord(step)) throw invalidTranscript(`Step ${index + 1} of the trajectory is no object`)
    const action = textOf(step['action'])?.trim() ?? ''
    builder.begin()
    builder.text(textOf(step['response']) ?? textOf(step['thought']) ?? '')
    if (action === '') continue
    builder.call(actionCall(action))
    if (typeof step['observation'] === 'string') {
      builder.result(recordedResult(step['observation'], { place: { path: ['trajectory', index, 'observation'] } }))
    }
  }
}

function actionCall(action: string) {
  const [word = ''] = action.split(/\s/, 1)
  return COMMANDS.has(word) ? makeCall(word, { input: action }) : makeCall('bash', { command: action })
}
