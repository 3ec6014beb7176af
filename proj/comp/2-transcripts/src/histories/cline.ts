import { isRecord } from '../../../0-contracts/src/index.js'
import { readAnthropic } from '../anthropic.js'
import { contentText, listOf } from '../fields.js'
import { recordedResult } from '../recorded-results.js'
import type { Conversation, TranscriptSettings } from '../transcript-model.js'
import { makeCall, type TurnBuilder } from '../turn-builder.js'

/** Text that both append to each message of the user. */
const ENVIRONMENT = '<environment_details>'
/** Text only of Roo Code: the mode's name, and tools that Cline lacks. */
const OF_ROO = /<slug>|<(?:apply_diff|insert_content|line_count|switch_mode|update_todo_list)>/
const DIRECTORY = /^# Current (?:Working|Workspace) Directory \((?<root>\/.*)\) Files/m
const RESULT = /^\[\w+(?: for '[^]*?')?\] Result:/
const FAILED = /^(?:The tool execution failed|The user denied this operation)/
const MESSAGE = /(?:^|\n\n---\n\n)\*\*(?<who>User|Assistant):\*\*\n\n/g
const EXPORTED_CALL = /^\[Tool Use: [\w-]+\]$/m

/** Whether messages are Cline's or Roo Code's, by the text around the user's. */
export function isClineHistory(messages: readonly unknown[]): boolean {
  return messages.some((message) => isRecord(message) && message['role'] === 'user'
    && contentText(message['content']).includes(ENVIRONMENT))
}

/**
 * Reads the conversation log of Cline and Roo Code (`api_conversation_history.json`): Anthropic messages whose texts
 * contain calls as elements, and results as `[tool for 'subject'] Result:`. Sources: cline/cline and
 * RooCodeInc/Roo-Code, `src/core` and `src/integrations/misc/export-markdown.ts`.
 */
export function readCline(record: unknown): Conversation {
  const conversation = readAnthropic(record, sayOrAnswer)
  const said = conversation.turns.flatMap((turn) => (turn.role === 'results' ? [] : [turn.text]))
  const root = said.map((text) => DIRECTORY.exec(text)?.groups?.['root']).find((path) => path !== undefined)
  const harness = said.some((text) => OF_ROO.test(text)) ? 'roo' : 'cline'
  const settings: TranscriptSettings = { editFormats: [harness], mapping: harness }
  return { ...conversation, settings, ...(root !== undefined && { root }) }
}

/** Whether a text is the Markdown export of either. */
export function isClineExport(text: string): boolean {
  return /^\*\*(?:User|Assistant):\*\*\n\n/.test(text.replaceAll('\r\n', '\n'))
}

export function readClineExport(text: string): Conversation {
  const whole = text.replaceAll('\r\n', '\n')
  const heads = [...whole.matchAll(MESSAGE)]
  const messages = heads.map(({ 0: head, index, groups }, at) => ({
    role: groups?.['who'] === 'User' ? 'user' : 'assistant',
    content: whole.slice(index + head.length, heads[at + 1]?.index).trim(),
  }))
  const conversation = readCline(messages)
  for (const turn of conversation.turns) {
    // For calls beside the text, the export only has a rendering for people.
    const call = turn.role === 'assistant' ? EXPORTED_CALL.exec(turn.text) : null
    if (turn.role !== 'assistant' || !call) continue
    turn.calls.push(makeCall(call[0], { text: turn.text.slice(call.index + call[0].length).trim() }))
    turn.text = turn.text.slice(0, call.index).trimEnd()
  }
  return conversation
}

/** A text that begins like a result is one, with the texts behind it; others are the user's. */
function sayOrAnswer(builder: TurnBuilder, content: unknown, path: readonly (string | number)[]): void {
  const texts = typeof content === 'string' ? [content] : listOf(content).map((part) => contentText([part]))
  const results: string[][] = []
  for (const text of texts.filter((each) => !each.startsWith(ENVIRONMENT))) {
    const [head] = RESULT.exec(text) ?? []
    if (head !== undefined) results.push([withoutEnvironment(text.slice(head.length))])
    else results.at(-1)?.push(withoutEnvironment(text))
  }
  for (const parts of results) {
    const text = parts.map((part) => part.trim()).filter((part) => part !== '').join('\n')
    builder.result(recordedResult(text, { isError: FAILED.test(text) ? true : undefined }))
  }
  if (results.length === 0 && texts.join('') !== '') builder.say('user', texts.join('\n'), path)
}

function withoutEnvironment(text: string): string {
  const at = text.lastIndexOf(`\n${ENVIRONMENT}`)
  return at === -1 ? text : text.slice(0, at)
}
