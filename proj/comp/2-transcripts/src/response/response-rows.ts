import { isRecord, type ResponseFormat, type ResponsePart } from '../../../0-contracts/src/index.js'
import { listOf, partType, textOf } from '../fields.js'
import { anthropicParts, isAnthropicPart } from './anthropic-parts.js'
import { bedrockParts } from './bedrock-parts.js'
import { chatParts } from './chat-parts.js'
import { ANTHROPIC_CUT, BEDROCK_CUT, joinAnthropic, joinBedrock } from './join-blocks.js'
import { CHAT_CUT, joinChat } from './join-chat.js'
import { finishOf, GEMINI_CUT, joinGemini, joinOllama, withUnreadCall } from './join-chunks.js'
import { joinResponses, responseParts } from './join-responses.js'
import type { Joined } from './joined.js'
import { langChainMessage, langChainParts } from './langchain-parts.js'
import { geminiParts } from './gemini-parts.js'
import { withoutLastCall } from './parts.js'

type Fields = Record<string, unknown>

/** One form of response of an API. */
export interface ResponseRow {
  format: ResponseFormat
  /** Whether a JSON value is a complete response of this form. */
  isWhole?: (value: Fields) => boolean
  /** @returns its parts; or a string: why it cannot be taken for one answer */
  parts?: (value: Fields) => ResponsePart[] | string
  /** Whether a value is a chunk of such a response. */
  isPiece?: (value: Fields) => boolean
  /** Whether a chunk is the last one. */
  ends?: (value: Fields) => boolean
  join?: (values: readonly Fields[]) => Joined
  /** How its JSON begins, to recognise one that cannot be parsed. */
  begins?: RegExp
}

const ONE_ANSWER = 'Leave the one that is to run.'

/** The first form that matches counts. */
export const RESPONSE_ROWS: readonly ResponseRow[] = [
  {
    format: 'langchain',
    isWhole: (value) => langChainMessage(value)?.role === 'assistant',
    parts: (value) => langChainParts(langChainMessage(value)?.fields ?? {}),
    begins: /^\{\s*"lc"\s*:/,
  },
  {
    format: 'openai-chat',
    isWhole: ({ choices }) => isList(choices, (choice) => isAssistant(choice['message'])),
    parts: ({ choices }) => ofOne(listOf(choices), 'choices', (choice) => (
      cutBy(choice['finish_reason'], CHAT_CUT, chatParts(fieldsOf(choice['message'])))
    )),
    isPiece: (value) => value['object'] === 'chat.completion.chunk'
      || isList(value['choices'], (choice) => isRecord(choice['delta'])),
    join: joinChat,
    begins: /"object"\s*:\s*"chat\.completion"|"choices"\s*:\s*\[\s*\{/,
  },
  {
    format: 'openai-responses',
    isWhole: (value) => value['object'] === 'response' && Array.isArray(value['output']),
    parts: (value) => responseParts(value, listOf(value['output'])),
    isPiece: ({ type }) => typeof type === 'string' && type.startsWith('response.'),
    join: joinResponses,
    begins: /"object"\s*:\s*"response"/,
  },
  {
    format: 'anthropic',
    isWhole: (value) => value['type'] === 'message' && isAssistant(value) && Array.isArray(value['content'])
      && !listOf(value['content']).some((part) => partType(part) === 'output_text'),
    parts: (value) => cutBy(value['stop_reason'], ANTHROPIC_CUT, anthropicParts(value['content'])),
    isPiece: (value) => value['type'] === 'message_start' && isRecord(value['message']),
    join: joinAnthropic,
    begins: /^\{(?=[^]*"type"\s*:\s*"message")[^]*"role"\s*:\s*"assistant"/,
  },
  {
    format: 'gemini',
    isWhole: ({ candidates }) => isList(candidates, isCandidate),
    parts: ({ candidates }) => ofOne(listOf(candidates), 'candidates', (candidate) => (
      withUnreadCall(candidate, cutBy(finishOf(candidate), GEMINI_CUT, geminiParts(candidate['content'])))
    )),
    isPiece: ({ candidates }) => isList(candidates, isCandidate),
    ends: ({ candidates }) => isList(candidates, (each) => 'finishReason' in each || 'finish_reason' in each),
    join: joinGemini,
    begins: /^\[?\s*\{\s*"candidates"\s*:\s*\[/,
  },
  {
    format: 'bedrock',
    isWhole: ({ output }) => isRecord(output) && isAssistant(output['message']) && isRecord(output['message'])
      && Array.isArray(output['message']['content']),
    parts: (value) => cutBy(
      value['stopReason'], BEDROCK_CUT, bedrockParts(fieldsOf(fieldsOf(value['output'])['message'])['content']),
    ),
    isPiece: (value) => isRecord(value['messageStart']) && 'role' in value['messageStart'],
    join: joinBedrock,
    begins: /"output"\s*:\s*\{\s*"message"\s*:/,
  },
  {
    format: 'ollama',
    isWhole: (value) => isOllama(value) && value['done'] === true,
    parts: (value) => joinOllama([value]).parts,
    isPiece: isOllama,
    ends: (value) => isOllama(value) && value['done'] === true,
    join: joinOllama,
    begins: /^\{\s*"model"\s*:[^]*"message"\s*:\s*\{\s*"role"\s*:\s*"assistant"/,
  },
]

/** Reads an assistant's message of any API, without the response around it. */
export function messageOf(value: Fields): { format: ResponseFormat; parts: ResponsePart[] } {
  const { content } = value
  const lang = langChainMessage(value)
  if (lang) return { format: 'langchain', parts: langChainParts(lang.fields) }
  if (listOf(content).some(isAnthropicPart)) return { format: 'anthropic', parts: anthropicParts(content) }
  if (Array.isArray(value['parts'])) return { format: 'gemini', parts: geminiParts(value) }
  const isBedrock = listOf(content).length > 0
    && listOf(content).every((part) => isRecord(part) && !('type' in part) && Object.keys(part).length === 1)
  return isBedrock ? { format: 'bedrock', parts: bedrockParts(content) }
    : { format: 'openai-chat', parts: chatParts(value) }
}

function isAssistant(value: unknown): boolean {
  return isRecord(value) && value['role'] === 'assistant'
}

function isCandidate(value: Fields): boolean {
  const { content } = value
  if (isRecord(content) && (Array.isArray(content['parts']) || content['role'] === 'model')) return true
  return finishOf(value) !== undefined
}

function isOllama(value: Fields): boolean {
  return typeof value['model'] === 'string' && typeof value['done'] === 'boolean'
    && (isAssistant(value['message']) || typeof value['response'] === 'string')
}

function isList(value: unknown, holds: (each: Fields) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => isRecord(each) && holds(each))
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

/** Rejects several alternative answers, of which only one can be meant. */
function ofOne(
  list: readonly unknown[], name: string, parts: (value: Fields) => ResponsePart[],
): ResponsePart[] | string {
  return list.length > 1 ? `The response has ${list.length} ${name}, each an answer. ${ONE_ANSWER}`
    : parts(fieldsOf(list[0]))
}

function cutBy(reason: unknown, cut: ReadonlySet<string>, parts: ResponsePart[]): ResponsePart[] {
  return cut.has(textOf(reason) ?? '') ? withoutLastCall(parts) : parts
}
