import { isRecord } from '../../0-contracts/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { asText, contentText, listOf, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { recordedResult } from './recorded-results.js'
import { commandId, itemPart } from './response/index.js'
import { makeCall, TurnBuilder } from './turn-builder.js'

interface PlacedItem {
  item: unknown
  path: readonly (string | number)[]
}

/** Reads items of OpenAI's Responses: `input` and `output`, or only items; also the payloads of a Codex session. */
export function readResponses(record: unknown): Conversation {
  const builder = new TurnBuilder()
  if (isRecord(record) && typeof record['instructions'] === 'string') builder.say('system', record['instructions'])
  for (const { item, path } of itemsOf(record)) {
    if (!isRecord(item)) throw invalidTranscript('An item is no object')
    addItem(builder, item, path)
  }
  return { turns: builder.end(), tools: isRecord(record) ? record['tools'] : undefined }
}

function itemsOf(record: unknown): PlacedItem[] {
  const placed = (list: unknown, key: readonly string[]): PlacedItem[] => (
    listOf(list).map((item, index) => ({ item, path: [...key, index] }))
  )
  if (Array.isArray(record)) return placed(record, [])
  if (!isRecord(record)) throw invalidTranscript('The record is no object')
  const items = [
    ...placed(record['items'], ['items']), ...placed(record['input'], ['input']),
    ...placed(record['output'], ['output']),
  ]
  // A single input may be a string.
  const { input } = record
  return typeof input === 'string' ? [{ item: { role: 'user', content: input }, path: [] }, ...items] : items
}

function addItem(builder: TurnBuilder, item: Record<string, unknown>, path: readonly (string | number)[]): void {
  const id = textOf(item['call_id']) ?? textOf(item['id'])
  switch (textOf(item['type']) ?? 'message') {
    case 'message':
      message(builder, item)
      return
    // For these two, Codex' mapping knows the arguments and compares results.
    case 'custom_tool_call':
      builder.call(makeCall(nameOf(item), { input: item['input'] }, id))
      return
    case 'local_shell_call':
      builder.call(makeCall('local_shell', item['action'], id))
      return
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const output = Array.isArray(item['output']) ? contentText(item['output']) : item['output']
      builder.result(recordedResult(output, { callId: textOf(item['call_id']), place: { path: [...path, 'output'] } }))
      return
    }
    case 'apply_patch_call_output':
      builder.result(recordedResult(item['output'], {
        callId: textOf(item['call_id']), isError: item['status'] === 'failed' ? true : undefined,
        place: { path: [...path, 'output'] },
      }))
      return
    case 'shell_call_output':
      shellOutputs(builder, listOf(item['output']), textOf(item['call_id']))
      return
    default:
      builder.parts(itemPart(item, textOf(item['type']) ?? '', id))
  }
}

/** Adds the results of a call with several commands, one each. */
function shellOutputs(builder: TurnBuilder, outputs: readonly unknown[], id: string | undefined): void {
  for (const [index, output] of outputs.entries()) {
    const { stdout, stderr, outcome } = isRecord(output) ? output : {}
    const code = isRecord(outcome) ? outcome['exit_code'] : undefined
    builder.result(recordedResult(`${asText(stdout)}${asText(stderr)}`, {
      callId: commandId(id, index, outputs.length), ...(typeof code === 'number' && { isError: code !== 0 }),
    }))
  }
}

function message(builder: TurnBuilder, item: Record<string, unknown>): void {
  const role = textOf(item['role'])
  const text = contentText(item['content'])
  if (role === 'assistant' || role === 'user') builder.say(role, text)
  else if (role === 'system' || role === 'developer') builder.say('system', text)
  else throw invalidTranscript(
    `A message has the role '${asText(role).slice(0, 40)}'`, 'Known are system, developer, user and assistant.',
  )
}

function nameOf(item: Record<string, unknown>): string {
  const name = textOf(item['name'])
  if (name === undefined) throw invalidTranscript('A custom tool call has no name')
  return name
}
