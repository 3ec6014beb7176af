import type { ParseOutcome } from '../../../0-contracts/src/index.js'
import { BY_RULE } from '../dialects/index.js'
import { TOOL_CALL_OPEN, type ScanOptions } from '../scanner/index.js'
import { outcomeOf, readEvents } from './parse.js'
import type { ReadEvent } from './read-event.js'

const OPENERS = BY_RULE.flatMap(({ wrappers, forms }) => (
  [...wrappers.map(({ open }) => open), ...forms.map(({ opens }) => opens)]
)).filter((opener) => opener !== '')

/**
 * Of an answer only its calls: `<tool_call>` and the dialects of models. They are what a server should have read of an
 * answer by function calling; all else in such an answer is for its reader.
 */
export function readCallEvents(text: string, options: ScanOptions = {}): ReadEvent[] {
  return readEvents(text, options).filter(isCall)
}

/** The same as lists. */
export function parseCalls(text: string, options: ScanOptions = {}): ParseOutcome {
  return outcomeOf(readCallEvents(text, options))
}

function isCall(event: ReadEvent): boolean {
  if (event.type === 'block') return event.block.format === 'tool_call'
  return event.type === 'failed' && event.errors.some(({ source, error: { code } }) => (
    code === 'INVALID_TOOL_CALL' || (code !== 'NOT_READ' && opensCall(source.trimStart()))
  ))
}

function opensCall(source: string): boolean {
  return source.includes(TOOL_CALL_OPEN) || OPENERS.some((opener) => source.startsWith(opener))
}
