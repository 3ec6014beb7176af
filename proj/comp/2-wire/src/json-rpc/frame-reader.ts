import type { Readable } from 'node:stream'
import {
  AbstractMessageReader, type DataCallback, type Disposable, type Message, type MessageReader,
} from 'vscode-jsonrpc/node'
import type { Intake } from './intake.js'
import type { MessageDecoder } from './message-decoder.js'

/** Most bytes of unprocessed messages; beyond that the other side has to wait. */
const HIGH_WATER_BYTES = 1024 * 1024

/**
 * Delivers one message at a time, the next when that one has been dispatched, so that nothing piles up; input not yet
 * parsed is bounded by pausing the stream. Dispatching never waits for an answer, so it always proceeds.
 */
export class FrameReader extends AbstractMessageReader implements MessageReader {
  readonly #ready: Message[] = []
  #callback: DataCallback | undefined
  /** A message was delivered and is not dispatched yet. */
  #handedOver = false
  #held = false
  #ended = false
  #closed = false

  constructor(
    private readonly input: Readable, private readonly decoder: MessageDecoder, private readonly intake: Intake,
  ) {
    super()
  }

  listen(callback: DataCallback): Disposable {
    this.#callback = callback
    this.input.on('data', (chunk: Buffer) => {
      this.decoder.push(chunk)
      this.#pump()
    })
    this.input.on('error', (error) => this.fireError(error))
    for (const event of ['end', 'close']) this.input.on(event, () => this.#end())
    return { dispose: () => this.#close() }
  }

  /** The delivered message was dispatched. */
  dispatched(): void {
    this.#handedOver = false
    this.#pump()
  }

  /** Stops reading while the other side does not read either. */
  hold(held: boolean): void {
    this.#held = held
    this.#pump()
  }

  #pump(): void {
    while (!this.#handedOver && !this.#held && !this.#closed) {
      const message = this.#next()
      if (!message) break
      this.#handedOver = this.intake.isDispatched(message)
      this.#callback?.(message)
    }
    if (this.#closed) return
    const full = this.#held || (this.#handedOver && this.decoder.size > HIGH_WATER_BYTES)
    if (full && !this.input.isPaused()) this.input.pause()
    if (!full && this.input.isPaused()) this.input.resume()
    if (this.#ended && !this.#handedOver && !this.#held) this.#close()
  }

  #next(): Message | undefined {
    for (;;) {
      const ready = this.#ready.shift()
      if (ready) return ready
      const decoded = this.#held ? undefined : this.decoder.next()
      if (!decoded) return undefined
      this.#ready.push(...this.intake.take(decoded))
    }
  }

  #end(): void {
    this.#ended = true
    this.#pump()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    if (this.#ended && !this.decoder.isBetweenMessages) this.intake.cutOff()
    this.input.destroy()
    this.fireClose()
  }
}
