import { setTimeout as sleep } from 'node:timers/promises'
import { type GenericSchema, type InferOutput, getDotPath, safeParse } from 'valibot'
import { HermesError, type LanguageServer, type VerbContext } from '../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../0-text/src/index.js'
import { pathOfUri, uriOf } from '../../2-files/src/index.js'
import { connect, RpcError, type Connection } from '../../2-wire/src/index.js'
import { OpenDocuments } from './open-documents.js'
import { POSITION_ENCODINGS } from './protocol-positions.js'
import { INITIALIZED, PROGRESS, PUBLISHED, type ServerCapabilities } from './protocol-schemas.js'
import { againstProtocol, serverFailed } from './language-server-failures.js'
import { ServerProcess } from './language-server-process.js'
import { serverRequests, workspaceFolders } from './server-requests.js'
import { ToldDiagnostics } from './told-diagnostics.js'

/** Bytes of one message. */
const MOST_MESSAGE_BYTES = 64 * 2 ** 20
/** Requests of the server that are not answered yet. */
const MOST_IN_FLIGHT = 1000
/** Bytes that are no message, e.g. lines of a log on standard output. */
const MOST_LOST_BYTES = 2 ** 20
/** Notifications between two calls, and in one. */
const MOST_NOTIFICATIONS = 50_000
/** How long it may take to end when it is asked to, in milliseconds. */
const SHUTDOWN_MS = 2000
/** How often a request is made again that the server gave up since something had changed. */
const MOST_RETRIES = 3
/** Answers to such a request (LSP 3.17): `ContentModified`, `ServerCancelled`. */
const GIVEN_UP = new Set([-32801, -32802])
/** Requests in a row that were not answered in time, after which it counts as hanging. */
const MOST_UNANSWERED = 2
const LONGEST_WORDS = 300
const LOOK_MS = 20

/** What hermes can do as a client (LSP 3.17 `ClientCapabilities`). */
const CAPABILITIES = {
  general: { positionEncodings: POSITION_ENCODINGS },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: [], failureHandling: 'abort' },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    definition: { linkSupport: true },
    references: {},
    rename: { prepareSupport: false },
    publishDiagnostics: { versionSupport: true },
    diagnostic: { dynamicRegistration: false, relatedDocumentSupport: false },
  },
  window: { workDoneProgress: true, showDocument: { support: false } },
} as const

/** A running language server: LSP 3.17 from the client's side, as far as hermes needs it. */
export class LanguageClient {
  readonly told = new ToldDiagnostics()
  readonly #process: ServerProcess
  readonly #connection: Connection
  /** Work that the server says it does (`$/progress`), by its token. */
  readonly #working = new Set<string | number>()
  /** How much work it has told that it begins. */
  begun = 0
  capabilities: ServerCapabilities = { positionEncoding: 'utf-16' } as ServerCapabilities
  #documents: OpenDocuments | undefined
  #lostBytes = 0
  #notifications = 0
  #unanswered = 0
  /** Why hermes ended it. */
  #killed: string | undefined

