import type { ActionResult } from '../../../0-contracts/src/index.js'
import type { AssistantMessage, Message } from './messages.js'
import { isOfUser, isSummary } from './results-head.js'
import { SaidMessages } from './said-messages.js'
import type { RecordedCall, Session, SessionRecord } from './session/sessions.js'

/** A call of the answer that is being worked on. */
export interface CallState {
  call: RecordedCall
  isStarted: boolean
  result?: ActionResult
}

/** Verbs that change the working context. */
const CONTEXT_VERB = /^context_(?:add|remove|prune|clear)$/

/** What a conversation is after its records, in order; keeps each new one before it counts. */
export class Conversation {
  /** Without the system prompt. */
  messages: Message[] = []
  /** Text of an answer that was not ended, with blocks that may have run. */
  partText = ''
  partReasoning = ''
  /** Of that answer, or of the last message with calls; in order. */
  readonly calls = new Map<string, CallState>()
  /** Calls that made the working context, in order: it is in memory only, and made again from these. */
  readonly contextCalls: RecordedCall[] = []
  /** All records since it was last cleared or taken back. */
  readonly records: SessionRecord[] = []
  /** What the user has said, also what is a summary now. */
  readonly said = new SaidMessages()
  /** What the model is to be told with the next message. */
  notes: string[] = []
  /** Runs of which the model was told that they were taken back. */
  takenBack: ReadonlySet<string> = new Set()
  /** The process that worked on it last. */
  lastPid: number | undefined
  readonly #session: Session | undefined

  constructor(session: Session | undefined) {
    this.#session = session
    for (const record of session?.records ?? []) this.#apply(record)
  }

  add(...records: SessionRecord[]): void {
    this.#session?.append(...records)
    for (const record of records) this.#apply(record)
  }

  /** Calls of the last message that have no answer in the conversation. */
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

  /** The model has not had the last word. */
  get isUnfinished(): boolean {
    const last = this.messages.at(-1)
    if (this.partText !== '' || this.calls.size > 0 && last?.role !== 'assistant') return true
    if (last === undefined || last.role !== 'assistant') return last !== undefined
    return last.interrupted === true || (last.tool_calls?.length ?? 0) > 0
  }

  /** What there is of an answer stays in view of the model. @param heard of it, before it was stopped */
  interrupt(heard: { text: string; reasoning: string } = { text: '', reasoning: '' }): void {
    const { text, reasoning } = heard
    const message: AssistantMessage = {
      role: 'assistant', content: text, interrupted: true, ...(reasoning !== '' && { reasoning }),
    }
    this.add({ type: 'message', message })
  }

  /** Where the last message of the user stands that does; -1 for none. */
  lastUserIndex(): number {
    return this.messages.findLastIndex(isOfUser)
  }

  /** What is left of the messages without the user's last one; of one that is a summary now without what came after. */
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
