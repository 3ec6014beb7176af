import { isRecord, type ModelResponse, type ResponseFormat } from '../../0-contracts/src/index.js'
import { readAnthropic } from './anthropic.js'
import { withoutPlaces } from './content-hash.js'
import { invalidTranscript } from './transcript-failure.js'
import { asText, defined, listOf, partType, textOf } from './fields.js'
import type { Conversation, TranscriptFormat } from './transcript-model.js'
import {
  isClineHistory, isGptmeHistory, isOpenHandsEvent, isOpenHandsHistory, readCline, readGptme, readOpenHands,
} from './histories/index.js'
import { readOpenAi } from './openai.js'
import { readRecording } from './recording.js'
import { readResponses } from './responses.js'
import { isAnthropicPart, isStreamPiece, langChainMessage, streamedResponses, wholeResponse } from './response/index.js'
import { readShareGpt } from './sharegpt.js'
import { isMiniTrajectory, readSweAgent } from './swe-agent.js'
import { readAnswers, readBedrock, readGemini, readLangChain } from './vendor-messages.js'
import { readVercel } from './vercel.js'

/**
 * What one JSON value of a file is: a conversation, or a part of the conversation that the whole file holds. `parts`
 * names the reader of such parts.
 */
export type RecordKind =
  | { isWhole: true; format: TranscriptFormat }
  | { isWhole: false; parts: PartsKind }

export type PartsKind =
  'recording' | 'claude-session' | 'codex-session' | 'sharegpt' | 'messages' | 'items' | 'langchain' | 'contents'
  | 'stream' | 'openhands'

const ITEM_TYPES = /^(?:message|reasoning|(?:function|custom_tool|local_shell)_call(?:_output)?|item_reference)$/

/** `undefined` for what is no transcript. */
export function kindOf(record: unknown): RecordKind | undefined {
  if (Array.isArray(record)) return kindOfList(record as unknown[])
  if (!isRecord(record)) return undefined
  const { type } = record
  if (type === 'run' && 'version' in record && 'root' in record) return { isWhole: false, parts: 'recording' }
  if (isRecord(record['payload']) && typeof type === 'string') return { isWhole: false, parts: 'codex-session' }
  if (typeof type === 'string' && ('sessionId' in record || 'leafUuid' in record || 'parentUuid' in record)) {
    return { isWhole: false, parts: 'claude-session' }
  }
  if (Array.isArray(record['conversations']) || Array.isArray(record['conversation'])) {
    const [turn] = listOf(record['conversations'] ?? record['conversation'])
    const isOpenAi = isRecord(turn) && 'role' in turn && !('from' in turn)
    return { isWhole: true, format: isOpenAi ? 'openai' : 'sharegpt' }
  }
  if (Array.isArray(record['history']) || Array.isArray(record['trajectory'])) {
    const [first] = [...listOf(record['history']), ...listOf(record['trajectory'])].flat()
    return { isWhole: true, format: isOpenHandsEvent(first) ? 'openhands' : 'swe-agent' }
  }
  if (isOpenHandsEvent(record)) return { isWhole: false, parts: 'openhands' }
  if (Array.isArray(record['messages'])) {
    if (isMiniTrajectory(record)) return { isWhole: true, format: 'swe-agent' }
    return { isWhole: true, format: messagesFormat(record['messages'] as unknown[]) }
  }
  if (Array.isArray(record['contents'])) return { isWhole: true, format: 'gemini' }
  if (langChainMessage(record)) return { isWhole: false, parts: 'langchain' }
  if (isStreamPiece(record)) return { isWhole: false, parts: 'stream' }
  // A single message is a turn.
  const response = type === 'message' ? undefined : wholeResponse(record)
  if (response) return { isWhole: true, format: transcriptFormatOf(response) }
  if (['input', 'output', 'items'].some((name) => isItemList(record[name]))) {
    return { isWhole: true, format: 'responses' }
  }
  if ('from' in record && 'value' in record) return { isWhole: false, parts: 'sharegpt' }
  if ('role' in record && ('content' in record || 'parts' in record || 'tool_calls' in record)) {
    if (isContent(record)) return { isWhole: false, parts: 'contents' }
    return { isWhole: false, parts: type === 'message' && !isAnthropic(record) ? 'items' : 'messages' }
  }
  return typeof type === 'string' && ITEM_TYPES.test(type) ? { isWhole: false, parts: 'items' } : undefined
}

const FORMATS: Readonly<Partial<Record<ResponseFormat, TranscriptFormat>>> = {
  'openai-responses': 'responses', anthropic: 'anthropic', gemini: 'gemini', bedrock: 'bedrock', ollama: 'ollama',
}

/** Transcript format of a response. */
export function transcriptFormatOf({ input }: ModelResponse): TranscriptFormat {
  return FORMATS[input] ?? 'openai'
}

/** Whether it is a content of Gemini, whose parts have no type. */
function isContent({ parts }: Record<string, unknown>): boolean {
  return Array.isArray(parts) && parts.length > 0 && parts.every((part) => isRecord(part) && !('type' in part))
}

/** A message from Anthropic's API has the same `type` as an item of Responses; other fields tell them apart. */
function isAnthropic(record: Record<string, unknown>): boolean {
  return 'stop_reason' in record
    || listOf(record['content']).some(isAnthropicPart)
}

