import { isRecord } from '../../0-contracts/src/index.js'
import { parse } from '../../1-reading/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { contentText, listOf, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { contentPath } from './openai.js'
import { recordedResult } from './recorded-results.js'
import { chatParts } from './response/index.js'
import { makeCall, TurnBuilder } from './turn-builder.js'

/** Commands of SWE-agent's own interface; other actions are for the shell. */
const COMMANDS = new Set([
  'open', 'goto', 'scroll_up', 'scroll_down', 'create', 'edit', 'insert', 'append', 'undo_edit', 'search_dir',
  'search_file', 'find_file', 'submit', 'exit_cost', 'exit_context', 'exit_format', 'skip', 'str_replace_editor',
])

/**
 * Reads the `history` of a trajectory, with function calls or one action in each answer. Such an action becomes a call
 * of the command it begins with (`{input}`: all of it) or of `bash` (`{command}`); the text itself is also read for
 * blocks. Also reads `messages` of mini-swe-agent, with the one command of each answer, or the recorded actions.
 */
export function readSweAgent(record: unknown): Conversation {
  if (!isRecord(record)) throw invalidTranscript('The record is no object')
  const builder = new TurnBuilder()
  if (Array.isArray(record['history'])) history(builder, record['history'] as unknown[], 'history')
  else if (Array.isArray(record['trajectory'])) trajectory(builder, record['trajectory'] as unknown[])
  else if (Array.isArray(record['messages'])) return mini(builder, record, record['messages'] as unknown[])
  else throw invalidTranscript("There is no list 'history', 'trajectory' or 'messages'")
  return { turns: builder.end() }
}

/** Whether a record is a trajectory of mini-swe-agent. */
export function isMiniTrajectory({ trajectory_format: format, info }: Record<string, unknown>): boolean {
  return textOf(format)?.startsWith('mini-swe-agent') === true || (isRecord(info) && 'mini_version' in info)
}

/** The submission becomes a last message of the user. */
function mini(
  builder: TurnBuilder, { info, tools }: Record<string, unknown>, messages: readonly unknown[],
): Conversation {
  const isSubmitted = isRecord(info) && info['exit_status'] === 'Submitted'
  const last = messages.at(-1)
  const isEnd = isSubmitted && isRecord(last) && last['role'] === 'user'
  history(builder, isEnd ? messages.slice(0, -1) : messages, 'messages')
  const { config } = isRecord(info) ? info : {}
  const { environment } = isRecord(config) ? config : {}
  const root = isRecord(environment) ? textOf(environment['cwd']) : undefined
  return {
    turns: builder.end(), ...(tools !== undefined && { tools }), ...(root?.startsWith('/') === true && { root }),
  }
}

function history(builder: TurnBuilder, entries: readonly unknown[], key: 'history' | 'messages'): void {
  /** Number of calls of the last answer that still await results. */
  let open = 0
  for (const [index, entry] of entries.entries()) {
    if (!isRecord(entry)) throw invalidTranscript(`Entry ${index + 1} of '${key}' is no object`)
    const { role, content } = entry
    const text = contentText(content)
    const path = contentPath(content, [key, index])
    if (entry['is_demo'] === true) continue
    if (role === 'system') builder.say('system', text)
    else if (role === 'assistant') {
      const count = assistant(builder, entry, text, key === 'messages')
      open = key === 'messages' ? count : Math.min(count, 1)
    } else if (role === 'tool' || (role === 'user' && open > 0)) {
      const callId = textOf(listOf(entry['tool_call_ids'])[0]) ?? textOf(entry['tool_call_id'])
      builder.result(recordedResult(text, { callId, place: { path } }))
      open--
    } else if (role === 'user') builder.say('user', text, path)
    else if (role === 'exit') continue
    else throw invalidTranscript(`Entry ${index + 1} of '${key}' has no role that is known`)
  }
}

/** @returns number of its calls */
function assistant(builder: TurnBuilder, entry: Record<string, unknown>, text: string, isMini: boolean): number {
  builder.begin()
  builder.text(text)
  const calls = listOf(entry['tool_calls'])
  builder.parts(chatParts({ tool_calls: calls }))
  if (calls.length > 0) return calls.length
  const action = textOf(entry['action'])?.trim() ?? ''
  const actions = isMini ? miniActions(entry, text) : action === '' ? [] : [action]
  for (const each of actions) builder.call(isMini ? makeCall('bash', { command: each }) : actionCall(each))
  return actions.length
}

/** The recorded actions, or else those in the text. */
function miniActions({ extra }: Record<string, unknown>, text: string): string[] {
  const taken = isRecord(extra) ? listOf(extra['actions']) : []
  if (taken.length > 0) return taken.flatMap((each) => (isRecord(each) ? textOf(each['command']) ?? [] : []))
  return parse(text, { editFormats: ['mini-swe-agent'] }).blocks.flatMap(({ dialect, params }) => (
    dialect === 'mini-swe-agent' ? textOf(params['code'])?.trim() ?? [] : []
  ))
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
