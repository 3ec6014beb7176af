import { isRecord } from '../../../0-contracts/src/index.js'
import { asText, contentText, listOf, textOf } from '../fields.js'
import { readOpenAi } from '../openai.js'
import { recordedResult } from '../recorded-results.js'
import type { Conversation, RecordedCall } from '../transcript-model.js'
import { makeCall, TurnBuilder } from '../turn-builder.js'

type Fields = Record<string, unknown>

const RESULT = /^EXECUTION RESULT of \[[\w.-]+\]:\n?/
/** Actions that concern no files, but only the session itself. */
const QUIET = new Set([
  'null', 'recall', 'condensation', 'condensation_request', 'change_agent_state', 'start', 'stop', 'pause', 'resume',
])
const NAMES: Readonly<Record<string, string>> = {
  run_ipython: 'execute_ipython_cell', browse: 'browser', browse_interactive: 'browser',
}

/** Whether a value is an action or observation of an OpenHands event stream. */
export function isOpenHandsEvent(value: unknown): value is Fields {
  if (!isRecord(value)) return false
  return (typeof value['action'] === 'string' && isRecord(value['args']))
    || (typeof value['observation'] === 'string' && 'content' in value && isRecord(value['extras']))
}

/** Whether OpenHands passes results back as texts in these messages. */
export function isOpenHandsHistory(messages: readonly unknown[]): boolean {
  return messages.some((message) => isRecord(message) && message['role'] === 'user'
    && RESULT.test(contentText(message['content'])))
}

/**
 * Reads a conversation of OpenHands: its event stream (a list, or `history` or `trajectory`, also as pairs), or
 * messages whose texts contain calls as `<function=…>`. Source: All-Hands-AI/OpenHands, `openhands/events` and
 * `openhands/llm/fn_call_converter.py`.
 */
export function readOpenHands(record: unknown): Conversation {
  const list = isRecord(record) ? record['history'] ?? record['trajectory'] : record
  const events = listOf(list).flat().filter(isOpenHandsEvent)
  const settings = { mapping: 'openhands' } as const
  return events.length === 0 ? { ...readOpenAi(record, resultIn), settings } : { turns: turnsOf(events), settings }
}

function resultIn(text: string): string | undefined {
  const [head] = RESULT.exec(text) ?? []
  return head === undefined ? undefined : text.slice(head.length)
}

function turnsOf(events: readonly Fields[]): Conversation['turns'] {
  const builder = new TurnBuilder()
  const asked = new Set<string>()
  let response: unknown
  for (const event of events) {
    const { action, observation, source } = event
    const args = isRecord(event['args']) ? event['args'] : {}
    if (typeof observation === 'string') {
      const cause = idOf(event['cause'])
      if (cause !== undefined && asked.has(cause)) builder.result(resultOf(event, observation, cause))
    } else if (action === 'system') builder.say('system', asText(args['content']))
    else if (action === 'message' && source !== 'agent') builder.say('user', asText(args['content']))
    else if (source === 'agent' && typeof action === 'string' && !QUIET.has(action)) {
      // Calls of one response are one turn.
      const from = responseOf(event)
      if (from === undefined || from !== response) builder.begin()
      response = from
      if (action === 'message') builder.text(asText(args['content']))
      else {
        const { thought } = args
        builder.reason(asText(isRecord(thought) ? thought['text'] : thought))
        const id = idOf(event['id'])
        if (id !== undefined) asked.add(id)
        builder.call(callOf(action, args, id))
      }
    }
  }
  return builder.end()
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

function responseOf({ tool_call_metadata: metadata }: Fields): unknown {
  const response = isRecord(metadata) ? metadata['model_response'] : undefined
  return isRecord(response) ? response['id'] : undefined
}

/** The tool call that caused an action; an action without one becomes a call by its own name, which no rule maps. */
function callOf(action: string, args: Fields, id: string | undefined): RecordedCall {
  const call = (name: string, fields: Fields): RecordedCall => makeCall(name, given(fields), id)
  const { path, content, command, view_range } = args
  const isWhole = (args['start'] ?? 0) === 0 && (args['end'] ?? -1) === -1
  if (action === 'run') return call('execute_bash', { command, is_input: args['is_input'] === true ? true : undefined })
  if (action === 'read') {
    // `start` is 0-based, `end` is the last line, inclusive.
    const { start, end } = args
    const range = isWhole ? undefined : [typeof start === 'number' ? start + 1 : 1, end ?? -1]
    return call('str_replace_editor', { command: 'view', path, view_range: view_range ?? range })
  }
  if (action === 'write' && isWhole) return call('str_replace_editor', { command: 'create', path, file_text: content })
  if (action === 'edit' && textOf(command)) {
    const { file_text, old_str, new_str, insert_line } = args
    return call('str_replace_editor', { command, path, file_text, old_str, new_str, insert_line })
  }
  if (action === 'edit') return call('edit_file', { path, content })
  if (action === 'call_tool_mcp') return makeCall(asText(args['name']), args['arguments'], id)
  const { thought: _, ...rest } = args
  return makeCall(NAMES[action] ?? action, rest, id)
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
}

function resultOf({ content, extras }: Fields, observation: string, callId: string) {
  const { metadata, exit_code: older } = isRecord(extras) ? extras : {}
  const code = isRecord(metadata) ? metadata['exit_code'] : older
  const isError = observation === 'error' || observation === 'user_rejected' ? true
    : observation === 'run' && typeof code === 'number' ? code !== 0 : undefined
  return recordedResult(content, { callId, isError })
}