  private constructor(readonly server: LanguageServer, root: string, child: ServerProcess) {
    this.#process = child
    const counted = (take: (params: unknown) => void = () => undefined) => (params: unknown): void => {
      this.#count()
      take(params)
    }
    this.#connection = connect({
      input: child.program.output, output: child.program.input, maxMessageBytes: MOST_MESSAGE_BYTES,
      maxInFlight: MOST_IN_FLIGHT,
      methods: {
        requests: serverRequests({ root, settings: server.settings }),
        notifications: {
          'textDocument/publishDiagnostics': counted((params) => this.#published(params)),
          '$/progress': counted((params) => this.#progress(params)),
        },
      },
      onLost: (bytes) => {
        this.#lostBytes += bytes
        if (this.#lostBytes > MOST_LOST_BYTES) this.kill('floods its standard output with what is no message')
      },
      // Other notifications are of no use here; a flood of them is one all the same.
      onProblem: ({ kind, message }) => {
        if (kind === 'too-large') this.kill(`sent too much: ${message}`)
        else this.#count()
      },
    })
    child.program.watchMemory(server.mostMemoryBytes, () => this.kill('held more memory than it may'))
  }

  /**
   * Starts a server and introduces hermes to it.
   *
   * @throws HermesError `SERVER_FAILED`; `APPROVAL_DENIED`, `NOT_INSTALLED`, `CANCELLED`; nothing of it is left then
   */
  static async start(verb: string, server: LanguageServer, context: VerbContext): Promise<LanguageClient> {
    const { root } = context.session
    const client = new LanguageClient(server, root, await ServerProcess.start(verb, server, context))
    try {
      await client.#initialize(root, context.signal)
      return client
    } catch (error) {
      await client.end()
      throw error
    }
  }

  get name(): string {
    return this.server.name
  }

  get documents(): OpenDocuments {
    if (!this.#documents) throw new Error('the server is not initialized')
    return this.#documents
  }

  get hasEnded(): boolean {
    return this.#killed !== undefined || this.#process.program.exit !== undefined || this.#connection.isClosed
  }

  /** A call begins. */
  begin(): void {
    this.#notifications = 0
  }

  async notify(method: string, params: object): Promise<void> {
    await this.#connection.notify(method, params)
  }

  /**
   * Asks, and checks the answer.
   *
   * @param timeoutMs default: `call_time` of the server
   * @throws HermesError `SERVER_FAILED`, `CANCELLED`
   */
  async request<Schema extends GenericSchema>(
    method: string, params: object, schema: Schema, signal: AbortSignal, timeoutMs = this.server.callMs,
  ): Promise<InferOutput<Schema>> {
    const checked = safeParse(schema, await this.#ask(method, params, signal, timeoutMs))
    if (checked.success) return checked.output
    const [issue] = checked.issues
    const at = getDotPath(issue)
    throw againstProtocol(this.name, method, `${at === null ? '' : `${at}: `}${clip(issue.message, LONGEST_WORDS)}`)
  }

  /** Resolves when the server says of no work any more that it is doing it, or `isOver`. */
  async settled(isOver: () => boolean): Promise<void> {
    while (this.#working.size > 0 && !this.hasEnded && !isOver()) await sleep(LOOK_MS)
  }

  get isWorking(): boolean {
    return this.#working.size > 0
  }

  /** @param problem completes "Language server NAME …" */
  kill(problem: string): void {
    this.#killed ??= problem
    void this.#end()
  }

  /** Asks it to end, and ends what has not. Never rejects. */
  async end(): Promise<void> {
    if (!this.hasEnded && this.#documents) {
      try {
        await this.#connection.request('shutdown', undefined, { timeoutMs: SHUTDOWN_MS })
        await this.#connection.notify('exit')
        await Promise.race([this.#process.program.exited, sleep(SHUTDOWN_MS, undefined, { ref: false })])
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        // It is ended all the same.
      }
    }
    await this.#end()
  }

  async #end(): Promise<void> {
    this.#connection.close()
    await this.#process.end()
  }

  async #initialize(root: string, signal: AbortSignal): Promise<void> {
    const { startMs, initialization, settings } = this.server
    const { capabilities } = await this.request('initialize', {
      // It is seen from no namespace of processes but hermes' own.
      processId: null,
      clientInfo: { name: 'hermes' },
      locale: 'en',
      rootUri: uriOf(root),
      rootPath: root,
      workspaceFolders: workspaceFolders(root),
      capabilities: CAPABILITIES,
      ...(initialization && { initializationOptions: initialization }),
    }, INITIALIZED, signal, startMs)
    this.capabilities = capabilities
    const { textDocumentSync: sync } = capabilities
    const change = typeof sync === 'number' ? sync : sync?.change ?? 0
    this.#documents = new OpenDocuments((method, given) => this.notify(method, given), capabilities.positionEncoding, {
      takesChanges: change > 0, tellsSaved: typeof sync === 'object' && sync !== null && Boolean(sync.save),
      mark: () => this.told.mark,
    })
    await this.notify('initialized', {})
    if (Object.keys(settings).length > 0) await this.notify('workspace/didChangeConfiguration', { settings })
  }

  async #ask(method: string, params: object, signal: AbortSignal, timeoutMs: number): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      try {
        const answer = await this.#connection.request(method, params, { signal, timeoutMs })
        this.#unanswered = 0
        return answer
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        if (signal.aborted) throw new HermesError('CANCELLED', `${method} of ${this.name} was cancelled`)
        if (GIVEN_UP.has(error.code) && attempt <= MOST_RETRIES) {
          await this.settled(() => signal.aborted || performance.now() - startedAt > timeoutMs)
          continue
        }
        throw await this.#failure(method, error, timeoutMs)
      }
    }
  }

  async #failure(method: string, error: RpcError, timeoutMs: number): Promise<HermesError> {
    if (this.hasEnded) {
      // What it says last comes after its end.
      await this.#process.end()
      const [words] = this.#process.log.lines(1)
      const said = words === undefined ? '' : `: ${clip(escapeControls(words), LONGEST_WORDS)}`
      return serverFailed(
        this.name, this.#killed === undefined ? `ended before it answered ${method}${said}` : `${this.#killed}`,
        `Start it by hand, as ${this.server.by} has it.`, error,
      )
    }
    if (/was not answered within/.test(error.message)) {
      this.#unanswered++
      if (this.#unanswered >= MOST_UNANSWERED) this.kill('hangs')
      const field = method === 'initialize' ? 'start_time' : 'call_time'
      return serverFailed(
        this.name, `did not answer ${method} within ${timeoutMs / 1000} s`,
        `It may still read the project: try again, or raise ${field} in ${this.server.by}.`, error,
      )
    }
    return serverFailed(
      this.name, `refused ${method}: ${clip(escapeControls(error.message), LONGEST_WORDS)}`,
      method === 'initialize' ? `Start it by hand, as ${this.server.by} has it.`
        : 'It has nothing to say of this place, or the file is not part of its project.', error,
    )
  }

  #count(): void {
    if (++this.#notifications > MOST_NOTIFICATIONS) this.kill('floods hermes with notifications')
  }

  #published(params: unknown): void {
    const read = safeParse(PUBLISHED, params)
    if (!read.success) return
    const { uri, version, diagnostics } = read.output
    const path = pathOfUri(uri)
    if (path !== undefined) this.told.take(path, version ?? undefined, diagnostics)
  }

  #progress(params: unknown): void {
    const read = safeParse(PROGRESS, params)
    if (!read.success) return
    const { token, value: { kind } } = read.output
    if (kind === 'begin') {
      this.#working.add(token)
      this.begun++
    }
    if (kind === 'end') this.#working.delete(token)
  }
}
