import { isRecord, type ModelResponse, type ResponsePart } from '../../0-contracts/src/index.js'
import { asText, contentText, listOf, textOf } from './fields.js'
import { recordedResult } from './recorded-results.js'
import { bedrockParts, geminiParts, langChainMessage, langChainParts } from './response/index.js'
import { invalidTranscript } from './transcript-failure.js'
import type { Conversation } from './transcript-model.js'
import { TurnBuilder } from './turn-builder.js'

function addAnswer(builder: TurnBuilder, parts: readonly ResponsePart[]): void {
  builder.begin()
  builder.parts(parts)
}

/** Reads the responses of a file, each a turn. */
export function readAnswers(answers: readonly ModelResponse[]): Conversation {
  const builder = new TurnBuilder()
  for (const { parts } of answers) addAnswer(builder, parts)
  return { turns: builder.end() }
}

/** Reads LangChain's messages in any form. */
export function readLangChain(record: unknown): Conversation {
  const builder = new TurnBuilder()
  for (const [index, each] of messagesOf(record, 'messages').entries()) {
    const message = langChainMessage(each)
    if (!message) throw invalidTranscript(`Message ${index + 1} is none of LangChain`)
    const { role, fields } = message
    if (role === 'assistant') addAnswer(builder, langChainParts(fields))
    else if (role !== 'results') builder.say(role, contentText(fields['content']))
    else {
      builder.result(recordedResult(contentText(fields['content']), {
        callId: textOf(fields['tool_call_id']), isError: fields['status'] === 'error' ? true : undefined,
      }))
    }
  }
  return { turns: builder.end() }
}

/** Reads messages of Bedrock's Converse, also with the answer in `output`. */
export function readBedrock(record: unknown): Conversation {
  const builder = new TurnBuilder()
  const output = isRecord(record) && isRecord(record['output']) ? [record['output']['message']] : []
  for (const message of [...messagesOf(record, 'messages'), ...output]) {
    const { role, content } = isRecord(message) ? message : {}
    if (role === 'assistant') addAnswer(builder, bedrockParts(content))
    else if (role === 'user') bedrockUser(builder, listOf(content))
    else throw invalidTranscript('A message is neither of the user nor of the assistant')
  }
  return { turns: builder.end() }
}

function bedrockUser(builder: TurnBuilder, content: readonly unknown[]): void {
  for (const block of content) {
    const result = isRecord(block) ? block['toolResult'] : undefined
    if (!isRecord(result)) continue
    const text = listOf(result['content']).map((each) => (isRecord(each) ? asText(each['text'] ?? each['json']) : ''))
    builder.result(recordedResult(text.join('\n'), {
      callId: textOf(result['toolUseId']), isError: result['status'] === 'error' ? true : undefined,
    }))
  }
  const text = contentText(content)
  if (text !== '') builder.say('user', text)
}

/** Reads Gemini's `contents`, also with the answer in `candidates`. */
export function readGemini(record: unknown): Conversation {
  const builder = new TurnBuilder()
  const [candidate] = isRecord(record) ? listOf(record['candidates']) : []
  const answer = isRecord(candidate) ? [candidate['content']] : []
  for (const content of [...messagesOf(record, 'contents'), ...answer]) {
    const { role, parts } = isRecord(content) ? content : {}
    if (role === 'model' || answer.includes(content)) addAnswer(builder, geminiParts(content))
    else geminiUser(builder, listOf(parts))
  }
  return { turns: builder.end() }
}

function geminiUser(builder: TurnBuilder, parts: readonly unknown[]): void {
  for (const part of parts) {
    const result = isRecord(part) ? part['functionResponse'] ?? part['function_response'] : undefined
    if (isRecord(result)) builder.result(recordedResult(result['response'], { callId: textOf(result['id']) }))
  }
  const text = contentText(parts)
  if (text !== '') builder.say('user', text)
}

function messagesOf(record: unknown, name: string): readonly unknown[] {
  return Array.isArray(record) ? record as unknown[] : isRecord(record) ? listOf(record[name]) : []
}
