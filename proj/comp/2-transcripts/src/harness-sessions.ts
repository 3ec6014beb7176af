import { isRecord } from '../../0-contracts/src/index.js'
import { readAnthropic } from './anthropic.js'
import { asText, defined, textOf } from './fields.js'
import type { Conversation, RecordedResult, Turn } from './transcript-model.js'
import { readResponses } from './responses.js'

/** Reads the log of a Claude Code session: Anthropic messages, one a line, among other entries. */
export function readClaudeSession(lines: readonly unknown[]): Conversation {
  // Subagents have conversations of their own.
  const entries = lines.filter(isRecord).filter((entry) => isRecord(entry['message']) && entry['isSidechain'] !== true)
  const root = entries.map((entry) => textOf(entry['cwd'])).find((cwd) => cwd !== undefined)
  return defined<Conversation>({ ...withoutPlaces(readAnthropic(entries.map((entry) => entry['message']))), root })
}

/** Reads the log of a Codex session: items of Responses, one a line, among other entries. */
export function readCodexSession(lines: readonly unknown[]): Conversation {
  const payloads = (type: string) =>
    lines.filter(isRecord).filter((entry) => entry['type'] === type).map((entry) => entry['payload'])
  const [meta] = payloads('session_meta')
  const root = isRecord(meta) ? textOf(meta['cwd']) : undefined
  const instructions = (isRecord(meta) && asText(meta['instructions'])) || undefined
  const items = payloads('response_item')
  return defined<Conversation>({ ...withoutPlaces(readResponses({ items, instructions })), root })
}

/** Removes places of results, since logs of other programs are not rewritten. */
function withoutPlaces(conversation: Conversation): Conversation {
  const turns = conversation.turns.map((turn): Turn => (
    turn.role === 'results' ? { ...turn, results: turn.results.map(withoutPlace) } : turn
  ))
  return { ...conversation, turns }
}

function withoutPlace(result: RecordedResult): RecordedResult {
  const { place: _, ...rest } = result
  return rest
}
