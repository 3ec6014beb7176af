import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, openSessionStore, type AgentOptions, type SessionStore } from '../../../6-agent/src/index.js'
import { writingOwn } from '../../../2-config/src/index.js'
import { caughtLater, HermesError, type Scheduler } from '../../../0-contracts/src/index.js'
import type { LockFile } from '../../../2-files/src/index.js'
import { lockService } from '../service-lock.js'
import { serveHttp, type HttpServer, readBody } from '../../../2-wire/src/index.js'
import { createMasker, usageError } from '../../../0-text/src/index.js'
import type { Adapter } from './adapter.js'
import { Conversation } from './gateway-conversation.js'
import { OpenTurns } from './open-turns.js'
import { SeenMessages } from './seen.js'
import { MESSAGING_PROMPT } from './turn.js'

const RECEIVE_MS = 15_000
const MOST_CONNECTIONS = 256
const MOST_CONVERSATIONS = 200
const TURN_MS = 15 * 60_000
const PROGRESS_MS = 15_000
/** How long a shutdown waits for turns before it cancels them. */
const GRACE_MS = 30_000
const REFUSED = { error: { code: 'REFUSED' } }
const TOO_MANY = { error: { code: 'BUSY', message: 'Messages wait already in this conversation: send it again later' } }
/** More than any message of these has. */
const MOST_BYTES = 1024 * 1024

export interface GatewayOptions {
  adapters: readonly Adapter[]
  /** `~/.hermes/gateway`: its lock, and the accepted messages. */
  directory: string
  agent: AgentOptions
  /** Makes the scheduler for the agent of a conversation, e.g. `webhook:c1`. Default: none. */
  scheduler?: ((conversation: string) => Scheduler) | undefined
  /** Default: those of `~/.hermes/sessions`. */
  sessions?: SessionStore
  /** Default 127.0.0.1. */
  host?: string | undefined
  /** Default 8765; 0: any free port. */
  port?: number | undefined
  turnTimeMs?: number | undefined
  graceMs?: number
  /** Least time between two progress messages, in milliseconds. Default 15,000. */
  progressMs?: number
  /** Called with one line each, for the gateway's owner; without message texts. */
  log?: (line: string) => void
}

/** Accepts messages from its adapters, has the agent answer them, and sends the answers. */
export class Gateway {
  readonly #seen: SeenMessages
  readonly #open: OpenTurns
  readonly #lock: LockFile
  readonly #sessions: SessionStore
  readonly #conversations = new Map<string, Conversation>()
  readonly #refused = new Set<string>()
  readonly #cancel = new AbortController()
  #server: HttpServer | undefined
  #isEnding = false

  /**
   * @throws HermesError `LOCKED` where another gateway is running, `INVALID_OPTION` without adapters or allowed users
   */
  constructor(private readonly options: GatewayOptions) {
    if (options.adapters.length === 0) throw usageError(
      'The gateway has no adapter', 'hermes help gateway says what each needs.',
    )
    for (const { name, allowedUsers } of options.adapters) {
      if (allowedUsers.length > 0) continue
      throw new HermesError('INVALID_OPTION', `Nobody may write by ${name}: gateway.${name}.allowed_users is empty`, {
        hint: `hermes config set gateway.${name}.allowed_users USER…`,
      })
    }
    this.#lock = lockService(options.directory, 'gateway', { who: 'gateway', hint: 'End it first.' })
    // Only the holder of the lock may write these.
    this.#seen = writingOwn(options.directory, () => new SeenMessages(join(options.directory, 'seen'), Date.now()))
    this.#open = writingOwn(options.directory, () => new OpenTurns(join(options.directory, 'turns')))
    this.#sessions = options.sessions ?? openSessionStore()
  }

  /** `http://127.0.0.1:8765`. */
  get url(): string {
    return this.#server?.url ?? ''
  }

