import type { AgentEvent, EndReason } from '../../../6-agent/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'
import { EscapedStream, printableJson } from '../../../0-text/src/index.js'
import { EventView } from './event-view.js'

export interface AnswerOnce {
  /** `json`: one event per line, and nothing else; `text`: only the answer. */
  as: 'json' | 'text'
  /** Identifies the conversation; printed first with `json`. */
  session: { id: string; model: string }
  /**
   * At a terminal: the answer appears as it arrives, with text between calls, escaped for printing. Otherwise it is
   * written at its end, byte for byte as the model wrote it, for a file or another program.
   */
  isLive: boolean
  print(text: string): void
  /** Prints calls, notes and failures. */
  tell(text: string): void
  palette: Palette
  columns: number
  roots: readonly string[]
  showReasoning: boolean
}

/**
 * Shows the events of one message.
 *
 * @returns how it ended
 * @throws HermesError what ended it; with `json` it is also an event
 */
export async function answerOnce(
  events: AsyncIterable<AgentEvent>, options: AnswerOnce,
): Promise<EndReason | undefined> {
  return options.as === 'json' ? asJson(events, options) : asText(events, options)
}

/** The exit code after a question. */
export function exitCodeOf(reason: EndReason | undefined): number {
  if (reason === 'cancelled') return 130
  return reason === 'answer' ? 0 : 1
}

async function asJson(
  events: AsyncIterable<AgentEvent>, { session, print }: AnswerOnce,
): Promise<EndReason | undefined> {
  const line = (value: unknown): void => print(`${printableJson(value, 0)}\n`)
  line({ type: 'session', ...session })
  let reason: EndReason | undefined
  try {
    for await (const event of events) {
      if (event.type === 'end') reason = event.reason
      line(event)
    }
  } catch (error) {
    if (error instanceof HermesError) {
      const { code, message, hint } = error
      line({ type: 'error', success: false, code, message, error: message, ...(hint !== undefined && { hint }) })
    }
    throw error
  }
  return reason
}

async function asText(events: AsyncIterable<AgentEvent>, options: AnswerOnce): Promise<EndReason | undefined> {
  const { print, tell, palette, columns, roots, showReasoning, isLive } = options
  const view = new EventView({ palette, roots, showReasoning })
  view.begin()
  let reason: EndReason | undefined
  /** Whether the last printed line of a live answer has not ended. */
  let isOpen = false
  const live = new EscapedStream()
  /** Text not printed yet: it is the answer, unless a call follows. */
  let held = ''
  const show = (event: AgentEvent): void => (
    tell(view.event(event, columns).filter((row) => row !== '').map((row) => `${row}\n`).join(''))
  )
  for await (const event of events) {
    if (event.type === 'text') {
      const text: string = isOpen ? event.text : event.text.replace(/^\n+/, '')
      if (isLive) print(live.push(text))
      else held += event.text
      if (isLive && text !== '') isOpen = !text.endsWith('\n')
      continue
    }
    if (isLive) print(live.end())
    if (isOpen) print('\n')
    isOpen = false
    if (event.type === 'call_start' && held !== '') show({ type: 'text', text: held })
    if (event.type === 'call_start' || event.type === 'retry') held = ''
    if (event.type === 'end') {
      reason = event.reason
      if (!isLive && event.text !== '') print(event.text.endsWith('\n') ? event.text : `${event.text}\n`)
    }
    show(event)
  }
  return reason
}
