import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { isRecord } from '../../../0-contracts/src/index.js'
import { RPC, RpcError, type CallContext, type RequestHandler } from '../../../2-wire/src/index.js'
import { API_VERSION, type InitializeResult } from '../kit/index.js'
import { INITIALIZE_MS, SHUTDOWN_MS } from '../host/extension-host.js'
import { ExtensionProcess, type ExtensionProgram } from '../host/extension-process.js'
import { Message } from '../host/message.js'
import { firstProblem, INTRODUCTION } from '../host/message-schemas.js'
import { requestHandlers } from '../host/requests.js'
import type { ExtensionUi } from '../host/ui-port.js'
import { Fault, strictFrames, type WireMessage } from './strict-frames.js'

/** Computes hermes' answer to a request of the extension, without id. */
export type Answering = () => Promise<{ result: unknown } | { error: { code: number; message: string } }>

export interface PlayedOptions extends ExtensionProgram {
  root: string
  /** The answer of the model that its commands see. */
  text: string
  /** Time limit of its commands and answers, in milliseconds. */
  limitMs: number
}

/** Number of log lines in a fault. */
const SHOWN_LINES = 3
/** Answers of a user who agrees to everything, and chooses no file. */
const CHOICES: Readonly<Record<string, unknown>> = {
  'ui/showMessage': { acknowledged: true }, 'ui/showConfirm': { confirmed: true }, 'ui/openFile': { path: null },
  'ui/openFiles': { paths: null }, 'ui/saveFile': { path: null }, 'ui/selectDirectory': { path: null },
  'ui/openWindow': { windowId: 'window-1' }, 'ui/closeWindow': { success: true },
}
const AGREEING: ExtensionUi = { request: async method => Promise.resolve(CHOICES[method] as never) }

/** An extension running against a simulated host, which controls every byte. */
export class PlayedExtension {
  /** Received messages that no `next` has taken. */
  readonly #arrived: WireMessage[] = []
  readonly #process: ExtensionProcess
  readonly #handlers: Readonly<Record<string, RequestHandler>>
  readonly #ending = new AbortController()
  #fault: Fault | undefined
  #wake: () => void = () => undefined
  /** Answers its requests; `undefined` leaves a request open. */
  answer: (request: WireMessage, asHermes: Answering) => Promise<void>

