import type {
  ActionResult, HermesEvent, ParsedBlock, ParseError, PrintedLines, WorkProgress,
} from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { ModelDelta } from './model/wire/answer-pieces.js'
import type { Conversation } from './conversation.js'
import type { AgentEvent } from './events.js'
import type { EndedCall } from './repeated-calls.js'
import type { RecordedCall } from './session/sessions.js'

/** What a block that could not be read is called. */
const UNREAD = '(not read)'

/**
 * Follows the calls of one answer: keeps each before it runs and when it has, and tells of it. Calls of an interface
 * are known
 * by their ids; blocks by their order, since their ids may repeat.
 */
export class CallTracker {
  readonly #conversation: Conversation
  readonly #emit: (event: AgentEvent) => void
  readonly #byId: boolean
  readonly #known = new Map<string, RecordedCall>()
  readonly #open: RecordedCall[] = []
  readonly #ended = new Set<string>()
  readonly #running: RecordedCall[] = []
  /** The calls that have ended, in that order. */
  readonly endedCalls: EndedCall[] = []
  /** Of an answer with blocks, as far as it has come. */
  text = ''
  reasoning = ''
  /** How much of each is kept. */
  #kept = { text: 0, reasoning: 0 }

  /** @param byId the calls have been announced all, under the ids that their blocks have */
  constructor(conversation: Conversation, emit: (event: AgentEvent) => void, byId: boolean) {
    this.#conversation = conversation
    this.#emit = emit
    this.#byId = byId
  }

  /** Calls that are about to run. */
  announce(calls: readonly RecordedCall[]): void {
    this.#conversation.add({ type: 'calls', calls: [...calls] })
    for (const call of calls) {
      this.#known.set(call.id, call)
      this.#open.push(call)
    }
  }

  heard({ type, text }: ModelDelta): void {
    if (type === 'text') this.text += text
    else this.reasoning += text
  }

  /** A block that was read and is about to run: the text up to it is kept first. */
  announceBlock({ id, action, params }: ParsedBlock): void {
    if (this.#byId) return
    this.#keepText()
    const { action: _, ...parameters } = params
    this.announce([{ id: this.#ownId(id), tool: action, parameters }])
  }

  /** Extensions have worked on the answer: what they made of it is kept before it runs. */
  rewritten({ original, text, rewrites, texts }: PreparedAnswer): void {
    if (rewrites.length === 0) return
    this.#conversation.add({ type: 'rewritten', original, text, rewrites, texts })
    this.#emit({ type: 'rewrites', rewrites })
  }

  follow(event: HermesEvent): void {
    if (event.type === 'block-start') this.#start(this.#byId ? this.#known.get(event.blockId) : this.#open.shift())
    else if (event.type === 'block-end') this.#end(event.result)
    else if (event.type === 'parse-error') this.#unread(event.error)
  }

  /** A call works long before it can answer. */
  progressed(work: WorkProgress): void {
    this.#emit({ type: 'call_progress', ...work })
  }

  /** A command of a call has printed something. */
  printed({ blockId, lines }: PrintedLines): void {
    const call = (this.#byId ? this.#known.get(blockId) : undefined) ?? this.#running[0]
    if (call) this.#emit({ type: 'call_output', id: call.id, lines })
  }

  /** Calls that never came to run, with what was answered to them. */
  endRest(answerOf: (id: string) => Pick<ActionResult, 'success'> & Partial<ActionResult>): void {
    for (const call of this.#known.values()) {
      if (this.#ended.has(call.id)) continue
      this.#emit({ type: 'call_start', ...call })
      this.#finish(call, { ...blank(call), ...answerOf(call.id) })
    }
  }

  #keepText(): void {
    const [text, reasoning] = [this.text.slice(this.#kept.text), this.reasoning.slice(this.#kept.reasoning)]
    this.#kept = { text: this.text.length, reasoning: this.reasoning.length }
    this.#conversation.add({ type: 'part', text, ...(reasoning !== '' && { reasoning }) })
  }

  #start(call: RecordedCall | undefined): void {
    if (!call) return
    this.#conversation.add({ type: 'start', id: call.id })
    this.#running.push(call)
    this.#emit({ type: 'call_start', ...call })
  }

  #end(result: ActionResult): void {
    const at = this.#byId ? this.#running.findIndex(({ id }) => id === result.blockId) : 0
    const [call] = at < 0 ? [] : this.#running.splice(at, 1)
    if (call) this.#finish(call, result)
  }

  #unread({ blockId, startLine, endLine, source, error: { code, message, hint } }: ParseError): void {
    const known = this.#byId && blockId !== undefined ? this.#known.get(blockId) : undefined
    const call = known ?? { id: this.#ownId(blockId ?? `line-${startLine}`), tool: UNREAD, parameters: {} }
    if (this.#ended.has(call.id)) return
    if (!known) {
      this.#keepText()
      this.#conversation.add({ type: 'calls', calls: [call] })
    }
    this.#emit({ type: 'call_start', ...call })
    const unread = { startLine, endLine, code, error: message, ...(hint !== undefined && { hint }) }
    this.#finish(call, { ...blank(call), ...unread }, source)
  }

  #finish(call: RecordedCall, result: ActionResult, source?: string): void {
    this.#ended.add(call.id)
    this.endedCalls.push({ call, result, ...(source !== undefined && { source }) })
    this.#conversation.add({ type: 'result', id: call.id, result })
    this.#emit({ type: 'call_end', id: call.id, tool: call.tool, result })
  }

  #ownId(id: string): string {
    let own = id
    for (let count = 2; this.#known.has(own) || this.#ended.has(own); count++) own = `${id}~${count}`
    return own
  }
}

function blank({ id, tool, parameters }: RecordedCall): ActionResult {
  return {
    seq: 0, blockId: id, action: tool, params: parameters, success: false, startLine: 1, endLine: 1, durationMs: 0,
  }
}
