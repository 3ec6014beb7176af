import { EventEmitter, once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { createMessageConnection, ResponseError, type CancellationToken, type Message } from 'vscode-jsonrpc/node'
import { Batches } from './batches.js'
import { dispatch } from './dispatch.js'
import { FrameReader } from './frame-reader.js'
import { FrameWriter } from './frame-writer.js'
import { Intake } from './intake.js'
import { MessageDecoder } from './message-decoder.js'
import type { CallContext, MessageId, Methods, Peer, Problem } from './rpc-messages.js'
import { sendRequest } from './outgoing.js'
import { wireError } from './rpc-error.js'

export interface ConnectionOptions {
  input: Readable
  output: Writable
  methods: Methods
  /** Size limit in bytes; messages of that size are refused, and not sent. Default 64,000,000. */
  maxMessageBytes?: number
  /** Most unanswered requests of the other side; further ones get `serverBusy`. Default 100,000. */
  maxInFlight?: number
  /** Most bytes waiting to be written before the connection is given up. Default 256 MiB. */
  maxQueuedBytes?: number
  /** Called with the number of received bytes that were no message. */
  onLost?: (bytes: number) => void
  /** Called with problems that concern no single request. */
  onProblem?: (problem: Problem) => void
}

export interface Connection extends Peer {
  /** Closes both directions: requests in flight are aborted, own requests are rejected. */
  close(): void
  /** Resolves when the other side has gone (its requests are aborted by then), or after `close()`. */
  readonly closed: Promise<void>
  readonly isClosed: boolean
  /** Number of unanswered requests of the other side. */
  readonly inFlight: number
  /** Resolves when everything written has been sent. */
  flushed(): Promise<void>
}

export const DEFAULT_MAX_MESSAGE_BYTES = 64_000_000
const PROGRESS = '$/progress'
const DEFAULT_MAX_IN_FLIGHT = 100_000
const DEFAULT_MAX_QUEUED_BYTES = 256 * 1024 * 1024

/** Speaks JSON-RPC 2.0 over a pair of streams; starts reading at once. */
export function connect(options: ConnectionOptions): Connection {
  const { input, output, methods, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES } = options
  const onProblem = (problem: Problem): void => options.onProblem?.(problem)
  const batches = new Batches()
  const intake: Intake = new Intake({
    batches, maxInFlight: options.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT, onProblem,
    send: (body) => void writer.send(body),
    sendBatch: (answers) => void writer.sendBatch(answers),
  })
  const reader: FrameReader = new FrameReader(input, new MessageDecoder(maxMessageBytes, options.onLost), intake)
  const writer: FrameWriter = new FrameWriter({
    output, batches, maxMessageBytes, maxQueuedBytes: options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES,
    onPressure: () => reader.hold(writer.isPressed),
    onRequest: (id) => intake.requested(id),
    onAnswer: (id) => intake.answered(id),
  })
  const running = new Set<AbortController>()
  /** Id of the request being dispatched: handlers are called synchronously while its message is dispatched. */
  let current: MessageId = 0
  const rpc = createMessageConnection(reader, writer, undefined, {
    messageStrategy: {
      async handleMessage(message, next) {
        if ('id' in message && intake.isDispatched(message)) current = (message as Message & { id: MessageId }).id
        const handled = next(message)
        if (intake.isDispatched(message)) reader.dispatched()
        await handled
      },
    },
  })

  rpc.onRequest(async (method: string, params: object | undefined, token: CancellationToken) => {
    const id = current
    const controller = new AbortController()
    running.add(controller)
    const cancelling = token.onCancellationRequested(() => controller.abort())
    if (token.isCancellationRequested) controller.abort()
    try {
      return await dispatch(methods, method, params, { id, peer, signal: controller.signal } satisfies CallContext)
    } catch (error) {
      const { code, message, data } = wireError(error)
      return new ResponseError(code, message, data)
    } finally {
      cancelling.dispose()
      running.delete(controller)
    }
  })
  const notified = async (method: string, params: object | undefined): Promise<void> => {
    const { notifications = {} } = methods
    const handler = Object.hasOwn(notifications, method) ? notifications[method] : undefined
    if (!handler) return onProblem({ kind: 'unhandled', message: `Unknown notification: ${method}` })
    try {
      await handler(params, peer)
    } catch (error) {
      onProblem({ kind: 'unhandled', message: `${method}: ${wireError(error).message}` })
    }
  }
  rpc.onNotification(notified)
  // The library handles these notifications itself.
  if (methods.notifications && Object.hasOwn(methods.notifications, PROGRESS)) {
    rpc.onUnhandledProgress((params: object) => void notified(PROGRESS, params))
  }
  rpc.onError(([error]) => onProblem({ kind: 'broken', message: error.message }))

  let isClosed = false
  const end = new EventEmitter()
  const closed = once(end, 'closed').then(() => undefined)
  const leave = (): void => {
    if (isClosed) return
    isClosed = true
    for (const controller of running) controller.abort()
    // Rejects own pending requests.
    rpc.dispose()
    end.emit('closed')
  }
  rpc.onClose(leave)

  const peer: Connection = {
    request: (method, params, wishes) => sendRequest(rpc, () => !isClosed, method, params, wishes),
    async notify(method, params) {
      if (isClosed) return
      await rpc.sendNotification(method, params)
    },
    close() {
      leave()
      input.destroy()
      writer.end()
    },
    closed,
    get isClosed() { return isClosed },
    get inFlight() { return intake.inFlight },
    flushed: () => writer.flushed(),
  }
  rpc.listen()
  return peer
}
