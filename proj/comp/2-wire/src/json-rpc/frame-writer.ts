import type { Writable } from 'node:stream'
import { AbstractMessageWriter, Message, type MessageWriter } from 'vscode-jsonrpc/node'
import type { Batches } from './batches.js'
import { writeMessage } from './exact-ids.js'
import { toWire } from './own-ids.js'
import { RPC } from './rpc-codes.js'
import type { MessageId } from './rpc-messages.js'

export interface WriterOptions {
  output: Writable
  batches: Batches
  maxMessageBytes: number
  /** Most waiting bytes; beyond that the connection is given up. */
  maxQueuedBytes: number
  /** Called when output piles up, and when it no longer does. */
  onPressure: () => void
  onRequest: (id: MessageId) => void
  onAnswer: (id: MessageId) => void
}

/** Most bytes waiting to be written before reading stops. */
const HIGH_WATER_BYTES = 4 * 1024 * 1024

/** Writes each message at once, in the order of the calls. */
export class FrameWriter extends AbstractMessageWriter implements MessageWriter {
  /** Bytes written but not yet taken by the system. */
  #queued = 0
  #pressed = false
  #ended = false
  #idle: (() => void)[] = []

  constructor(private readonly options: WriterOptions) {
    super()
    options.output.on('error', (error) => this.#break(error))
    options.output.on('close', () => this.#break())
  }

  /** Whether the other side reads more slowly than this side writes. */
  get isPressed(): boolean {
    return this.#pressed
  }

  async write(counted: Message): Promise<void> {
    const message = toWire(counted)
    const { onRequest, onAnswer, batches, maxMessageBytes } = this.options
    if (Message.isRequest(message) && message.id !== null) onRequest(message.id)
    if (!Message.isResponse(message) || message.id === null) return this.send(writeMessage(message))
    const answer = encodeAnswer(message, maxMessageBytes)
    const sent = batches.take(message.id, answer)
    onAnswer(message.id)
    if (sent === 'alone') return this.send(answer)
    if (sent !== undefined) return this.sendBatch(sent)
  }

  /** Writes answers as one array, or one by one if that would be too large. */
  async sendBatch(answers: readonly string[]): Promise<void> {
    const whole = `[${answers.join(',')}]`
    if (Buffer.byteLength(whole) < this.options.maxMessageBytes) return this.send(whole)
    for (const answer of answers) await this.send(answer)
  }

  /** @param body JSON text */
  async send(body: string): Promise<void> {
    if (this.#ended) return
    const bytes = Buffer.byteLength(body)
    const { maxMessageBytes, maxQueuedBytes, output } = this.options
    if (bytes >= maxMessageBytes) {
      throw new Error(`The message has ${bytes} bytes; it must be smaller than ${maxMessageBytes}`)
    }
    this.#queued += bytes
    if (this.#queued > maxQueuedBytes) {
      return this.#break(new Error(`The other side does not read: more than ${maxQueuedBytes} bytes wait for it`))
    }
    this.#press()
    await new Promise<void>((resolve) => {
      output.write(`Content-Length: ${bytes}\r\n\r\n${body}`, () => {
        this.#queued -= bytes
        this.#press()
        resolve()
      })
    })
  }

  /** Resolves when nothing waits to be written. */
  flushed(): Promise<void> {
    return this.#queued === 0 || this.#ended ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.options.output.end()
    this.#settle()
  }

  #press(): void {
    const pressed = this.#queued > HIGH_WATER_BYTES
    if (this.#queued === 0) this.#settle()
    if (pressed === this.#pressed) return
    this.#pressed = pressed
    this.options.onPressure()
  }

  #break(error?: Error): void {
    if (this.#ended) return
    this.#ended = true
    if (error) this.fireError(error)
    this.fireClose()
    this.options.output.destroy()
    this.#settle()
  }

  #settle(): void {
    const idle = this.#idle
    this.#idle = []
    idle.forEach((resolve) => resolve())
  }
}

/** Encodes an answer; one that cannot be sent becomes an error, since the other side waits for something. */
function encodeAnswer(message: Message & { id: MessageId | null }, maxMessageBytes: number): string {
  try {
    const body = writeMessage(message)
    // A UTF-16 unit takes at most three bytes.
    const bytes = body.length * 3 < maxMessageBytes ? 0 : Buffer.byteLength(body)
    return bytes < maxMessageBytes ? body : refusal(
      message.id, RPC.requestFailed, `The answer has ${bytes} bytes; it must be smaller than ${maxMessageBytes}`,
    )
  } catch (error) {
    return refusal(
      message.id, RPC.internalError,
      `The answer has no form in JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function refusal(id: MessageId | null, code: number, message: string): string {
  return writeMessage({ jsonrpc: '2.0', id, error: { code, message } })
}
