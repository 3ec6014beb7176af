import { isRecord } from '../../0-contracts/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { asText, contentText, listOf, partType, textOf } from './fields.js'
import type { Conversation } from './transcript-model.js'
import { chatMessages } from './openai.js'
import { recordedResult } from './recorded-results.js'
import { makeCall, TurnBuilder } from './turn-builder.js'

type Path = readonly (string | number)[]

/**
 * Reads messages of Vercel's AI SDK: for models (`content` with `tool-call` and `tool-result` parts) and for the UI
 * (`parts` with `tool-NAME`, `dynamic-tool` or `tool-invocation`; the older `toolInvocations`).
 */
export function readVercel(record: unknown): Conversation {
  const builder = new TurnBuilder()
  for (const { message, path, index } of chatMessages(record)) {
    if (!isRecord(message)) throw invalidTranscript(`Message ${index} is no object`)
    const { role, content, parts, toolInvocations } = message
    const own = Array.isArray(parts) ? { list: parts as unknown[], path: [...path, 'parts'] }
      : { list: listOf(content), path: [...path, 'content'] }
    if (role === 'system') builder.say('system', contentText(parts ?? content))
    else if (role === 'user') builder.say('user', contentText(parts ?? content), [...path, 'content'])
    else if (role === 'assistant') {
      builder.begin()
      if (typeof content === 'string' && !Array.isArray(parts)) builder.text(content)
      addParts(builder, own.list, own.path)
      if (!Array.isArray(parts)) addInvocations(builder, toolInvocations, [...path, 'toolInvocations'])
    } else if (role === 'tool') addParts(builder, own.list, own.path)
    else throw invalidTranscript(`Message ${index} has no role that is known`)
  }
  return { turns: builder.end(), tools: isRecord(record) ? record['tools'] : undefined }
}

/** A UI message contains several steps: what follows results is the next turn. */
function addParts(builder: TurnBuilder, parts: readonly unknown[], path: Path): void {
  let waiting: (() => void)[] = []
  const flush = (): void => {
    for (const give of waiting) give()
    waiting = []
  }
  for (const [index, part] of parts.entries()) {
    if (!isRecord(part)) continue
    const type = partType(part)
    if (type === 'text') {
      flush()
      builder.text(textOf(part['text']) ?? '')
    } else if (type === 'reasoning') {
      flush()
      builder.reason(asText(part['text'] ?? part['reasoning']))
    } else if (type === 'step-start') flush()
    else if (type === 'tool-call') builder.call(
      makeCall(nameIn(part), part['input'] ?? part['args'], textOf(part['toolCallId'])),
    )
    else if (type === 'tool-result') toolResult(builder, part, [...path, index])
    else if (type === 'tool-invocation') {
      const invocation = part['toolInvocation']
      if (isRecord(invocation)) {
        waiting.push(invoke(builder, invocation, nameIn(invocation), [...path, index, 'toolInvocation']))
      }
    } else if (type === 'dynamic-tool' || type.startsWith('tool-')) {
      const name = type === 'dynamic-tool' ? nameIn(part) : type.slice('tool-'.length)
      waiting.push(invoke(builder, part, name, [...path, index]))
    }
  }
  flush()
}

function addInvocations(builder: TurnBuilder, invocations: unknown, path: Path): void {
  const results = listOf(invocations).filter(isRecord)
    .map((part, index) => invoke(builder, part, nameIn(part), [...path, index]))
  for (const give of results) give()
}

/** Adds the call; returns a function that adds its result, which comes behind the calls of the same step. */
function invoke(builder: TurnBuilder, call: Record<string, unknown>, name: string, path: Path): () => void {
  const id = textOf(call['toolCallId'])
  builder.call(makeCall(name, call['input'] ?? call['args'], id))
  return () => {
    if (call['state'] === 'output-error') {
      builder.result(
        recordedResult(call['errorText'], { callId: id, isError: true, place: { path: [...path, 'errorText'] } }),
      )
      return
    }
    const key = 'output' in call ? 'output' : 'result'
    if (key in call) builder.result(recordedResult(call[key], { callId: id, place: { path: [...path, key] } }))
  }
}

/** The newer form has `output: {type, value}`, the older `result` and `isError`. */
function toolResult(builder: TurnBuilder, part: Record<string, unknown>, path: Path): void {
  const callId = textOf(part['toolCallId'])
  const { output } = part
  if (isRecord(output) && 'value' in output) {
    const value = output['type'] === 'content' ? contentText(output['value']) : output['value']
    const isError = partType(output).startsWith('error-') ? true : undefined
    builder.result(recordedResult(value, { callId, isError, place: { path: [...path, 'output', 'value'] } }))
    return
  }
  const isError = typeof part['isError'] === 'boolean' ? part['isError'] : undefined
  const key = 'result' in part ? 'result' : 'output'
  builder.result(recordedResult(part['result'] ?? output, { callId, isError, place: { path: [...path, key] } }))
}

function nameIn(part: Record<string, unknown>): string {
  const name = textOf(part['toolName'])
  if (name === undefined) throw invalidTranscript("A tool part has no 'toolName'")
  return name
}