  private constructor(private readonly options: PlayedOptions, child: ExtensionProcess) {
    this.#process = child
    const job = { message: new Message({ text: options.text }), ui: AGREEING }
    this.#handlers = requestHandlers({
      extension: options.name, root: options.root, begin: () => ({ job, end: () => undefined }),
      files: (_, method) => {
        throw new RpcError(RPC.requestFailed, `${method}: no verb is carried out`, { code: 'COMMAND_ENDED' })
      },
      signal: this.#ending.signal, onWindowMessage: () => undefined, isReady: () => true,
    })
    this.answer = async ({ id }, asHermes) => this.send({ id, ...await asHermes() })
    const read = strictFrames(message => this.#take(message))
    child.program.output.on('data', (piece: Buffer) => {
      if (this.#fault !== undefined) return
      try {
        read(piece)
      } catch (error) {
        this.#failed(error)
      }
    })
    void child.program.exited.then(() => this.#wake())
  }

  /** @throws HermesError `EXTENSION_FAILED` where it cannot be started */
  static async start(options: PlayedOptions): Promise<PlayedExtension> {
    return new PlayedExtension(options, await ExtensionProcess.start(options))
  }

  /** The last lines of its standard error. */
  get log(): readonly string[] {
    return this.#process.log.lines(SHOWN_LINES)
  }

  /** A message as a Content-Length frame. */
  static frame(message: object): Buffer {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8')
    return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
  }

  async write(bytes: Buffer | string): Promise<void> {
    await new Promise<void>((resolve) => { this.#process.program.input.write(bytes, () => resolve()) })
  }

  async send(message: object): Promise<void> {
    await this.write(PlayedExtension.frame(message))
  }

  /**
   * @returns its answer to a request
   * @throws Fault where there is none
   */
  async request(id: number | string, method: string, params: object = {}): Promise<WireMessage> {
    await this.send({ id, method, params })
    return this.answerTo(id, method)
  }

  /** @throws Fault */
  async answerTo(id: number | string, method: string, ms = this.options.limitMs): Promise<WireMessage> {
    return this.next(message => message['method'] === undefined && message['id'] === id, `answer ${method}`, ms)
  }

  /**
   * Sends `initialize`.
   *
   * @throws Fault where it does not answer properly
   */
  async initialize(
    id: number | string = 1, send = async (frame: Buffer) => this.write(frame),
  ): Promise<InitializeResult> {
    const params = { apiVersion: API_VERSION, root: this.options.root }
    await send(PlayedExtension.frame({ id, method: 'initialize', params }))
    const { error, result } = await this.answerTo(id, 'initialize', INITIALIZE_MS)
    if (error !== undefined) throw new Fault(
      `It answered initialize by an error: ${JSON.stringify(error)}`, 'Answer with a result; {} is enough.',
    )
    const checked = v.safeParse(INTRODUCTION, result)
    if (checked.success) return checked.output
    throw new Fault(
      `Its answer to initialize does not fit: ${firstProblem(checked.issues)}`,
      'All fields may be left out: {"name": "…", "version": "…", "capabilities": {"commands": ["…"]}}.',
    )
  }

  /**
   * The next matching message, also one received earlier.
   *
   * @throws Fault where none comes
   */
  async next(fits: (message: WireMessage) => boolean, what: string, ms = this.options.limitMs): Promise<WireMessage> {
    const late = sleep(ms, 'late' as const, { ref: false })
    for (;;) {
      if (this.#fault) throw this.#fault
      const place = this.#arrived.findIndex(fits)
      if (place !== -1) return this.#arrived.splice(place, 1)[0] ?? {}
      if (this.#process.program.exit && this.#process.program.output.readableEnded) throw new Fault(
        `It ended and did not ${what}`, 'What it wrote to standard error may say why.',
      )
      const woken = new Promise<'woken'>((resolve) => { this.#wake = () => resolve('woken') })
      if (await Promise.race([woken, sleep(50, 'woken' as const), late]) === 'late') throw new Fault(
        `It did not ${what} within ${ms / 1000} s`,
        'Read standard input to the letter, answer each request by its id, and flush standard output.',
      )
    }
  }

  /** Whether a matching message was received. */
  has(fits: (message: WireMessage) => boolean): boolean {
    return this.#arrived.some(fits)
  }

  /** Closes its standard input. */
  endInput(): void {
    this.#process.program.input.end()
  }

  /**
   * Waits for its exit.
   *
   * @throws Fault where it takes longer than the 5 s that hermes grants after `shutdown`
   */
  async ended(after: string): Promise<void> {
    const how = await Promise.race([this.#process.program.exited, sleep(SHUTDOWN_MS, undefined, { ref: false })])
    if (how === undefined) throw new Fault(
      `It did not end within ${SHUTDOWN_MS / 1000} s after ${after}`, 'End the process then; hermes kills it.',
    )
    await nextTurn()
    if (this.#fault) throw this.#fault
  }

  /** Kills it with everything it started. */
  async kill(): Promise<void> {
    this.#ending.abort()
    await this.#process.kill()
  }

  #take(message: WireMessage): void {
    if (message['method'] === undefined || message['id'] === undefined) this.#arrived.push(message)
    else void this.answer(message, async () => this.#asHermes(message)).catch((error: unknown) => this.#failed(error))
    this.#wake()
  }

  /** @throws Fault for a request that violates the protocol */
  async #asHermes({ id, method, params }: WireMessage): ReturnType<Answering> {
    const isKnown = typeof method === 'string' && Object.hasOwn(this.#handlers, method)
    const handle = isKnown ? this.#handlers[method] : undefined
    if (!handle) throw new Fault(
      `It sent the request ${JSON.stringify(method)}, which hermes does not know`,
      'hermes help extensions has all of them.',
    )
    try {
      return { result: await handle(params, { id, signal: this.#ending.signal } as CallContext) }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (error.code === RPC.invalidParams) throw new Fault(
        `The params of its ${String(method)} do not fit: ${error.message}`, 'hermes help extensions has their shape.',
      )
      return { error: { code: error.code, message: error.message } }
    }
  }

  #failed(error: unknown): void {
    this.#fault ??= error instanceof Fault ? error : new Fault(
      `The trial itself failed: ${error instanceof Error ? error.message : String(error)}`, 'Tell the developers.',
    )
    this.#wake()
  }
}

/** Tests for the notification that ends a command. */
export function endsCommand(executionId: number): (message: WireMessage) => boolean {
  return ({ method, params }) =>
    method === 'command/finished' && isRecord(params) && params['executionId'] === executionId
}
