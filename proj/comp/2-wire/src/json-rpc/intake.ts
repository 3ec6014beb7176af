import type { Message, ResponseMessage } from 'vscode-jsonrpc/node'
import type { Batches } from './batches.js'
import { showId, writeMessage } from './exact-ids.js'
import { RPC } from './rpc-codes.js'
import {
  checkMessage, isId, type IncomingAnswer, type IncomingMessage, type IncomingNotification, type IncomingRequest,
} from './message-check.js'
import type { Decoded, Undecoded } from './message-decoder.js'
import { fromWire } from './own-ids.js'
import type { MessageId, Problem } from './rpc-messages.js'
import type { WireError } from './rpc-error.js'

const CANCEL = '$/cancelRequest'
/** Most messages in a batch, as each invalid one costs an answer. */
const MAX_BATCH = 1000

export interface IntakeOptions {
  batches: Batches
  maxInFlight: number
  /** Sends answers (JSON text) to messages that cannot be dispatched. */
  send: (body: string) => void
  sendBatch: (answers: readonly string[]) => void
  onProblem: (problem: Problem) => void
}

/** Checks received messages: valid ones are dispatched, all others are answered here. */
export class Intake {
  /** Ids of unanswered requests of the other side. */
  readonly #inFlight = new Set<MessageId>()
  /** Ids of own unanswered requests. */
  readonly #expected = new Set<MessageId>()

  constructor(private readonly options: IntakeOptions) {}

  get inFlight(): number {
    return this.#inFlight.size
  }

  requested(id: MessageId): void {
    this.#expected.add(id)
  }

  answered(id: MessageId): void {
    this.#inFlight.delete(id)
  }

  /** A cancellation takes effect on delivery, and is not always dispatched. */
  isDispatched(message: Message): boolean {
    return (message as { method?: string }).method !== CANCEL
  }

  take(decoded: Decoded): Message[] {
    if ('error' in decoded) return this.#undecoded(decoded)
    if (Array.isArray(decoded.value)) return this.#batch(decoded.value)
    const { message, answer } = this.#judge(checkMessage(decoded.value))
    if (answer !== undefined) this.options.send(answer)
    return message ? [message] : []
  }

  cutOff(): void {
    this.options.onProblem({ kind: 'unreadable', message: 'The input ended within a message' })
  }

  #undecoded({ error, head, isTooLarge = false }: Undecoded): Message[] {
    this.options.onProblem({ kind: isTooLarge ? 'too-large' : 'unreadable', message: error.message })
    if (head?.isAnswer === true) {
      // Rejects the own request that this was an answer to.
      const { message } = this.#expected.has(head.id) ? this.#answer({ kind: 'answer', id: head.id, error }) : {}
      return message ? [message] : []
    }
    this.options.send(answerTo(head === undefined || this.#inFlight.has(head.id) ? null : head.id, error))
    return []
  }

  #batch(values: readonly unknown[]): Message[] {
    if (values.length === 0 || values.length > MAX_BATCH) {
      const message = values.length === 0 ? 'A batch must not be empty'
        : `A batch of ${values.length} messages; ${MAX_BATCH} are the most`
      this.options.send(answerTo(null, { code: RPC.invalidRequest, message }))
      return []
    }
    const judged = values.map((value) => this.#judge(checkMessage(value)))
    const messages = judged.flatMap(({ message }) => (message ? [message] : []))
    const ids = judged.flatMap(({ request }) => (request === undefined ? [] : [request]))
    const answers = this.options.batches.open(
      ids, judged.flatMap(({ answer }) => (answer === undefined ? [] : [answer])),
    )
    if (answers) this.options.sendBatch(answers)
    return messages
  }

  #judge(incoming: IncomingMessage): { message?: Message; request?: MessageId; answer?: string } {
    if (incoming.kind === 'invalid') {
      this.options.onProblem({ kind: 'unhandled', message: incoming.error.message })
      return { answer: answerTo(incoming.id, incoming.error) }
    }
    if (incoming.kind === 'answer') return this.#answer(incoming)
    if (incoming.kind === 'request') return this.#request(incoming)
    if (incoming.method === CANCEL && !isId((incoming.params as { id?: unknown } | undefined)?.id)) return {}
    return { message: wire(incoming) }
  }

  #request(request: IncomingRequest): { message?: Message; request?: MessageId; answer?: string } {
    const { id } = request
    if (this.#inFlight.has(id)) {
      const message = `The id ${showId(id)} is in use by a request that is not answered yet`
      return { answer: answerTo(id, { code: RPC.invalidRequest, message }) }
    }
    if (this.#inFlight.size >= this.options.maxInFlight) {
      const message = `${this.#inFlight.size} requests are in flight; send more when some have been answered`
      return { answer: answerTo(id, { code: RPC.serverBusy, message }) }
    }
    this.#inFlight.add(id)
    return { message: wire(request), request: id }
  }

  #answer({ id, result, error }: IncomingAnswer): { message?: Message } {
    if (id === null || !this.#expected.delete(id)) {
      const about = id === null ? `An answer without id${error ? `: ${error.message}` : ''}`
        : `An answer to no open request: id ${showId(id)}`
      this.options.onProblem({ kind: 'unexpected-answer', message: about })
      return {}
    }
    // A result may be `null`, which must still be passed on.
    const answer = error ? { error } : { result: result ?? null }
    return { message: { jsonrpc: '2.0', id: fromWire(id), ...answer } as ResponseMessage }
  }
}

function wire({ method, params, ...rest }: IncomingRequest | IncomingNotification): Message {
  return { jsonrpc: '2.0', ...('id' in rest && { id: rest.id }), method, params } as Message
}

function answerTo(id: MessageId | null, error: WireError): string {
  return writeMessage({ jsonrpc: '2.0', id, error })
}