/** A list of turns is a conversation. */
function kindOfList(list: readonly unknown[]): RecordKind | undefined {
  const first = kindOf(list[0])
  if (first === undefined || first.isWhole) return undefined
  if (first.parts === 'messages') {
    return {
      isWhole: true,
      format: list.some((message) => !isRecord(message) || !('role' in message)) ? 'responses' : messagesFormat(list),
    }
  }
  const format = FORMAT_OF_PARTS[first.parts]
  return format && { isWhole: true, format }
}

/** The formats whose conversations may be lists of these parts. */
const FORMAT_OF_PARTS: Readonly<Partial<Record<PartsKind, TranscriptFormat>>> = {
  sharegpt: 'sharegpt', openhands: 'openhands', langchain: 'langchain', contents: 'gemini', items: 'responses',
}

function isItemList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
    && value.every((message) => isRecord(message) && ('role' in message || 'type' in message))
}

/** Judged by the parts of messages: OpenAI's have none, or only kinds that the others lack. */
function messagesFormat(messages: readonly unknown[]): TranscriptFormat {
  if (isClineHistory(messages)) return 'cline'
  if (isOpenHandsHistory(messages)) return 'openhands'
  if (isGptmeHistory(messages)) return 'gptme'
  for (const message of messages) {
    if (!isRecord(message)) continue
    if (langChainMessage(message)) return 'langchain'
    if (Array.isArray(message['parts']) || Array.isArray(message['toolInvocations'])) return 'vercel'
    for (const part of listOf(message['content'])) {
      const type = partType(part)
      if (isAnthropicPart(part)) return 'anthropic'
      if (isRecord(part) && type === '' && ('toolUse' in part || 'toolResult' in part)) return 'bedrock'
      if (type === 'tool-call' || type === 'tool-result') return 'vercel'
    }
  }
  return 'openai'
}

/**
 * Reads a conversation.
 *
 * @throws HermesError `INVALID_TRANSCRIPT`
 */
export function readConversation(record: unknown, format: TranscriptFormat): Conversation {
  const isAlone = isRecord(record) && !['messages', 'conversations', 'input', 'contents'].some((name) => name in record)
  const response = isAlone ? wholeResponse(record) : undefined
  if (response && format !== 'responses') return readAnswers([response])
  if (format === 'markdown') throw invalidTranscript('A record of JSON is no markdown')
  return READERS[format](record)
}

const readEvents = (record: unknown): Conversation => readRecording(listOf(record))

const READERS: Readonly<Record<Exclude<TranscriptFormat, 'markdown'>, (record: unknown) => Conversation>> = {
  sharegpt: readShareGpt, openai: readOpenAi, responses: readResponses, anthropic: readAnthropic, vercel: readVercel,
  gemini: readGemini, bedrock: readBedrock, ollama: readOpenAi, langchain: readLangChain, 'swe-agent': readSweAgent,
  openhands: readOpenHands, cline: readCline, gptme: readGptme, aider: readEvents, hermes: readEvents,
}

/**
 * Reads the conversation that consists of these parts.
 *
 * @throws HermesError `INVALID_TRANSCRIPT`
 */
export function readParts(
  parts: readonly unknown[], kind: PartsKind,
): { format: TranscriptFormat; conversation: Conversation } {
  switch (kind) {
    case 'recording': return { format: 'hermes', conversation: readRecording(parts) }
    case 'claude-session': return { format: 'anthropic', conversation: readClaudeSession(parts) }
    case 'codex-session': return { format: 'responses', conversation: readCodexSession(parts) }
    case 'stream': {
      const responses = streamedResponses(parts.filter(isRecord))
      const [first] = responses
      return { format: first ? transcriptFormatOf(first) : 'openai', conversation: readAnswers(responses) }
    }
    default: {
      const format = FORMAT_OF_PARTS[kind] ?? messagesFormat(parts)
      return { format, conversation: readConversation(parts, format) }
    }
  }
}

/** Reads the log of a Claude Code session: Anthropic messages, one a line, among other entries. */
function readClaudeSession(lines: readonly unknown[]): Conversation {
  // Subagents have conversations of their own.
  const entries = lines.filter(isRecord).filter((entry) => isRecord(entry['message']) && entry['isSidechain'] !== true)
  const root = entries.map((entry) => textOf(entry['cwd'])).find((cwd) => cwd !== undefined)
  return defined<Conversation>({ ...ofLog(readAnthropic(entries.map((entry) => entry['message']))), root })
}

/** Reads the log of a Codex session: items of Responses, one a line, among other entries. */
function readCodexSession(lines: readonly unknown[]): Conversation {
  const payloads = (type: string) =>
    lines.filter(isRecord).filter((entry) => entry['type'] === type).map((entry) => entry['payload'])
  const [meta] = payloads('session_meta')
  const root = isRecord(meta) ? textOf(meta['cwd']) : undefined
  const instructions = (isRecord(meta) && asText(meta['instructions'])) || undefined
  const items = payloads('response_item')
  return defined<Conversation>({ ...ofLog(readResponses({ items, instructions })), root })
}

/** Without the places of results, since logs of other programs are not rewritten. */
function ofLog(conversation: Conversation): Conversation {
  return { ...conversation, turns: withoutPlaces(conversation.turns) }
}
