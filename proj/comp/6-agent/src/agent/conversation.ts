import type { ActionResult } from '../../../0-contracts/src/index.js'
import type { AssistantMessage, Message } from './messages.js'
import { isOfUser, isSummary } from './results-head.js'
import type { RecordedCall, Session, SessionRecord } from './session/sessions.js'

/** State of a call of the current answer. */
export interface CallState {
  call: RecordedCall
  isStarted: boolean
  result?: ActionResult
}

/** Verbs that change the working context. */
const CONTEXT_VERB = /^context_(?:add|remove|prune|clear)$/

/** The state of a conversation, computed from its records in order. A new record is stored before it takes effect. */
export class Conversation {
  /** Without the system prompt. */
  messages: Message[] = []
  /** Text of an unfinished answer, whose blocks may have run. */
  partText = ''
  partReasoning = ''
  /** Calls of that answer, or of the last message with calls; in order. */
  readonly calls = new Map<string, CallState>()
  /** Calls that built the working context, in order: the context is kept in memory only, and rebuilt from these. */
  readonly contextCalls: RecordedCall[] = []
  /** All records since the conversation was last cleared or undone. */
  readonly records: SessionRecord[] = []
  /** The user's messages, including those replaced by a summary. */
  readonly said = new SaidMessages()
  /** Notes for the model, to go with the next message. */
  notes: string[] = []
  /** Ids of runs that the model was told were undone. */
  takenBack: ReadonlySet<string> = new Set()
  /** Id of the process that last worked on it. */
  lastPid: number | undefined

  constructor(private readonly session: Session | undefined) {
    for (const record of session?.records ?? []) this.#apply(record)
  }

  add(...records: SessionRecord[]): void {
    this.session?.append(...records)
    for (const record of records) this.#apply(record)
  }

  /** Calls of the last message without an answer in the conversation. */
  unanswered(): CallState[] {
    const at = this.messages.findLastIndex(({ role }) => role === 'assistant')
    const last = this.messages[at] as AssistantMessage | undefined
    const answered = new Set(this.messages.slice(at + 1).flatMap((message) => (
      message.role === 'tool' ? [message.tool_call_id] : []
    )))
    return (last?.tool_calls ?? []).filter(({ id }) => !answered.has(id)).map(({ id, function: { name } }) => (
      this.calls.get(id) ?? { call: { id, tool: name, parameters: {} }, isStarted: false }
    ))
  }

  /** Whether the model still has to answer. */
  get isUnfinished(): boolean {
    const last = this.messages.at(-1)
    if (this.partText !== '' || this.calls.size > 0 && last?.role !== 'assistant') return true
    if (last === undefined || last.role !== 'assistant') return last !== undefined
    return last.interrupted === true || (last.tool_calls?.length ?? 0) > 0
  }

  /** Adds an unfinished answer to the conversation. @param heard the part received before it was stopped */
  interrupt({ text, reasoning }: { text: string; reasoning: string } = { text: '', reasoning: '' }): void {
    const message: AssistantMessage = {
      role: 'assistant', content: text, interrupted: true, ...(reasoning !== '' && { reasoning }),
    }
    this.add({ type: 'message', message })
  }

  /** Index of the user's last message; -1 for none. */
  lastUserIndex(): number {
    return this.messages.findLastIndex(isOfUser)
  }

  /**
   * The messages without the user's last one and what followed; if it is part of a summary, only without what followed
   * the summary.
   */
  withoutLast(): Message[] {
    const { isLastSummarised } = this.said
    const at = isLastSummarised ? this.messages.findLastIndex(isSummary) + 1 : this.lastUserIndex()
    return this.messages.slice(0, at)
  }

  #apply(record: SessionRecord): void {
    if (record.type === 'replace' && record.reason !== 'shortened') this.records.length = 0
    this.records.push(record)
    switch (record.type) {
      case 'message':
        this.messages.push(record.message)
        if (isOfUser(record.message)) {
          this.said.add(record.message.content ?? '', record.unit ?? '')
          this.notes = []
        }
        if (record.message.role === 'assistant' || record.message.role === 'user') this.#begin()
        return
      case 'part':
        this.partText += record.text
        this.partReasoning += record.reasoning ?? ''
        return
      case 'calls':
        for (const call of record.calls) this.calls.set(call.id, { call, isStarted: false })
        return
      case 'start': {
        const state = this.calls.get(record.id)
        if (state) state.isStarted = true
        return
      }
      case 'result': {
        const state = this.calls.get(record.id)
        if (!state) return
        state.result = record.result
        if (record.result.success && CONTEXT_VERB.test(state.call.tool)) this.contextCalls.push(state.call)
        return
      }
      case 'note':
        this.notes.push(record.text)
        if (record.takenBack) this.takenBack = new Set(record.takenBack)
        return
      case 'replace':
        if (record.reason === 'cleared') {
          this.contextCalls.length = 0
          this.said.clear()
        } else if (record.reason === 'undone') this.said.pop()
        else this.said.shorten(record.messages)
        this.messages = [...record.messages]
        this.#begin()
        return
      case 'open':
        this.lastPid = record.pid
    }
  }

  #begin(): void {
    this.partText = ''
    this.partReasoning = ''
    this.calls.clear()
  }
}

/** A message of the user, and the unit of its runs; `''` where that is unknown. */
interface SaidMessage {
  text: string
  unit: string
}

/** The user's messages, in order: the first, those replaced by a summary, and the rest. */
class SaidMessages {
  #standing: SaidMessage[] = []
  #summarised: SaidMessage[] = []

  /** Oldest first. */
  get all(): readonly SaidMessage[] {
    return [...this.#standing.slice(0, 1), ...this.#summarised, ...this.#standing.slice(1)]
  }

  /** Whether the last message is part of a summary. */
  get isLastSummarised(): boolean {
    return this.#standing.length === 1 && this.#summarised.length > 0
  }

  add(text: string, unit: string): void {
    this.#standing.push({ text, unit })
  }

  /** Removes the last message. */
  pop(): void {
    if (this.isLastSummarised) this.#summarised.pop()
    else this.#standing.pop()
  }

  clear(): void {
    this.#standing = []
    this.#summarised = []
  }

  /**
   * Called when the conversation was shortened: its first and last messages stay, those between are summarised.
   *
   * @param messages what is left
   */
  shorten(messages: readonly Message[]): void {
    const left = messages.filter(isOfUser).length
    const before = this.#standing
    // If no message is left, even the first is part of the summary.
    const gone = before.slice(Math.min(1, left), before.length - Math.max(0, left - 1))
    this.#standing = [...before.slice(0, Math.min(1, left)), ...before.slice(before.length - Math.max(0, left - 1))]
    this.#summarised.push(...gone)
  }
}