  /** @throws HermesError `EADDRINUSE` and the like */
  async start(): Promise<void> {
    const { host = '127.0.0.1', port = 8765 } = this.options
    try {
      this.#server = await serveHttp({
        host, port, receiveTimeoutMs: RECEIVE_MS, maxConnections: MOST_CONNECTIONS,
        handle: (request, response) => this.#answer(request, response).catch((error: unknown) => {
          // One failed request affects no other.
          this.#log(`A request could not be answered: ${error instanceof Error ? error.message : String(error)}`)
          reply(response, 500, { error: { code: 'INTERNAL' } })
        }),
      })
    } catch (error) {
      this.#lock.release()
      throw error
    }
    this.#takeUp()
  }

  /** Continues messages that a killed gateway had accepted and not answered. */
  #takeUp(): void {
    for (const turn of this.#open.list()) {
      const adapter = this.options.adapters.find(({ name }) => name === turn.adapter)
      if (adapter === undefined) continue
      this.#log(`${adapter.name}: goes on with a conversation that was interrupted`)
      for (const id of turn.ids) if (id !== '') this.#seen.take(adapter.name, id, Date.now())
      this.#conversation(adapter, turn.conversation).takeUp(turn)
    }
  }

  /** Accepts no more messages, lets turns end within `graceMs`, then cancels them, and ends all agents. */
  async close(): Promise<void> {
    this.#isEnding = true
    this.#server?.stopListening()
    const late = new AbortController()
    void sleep(this.options.graceMs ?? GRACE_MS, undefined, { signal: late.signal })
      .then(() => this.#cancel.abort(), () => undefined)
    await Promise.all([...this.#conversations.values()].map(async (conversation) => conversation.end()))
    late.abort()
    await this.#server?.close()
    this.#lock.release()
  }

  /** Cancels turns at once; `close` does the rest. */
  cancel(): void {
    this.#cancel.abort()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const adapter = this.options.adapters.find(({ path }) => path === request.url?.split('?', 1)[0])
    // Nothing is read of what no adapter takes.
    if (!adapter) return reply(response, 404, REFUSED)
    const read = await readRequest(request)
    if ('status' in read) return reply(response, read.status, REFUSED)
    if (this.#isEnding) {
      return reply(response, 503, { error: { code: 'ENDING', message: 'The gateway is being shut down' } })
    }
    const { status, body, message, problem } = adapter.receive({
      headers: request.headers, body: read.body, nowMs: Date.now(),
    })
    if (message === undefined) {
      if (status >= 400) {
        this.#log(`${adapter.name}: refused a request (${status}${problem === undefined ? '' : `: ${problem}`})`)
      }
      return reply(response, status, body)
    }
    if (!adapter.allowedUsers.includes(message.user)) {
      reply(response, adapter.name === 'webhook' ? 403 : status, {
        error: { code: 'FORBIDDEN', message: 'This user may not write to hermes' },
      })
      this.#refuse(adapter, message.user, message.conversation)
      return
    }
    if (this.#seen.has(adapter.name, message.id)) reply(response, 200, { duplicate: true })
    else if (this.#conversation(adapter, message.conversation).take(message)) {
      // The message is stored: if this gateway were killed before this line, the next one would know of it.
      this.#seen.take(adapter.name, message.id, Date.now())
      reply(response, status, body)
    } else reply(response, adapter.name === 'webhook' ? 429 : status, TOO_MANY)
  }

  #conversation(adapter: Adapter, id: string): Conversation {
    const key = `${adapter.name}:${id}`
    const known = this.#conversations.get(key)
    // Moved to the end, since it is the most recently used.
    this.#conversations.delete(key)
    const masker = createMasker(process.env, { shapes: true })
    const { agent, turnTimeMs = TURN_MS, progressMs = PROGRESS_MS, scheduler } = this.options
    const conversation: Conversation = known ?? new Conversation({
      giveBack: (message) => this.#seen.forget(adapter.name, message),
      keep: (turn) => this.#open.keep(conversation.taskId, { adapter: adapter.name, conversation: id, ...turn }),
      adapter: adapter.name, id, turnTimeMs, progressMs, signal: this.#cancel.signal,
      createAgent: (refuse) => new Agent({
        ...agent, scheduler: scheduler ? scheduler(key) : agent.scheduler, approve: refuse, sessions: this.#sessions,
        quiet: true,
        systemPrompt: [agent.systemPrompt, MESSAGING_PROMPT].filter((part) => part !== undefined).join('\n\n'),
      }),
      progress: adapter.progress?.bind(adapter, id),
      send: async (text) => adapter.send(id, masker.text(text), AbortSignal.timeout(120_000)),
      onError: (error) =>
        this.#log(`${adapter.name}: ${error instanceof Error ? masker.text(error.message) : String(error)}`),
    })
    this.#conversations.set(key, conversation)
    this.#forgetIdle()
    return conversation
  }

  /** Forgets idle conversations; their sessions are stored, and reopened by a later message. */
  #forgetIdle(): void {
    for (const [key, conversation] of this.#conversations) {
      if (this.#conversations.size <= MOST_CONVERSATIONS) return
      if (!conversation.isIdle) continue
      this.#conversations.delete(key)
      void conversation.end()
    }
  }

  /** Refuses a user; tells each user, and the owner, once. */
  #refuse(adapter: Adapter, user: string, conversation: string): void {
    const key = `${adapter.name}:${user}`
    if (this.#refused.has(key) || this.#refused.size > 1000) return
    this.#refused.add(key)
    this.#log(`${adapter.name}: ${user} is not among gateway.${adapter.name}.allowed_users`)
    if (adapter.name === 'webhook') return
    const words = `You may not write to this hermes. Its owner can add ${user} to `
      + `gateway.${adapter.name}.allowed_users.`
    void adapter.send(conversation, words, AbortSignal.timeout(30_000))
      .catch((error: unknown) =>
        this.#log(`${adapter.name}: ${error instanceof Error ? error.message : String(error)}`))
  }

  #log(line: string): void {
    this.options.log?.(line)
  }
}

/** The body of a POST, or the status it is refused with. */
async function readRequest(request: IncomingMessage): Promise<{ body: Buffer } | { status: number }> {
  if (request.method !== 'POST') return { status: 405 }
  // 400: the client left before its request was whole.
  const read = await caughtLater(Error, () => readBody(request, MOST_BYTES), () => 400)
  return typeof read === 'number' ? { status: read } : read ? { body: read } : { status: 413 }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, {
    'content-type': 'application/json', 'content-length': Buffer.byteLength(text),
    ...(status >= 400 && { connection: 'close' }),
  })
  response.end(text)
}
