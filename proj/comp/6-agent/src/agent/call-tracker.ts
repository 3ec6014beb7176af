import type {
  ActionResult, FileChange, HermesEvent, ParsedBlock, ParseError, PrintedLines, WorkProgress,
} from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { ModelDelta } from './model/wire/answer-pieces.js'
import type { Conversation } from './conversation.js'
import type { AgentEvent } from './events.js'
import type { EndedCall } from './repeated-calls.js'
import type { RecordedCall } from './session/sessions.js'

/** Tool name shown for a block that could not be parsed. */
const UNREAD = '(not read)'

/**
 * Tracks the calls of one answer: records each before and after it runs, and emits events. Function calls are known by
 * id; blocks by their order, since their ids may repeat.
 */
export class CallTracker {
  readonly #known = new Map<string, RecordedCall>()
  readonly #open: RecordedCall[] = []
  readonly #ended = new Set<string>()
  readonly #running: RecordedCall[] = []
  /** The calls that have ended, in order. */
  readonly endedCalls: EndedCall[] = []
  /** In block style, the text of the answer so far. */
  text = ''
  reasoning = ''
  /** How many characters of each are recorded already. */
  #kept = { text: 0, reasoning: 0 }

  /**
   * @param byId all calls are announced in advance, under the ids that their blocks have
   * @param tellsChanges whether `call_end` events carry each call's file changes
   */
  constructor(
    private readonly conversation: Conversation, private readonly emit: (event: AgentEvent) => void,
    private readonly byId: boolean, private readonly tellsChanges = false,
  ) {}

  /** Records calls that are about to run. */
  announce(calls: readonly RecordedCall[]): void {
    this.conversation.add({ type: 'calls', calls: [...calls] })
    for (const call of calls) {
      this.#known.set(call.id, call)
      this.#open.push(call)
    }
  }

  heard({ type, text }: ModelDelta): void {
    if (type === 'text') this.text += text
    else this.reasoning += text
  }

  /** Records a block that is about to run, after the text up to it. */
  announceBlock({ id, action, params }: ParsedBlock): void {
    if (this.byId) return
    this.#keepText()
    const { action: _, ...parameters } = params
    this.announce([{ id: this.#ownId(id), tool: action, parameters }])
  }

  /** Records, before it runs, what extensions made of the answer. */
  rewritten({ original, text, rewrites, texts }: PreparedAnswer): void {
    if (rewrites.length === 0) return
    this.conversation.add({ type: 'rewritten', original, text, rewrites, texts })
    this.emit({ type: 'rewrites', rewrites })
  }

  follow(event: HermesEvent): void {
    if (event.type === 'block-start') this.#start(this.byId ? this.#known.get(event.blockId) : this.#open.shift())
    else if (event.type === 'block-end') this.#end(event.result, event.changes)
    else if (event.type === 'parse-error') this.#unread(event.error)
  }

  /** Reports the progress of a long call. */
  progressed(work: WorkProgress): void {
    this.emit({ type: 'call_progress', ...work })
  }

  /** Reports output of a call's command. */
  printed({ blockId, lines }: PrintedLines): void {
    const call = (this.byId ? this.#known.get(blockId) : undefined) ?? this.#running[0]
    if (call) this.emit({ type: 'call_output', id: call.id, lines })
  }

  /** Ends the calls that never ran, with the given answers. */
  endRest(answerOf: (id: string) => Pick<ActionResult, 'success'> & Partial<ActionResult>): void {
    for (const call of this.#known.values()) {
      if (this.#ended.has(call.id)) continue
      this.emit({ type: 'call_start', ...call })
      this.#finish(call, { ...blank(call), ...answerOf(call.id) })
    }
  }

  #keepText(): void {
    const [text, reasoning] = [this.text.slice(this.#kept.text), this.reasoning.slice(this.#kept.reasoning)]
    this.#kept = { text: this.text.length, reasoning: this.reasoning.length }
    this.conversation.add({ type: 'part', text, ...(reasoning !== '' && { reasoning }) })
  }

  #start(call: RecordedCall | undefined): void {
    if (!call) return
    this.conversation.add({ type: 'start', id: call.id })
    this.#running.push(call)
    this.emit({ type: 'call_start', ...call })
  }

  #end(result: ActionResult, changes: readonly FileChange[]): void {
    const at = this.byId ? this.#running.findIndex(({ id }) => id === result.blockId) : 0
    const [call] = at < 0 ? [] : this.#running.splice(at, 1)
    if (call) this.#finish(call, result, { changes })
  }

  #unread({ blockId, startLine, endLine, source, error: { code, message, hint } }: ParseError): void {
    const known = this.byId && blockId !== undefined ? this.#known.get(blockId) : undefined
    const call = known ?? { id: this.#ownId(blockId ?? `line-${startLine}`), tool: UNREAD, parameters: {} }
    if (this.#ended.has(call.id)) return
    if (!known) {
      this.#keepText()
      this.conversation.add({ type: 'calls', calls: [call] })
    }
    this.emit({ type: 'call_start', ...call })
    const unread = { startLine, endLine, code, error: message, ...(hint !== undefined && { hint }) }
    this.#finish(call, { ...blank(call), ...unread }, { source })
  }

  #finish(
    call: RecordedCall, result: ActionResult,
    { source, changes = [] }: { source?: string; changes?: readonly FileChange[] } = {},
  ): void {
    this.#ended.add(call.id)
    this.endedCalls.push({ call, result, ...(source !== undefined && { source }) })
    this.conversation.add({ type: 'result', id: call.id, result })
    const told = this.tellsChanges && changes.length > 0 && { changes }
    this.emit({ type: 'call_end', id: call.id, tool: call.tool, result, ...told })
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
